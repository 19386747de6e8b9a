/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "cli/command.h"
#include "cli/derivation.h"
#include "cli/input.h"
#include "cli/json.h"
#include "cli/kernels.h"
#include "cli/options.h"
#include "codegen/module/reference.h"
#include "cli/watch.h"
#include "derive/report/roofline.h"
#include "diagram/base/problem.h"
#include "figure/layout/figure-spec.h"
#include "figure/scene/figure-theme.h"
#include "files/base/files.h"
#include "files/base/json.h"
#include "files/exchange/export.h"
#include "files/measure/bench-result.h"
#include "files/picture/venue.h"

#define LEAST_WRAP 72. /* pt */

typedef struct
{
  HeddleOptions options;
  char *output, *as, *library, *width, *wrap, *venue, *text, *family, *show, *theme;
  char **gpus;
  double dpi;
  char **measured_files;
  GPtrArray *measured; /* of HeddleBenchResult */
  int page;
  gboolean no_source, no_verify, standalone, strict, definitions, legend, roofline, costs, expanded, steps;
  GPtrArray *written; /* of char * */
  GPtrArray *problems; /* of HeddleProblem: of the figures */
  HeddleExportOptions how;
} Export;

static void
export_clear (Export *self)
{
  heddle_options_clear (&self->options);
  g_free (self->output);
  g_free (self->as);
  g_free (self->library);
  g_free (self->width);
  g_free (self->wrap);
  g_free (self->venue);
  g_free (self->text);
  g_strfreev (self->gpus);
  g_strfreev (self->measured_files);
  g_clear_pointer (&self->measured, g_ptr_array_unref);
  g_free (self->family);
  g_free (self->show);
  g_free (self->theme);
  g_clear_pointer (&self->written, g_ptr_array_unref);
  g_clear_pointer (&self->problems, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Export, export_clear)

/* --- options ------------------------------------------------------------------------- */

/* Reads a width such as 3.25in, 8cm, 82mm or 234pt. */
static gboolean
read_width (const char *text, double *points)
{
  static const struct
  {
    const char *unit;
    double points;
  } units[] = { { "in", 72. }, { "cm", 72. / 2.54 }, { "mm", 72. / 25.4 }, { "pt", 1. } };
  char *unit;
  double number = g_ascii_strtod (text, &unit);

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (unit, units[i].unit))
      *points = number * units[i].points;
  return unit != text && isfinite (*points) && *points > 0. && *points < 14400.;
}

static gboolean
read_theme (const char *name, HeddleTheme *theme)
{
  static const struct
  {
    const char *name;
    HeddleTheme theme;
  } rows[] = { { "paper", HEDDLE_THEME_PAPER }, { "print", HEDDLE_THEME_PAPER },
    { "author", HEDDLE_THEME_PAPER }, { "light", HEDDLE_THEME_LIGHT }, { "screen", HEDDLE_THEME_LIGHT },
    { "dark", HEDDLE_THEME_DARK }, { "contrast", HEDDLE_THEME_CONTRAST } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (g_str_equal (rows[i].name, name))
      {
        *theme = rows[i].theme;
        return TRUE;
      }
  return FALSE;
}

/* Reads the size. A figure is as wide as its venue's column, or as it is asked to be within that. */
static HeddleExit
read_size (Export *self)
{
  HeddleExportOptions *how = &self->how;

  if (self->venue != NULL && (how->most_pt = heddle_venue_get_width (self->venue)) == 0.)
    {
      g_autofree char *names = heddle_venue_list ();
      return heddle_options_misused (
          &self->options, _ ("--venue %s: expected one of %s"), self->venue, names);
    }
  if (self->page < 0)
    return heddle_options_misused (
        &self->options, _ ("--page %d: expected the number of a page, from 1 on"), self->page);
  how->page = self->page;
  how->width_pt = how->most_pt;
  if (self->width != NULL && !read_width (self->width, &how->width_pt))
    return heddle_options_misused (
        &self->options, _ ("--width %s: expected a length such as 3.25in, 82mm or 234pt"), self->width);
  if (self->wrap != NULL && g_str_equal (self->wrap, "none"))
    how->wrap_pt = -1.;
  else if (self->wrap != NULL && !read_width (self->wrap, &how->wrap_pt))
    return heddle_options_misused (&self->options,
        _ ("--wrap %s: expected none, or a length such as 3.25in, 82mm or 234pt"), self->wrap);
  else if (how->wrap_pt > 0. && how->wrap_pt < LEAST_WRAP)
    return heddle_options_misused (&self->options,
        _ ("--wrap %s: a line shorter than %.0f in has no room for an operation between its names"),
        self->wrap, LEAST_WRAP / 72.);
  return HEDDLE_EXIT_DONE;
}

static gboolean
read_show (const char *text, HeddleShow *show)
{
  static const char *const words[] = { "labels", "columns", "roofline", "steps" };
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      guint word = 0;

      while (word < G_N_ELEMENTS (words) && !g_str_equal (parts[i], words[word]))
        word++;
      if (word == G_N_ELEMENTS (words) && *parts[i] != '\0')
        return FALSE;
      *show |= word < G_N_ELEMENTS (words) ? 1u << word : 0; /* in the order of HeddleShow */
    }
  return TRUE;
}

static HeddleExit
read_picture (Export *self)
{
  if (self->roofline + self->costs + self->expanded + self->steps > 1)
    return heddle_options_misused (
        &self->options, _ ("--roofline, --costs, --expanded and --steps are different figures"));
  self->how.picture = self->roofline   ? HEDDLE_EXPORT_ROOFLINE
                      : self->costs    ? HEDDLE_EXPORT_COSTS
                      : self->expanded ? HEDDLE_EXPORT_EXPANDED
                      : self->steps    ? HEDDLE_EXPORT_STEPS
                                       : HEDDLE_EXPORT_DIAGRAM;
  return HEDDLE_EXIT_DONE;
}

static HeddleExit
read_measured (Export *self)
{
  self->measured = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_bench_result_free);
  self->how.measured = self->measured;
  for (guint i = 0; self->measured_files != NULL && self->measured_files[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      HeddleBenchResult *one = heddle_bench_result_read (self->measured_files[i], &error);

      if (one == NULL)
        return heddle_input_failed (self->measured_files[i], error);
      g_ptr_array_add (self->measured, one);
    }
  return HEDDLE_EXIT_DONE;
}

static HeddleExit
read_options (Export *self)
{
  HeddleExportOptions *how = &self->how;

  if (read_size (self) != HEDDLE_EXIT_DONE)
    return HEDDLE_EXIT_USAGE;
  if (self->theme != NULL && !read_theme (self->theme, &how->theme))
    return heddle_options_misused (
        &self->options, _ ("--theme %s: expected paper, light, dark or contrast"), self->theme);
  if (self->show != NULL && !read_show (self->show, &how->show))
    return heddle_options_misused (
        &self->options, _ ("--show %s: expected some of labels, columns, roofline, steps"), self->show);
  if (self->text != NULL && !g_str_equal (self->text, "outline") && !g_str_equal (self->text, "tex"))
    return heddle_options_misused (&self->options, _ ("--text %s: expected outline or tex"), self->text);
  if (!(self->dpi >= 0. && self->dpi <= 10000.))
    return heddle_options_misused (&self->options, _ ("--dpi is a number of dots per inch"));
  if (read_picture (self) != HEDDLE_EXIT_DONE)
    return HEDDLE_EXIT_USAGE;
  how->show_given = self->show != NULL;
  how->overlay = self->text != NULL && g_str_equal (self->text, "tex");
  how->outlines = self->text != NULL && !how->overlay;
  how->dpi = self->dpi;
  how->diagram = self->options.diagram;
  how->gpu = self->gpus != NULL ? self->gpus[0] : NULL;
  how->more_gpus = how->gpu != NULL ? (const char *const *) self->gpus + 1 : NULL;
  how->dtype = self->options.dtype;
  if (!heddle_kernels_family (&self->options, self->family, &how->family))
    return HEDDLE_EXIT_USAGE;
  how->no_source = self->no_source;
  how->standalone = self->standalone;
  how->definitions = self->definitions;
  how->legend = self->legend;
  how->no_verify = self->no_verify;
  how->seed = 1;
  return read_measured (self);
}

/* --- the work ------------------------------------------------------------------------ */

/* Exports a file. Kernels may take a compiler's time: a signal meanwhile ends the compiler too, and removes
 * its files. */
static GBytes *
export_bytes (Export *self, HeddleInput *input, const char *output, GError **error)
{
  GBytes *bytes;
  HeddleWatch watch;

  self->how.pages = TRUE;
  if (heddle_export_is_figure (output))
    return heddle_export (input->snapshot, output, &self->how, NULL, error);
  heddle_watch_begin (&watch);
  bytes = heddle_export (input->snapshot, output, &self->how, watch.cancellable, error);
  if (bytes != NULL && g_cancellable_set_error_if_cancelled (watch.cancellable, error))
    g_clear_pointer (&bytes, g_bytes_unref);
  heddle_watch_end (&watch);
  return bytes;
}

static gboolean
is_pdf (const char *path)
{
  g_autofree char *name = g_ascii_strdown (path, -1);

  return g_str_has_suffix (name, ".pdf");
}

static HeddleExit
export_to (Export *self, HeddleInput *input, const char *output)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  gsize length;
  const char *data;

  self->how.sizes = input->overrides;
  bytes = export_bytes (self, input, output, &error);
  if (bytes == NULL)
    return heddle_input_failed (input->path, error);
  data = g_bytes_get_data (bytes, &length);
  if (heddle_output_save (output, data != NULL ? data : "", length) != HEDDLE_EXIT_DONE)
    return HEDDLE_EXIT_WRONG;
  g_ptr_array_add (self->written, g_strdup (output));
  return HEDDLE_EXIT_DONE;
}

/* Exports one file; a PDF whose words TeX sets with what sets them, beside it. */
static HeddleExit
export_one (Export *self, HeddleInput *input, const char *output)
{
  g_autofree char *overlay = heddle_export_overlay_path (output, &self->how);
  const HeddleExit status = overlay != NULL ? export_to (self, input, overlay)
                                            : HEDDLE_EXIT_DONE; /* its name may be none for TeX */

  return status == HEDDLE_EXIT_DONE ? export_to (self, input, output) : status;
}

static void
print_json (const Export *self)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  heddle_json_begin_object (json, NULL);
  heddle_json_begin_array (json, "written");
  for (guint i = 0; i < self->written->len; i++)
    json_builder_add_string_value (json, g_ptr_array_index (self->written, i));
  json_builder_end_array (json);
  heddle_json_begin_array (json, "problems");
  for (guint i = 0; i < self->problems->len; i++)
    {
      const HeddleProblem *problem = g_ptr_array_index (self->problems, i);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "file", problem->file);
      heddle_json_text (json, "object", problem->object_id);
      heddle_json_text (json, "message", problem->message);
      heddle_json_text (json, "remedy", problem->remedy);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  json_builder_end_object (json);
  heddle_json_print (json);
}

static char *
output_name (const char *folder, const char *path, const char *suffix)
{
  g_autofree char *base = g_path_get_basename (path);
  char *dot = strrchr (base, '.');
  g_autofree char *name = NULL;

  if (dot != NULL && dot > base)
    *dot = '\0';
  name = g_strconcat (base, ".", suffix, NULL);
  return g_build_filename (folder, name, NULL);
}

static gboolean
makes_figures (const Export *self, char **formats)
{
  for (guint i = 0; formats != NULL && formats[i] != NULL; i++)
    {
      g_autofree char *name = g_strconcat (".", formats[i], NULL);

      if (heddle_export_is_figure (name))
        return TRUE;
    }
  return formats == NULL && heddle_export_is_figure (self->output);
}

/* Returns whether a PDF is written, which TeX can set words over. */
static gboolean
makes_pdf (const Export *self, char **formats)
{
  return formats != NULL ? g_strv_contains ((const char *const *) formats, "pdf") : is_pdf (self->output);
}

/* Returns whether every figure that is written is a PDF, which may have several pages. */
static gboolean
makes_pages (const Export *self, char **formats)
{
  for (guint i = 0; formats != NULL && formats[i] != NULL; i++)
    {
      g_autofree char *name = g_strconcat (".", formats[i], NULL);

      if (heddle_export_is_figure (name) && g_ascii_strcasecmp (formats[i], "pdf") != 0)
        return FALSE;
    }
  return !self->how.overlay && (formats != NULL || is_pdf (self->output));
}

/* Puts where the file asks for commands that no label can set in the place of what the figure tells of one of them. In a
 * figure that must be without fault they are errors. */
static void
place_spelling (GPtrArray *problems, GPtrArray *spelling, gboolean strict)
{
  gboolean found = FALSE;

  for (guint i = problems->len; i-- > 0;)
    {
      HeddleProblem *problem = problems->pdata[i];

      if (!problem->of_spelling)
        continue;
      found = TRUE;
      if (spelling->len > 0)
        g_ptr_array_remove_index (problems, i);
      else if (strict)
        problem->severity = HEDDLE_SEVERITY_ERROR;
    }
  while (found && spelling->len > 0)
    {
      HeddleProblem *problem = g_ptr_array_steal_index (spelling, 0);

      problem->severity = strict ? HEDDLE_SEVERITY_ERROR : HEDDLE_SEVERITY_WARNING;
      g_ptr_array_add (problems, problem);
    }
}

/* Checks a figure that has a certain width; one that must be without fault is not written if it has one. */
static HeddleExit
check_figure (Export *self, HeddleInput *input, gboolean pages)
{
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GError) error = NULL;
  gboolean good;

  if (!self->strict && self->how.width_pt == 0.)
    return HEDDLE_EXIT_DONE;
  self->how.sizes = input->overrides;
  self->how.pages = pages;
  problems = heddle_export_check (input->snapshot, &self->how, &error);
  if (problems == NULL)
    return heddle_input_failed (input->path, error);
  good = problems->len == 0 || !self->strict;
  place_spelling (problems, input->spelling, self->strict);
  for (guint i = 0; i < problems->len; i++)
    if (((HeddleProblem *) problems->pdata[i])->file == NULL)
      ((HeddleProblem *) problems->pdata[i])->file = g_strdup (input->path);
  heddle_input_print_problems (problems, TRUE);
  g_ptr_array_extend_and_steal (self->problems, g_steal_pointer (&problems));
  return good ? HEDDLE_EXIT_DONE : HEDDLE_EXIT_WRONG;
}

/* Exports one file, or several into a folder in each of the formats. */
static HeddleExit
export_file (Export *self, const char *path)
{
  g_auto (HeddleInput) input = { NULL };
  g_auto (GStrv) formats = self->as != NULL ? g_strsplit (self->as, ",", -1) : NULL;
  HeddleExit status;

  if (self->how.picture != HEDDLE_EXPORT_DIAGRAM && !makes_figures (self, formats))
    return heddle_options_misused (
        &self->options, _ ("--roofline, --costs, --expanded and --steps go to .svg, .pdf, .png or .tex"));
  if ((self->how.overlay && !makes_pdf (self, formats)) || g_str_has_suffix (self->output, ".pdf_tex"))
    return heddle_options_misused (
        &self->options, _ ("--text tex goes to .pdf, and makes a .pdf_tex beside it"));
  if (!heddle_input_open (&input, &self->options, path, &status))
    return status;
  if (makes_figures (self, formats))
    status = check_figure (self, &input, makes_pages (self, formats));
  if (status != HEDDLE_EXIT_DONE)
    return status;
  if (formats == NULL)
    return export_one (self, &input, self->output);
  for (guint i = 0; formats[i] != NULL && status == HEDDLE_EXIT_DONE; i++)
    {
      g_autofree char *output = output_name (self->output, path, formats[i]);

      status = export_one (self, &input, output);
    }
  return status;
}

static HeddleExit
export_all (Export *self)
{
  HeddleExit status = HEDDLE_EXIT_DONE;

  self->written = g_ptr_array_new_with_free_func (g_free);
  self->problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  if (self->as != NULL && !g_file_test (self->output, G_FILE_TEST_IS_DIR))
    {
      g_printerr (_ ("%s: error: not a folder\n"), self->output);
      return HEDDLE_EXIT_WRONG;
    }
  for (guint i = 0; self->options.files[i] != NULL; i++)
    {
      HeddleExit one = export_file (self, self->options.files[i]);

      status = MAX (status, one);
    }
  if (self->options.json)
    print_json (self);
  return status;
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (Export) self = { { NULL } };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self.output,
        N_ ("Where to: .svg .pdf .png .tex .ncd .eq .cu .h .py .ptx .cubin .fatbin .so; with --as a folder"),
        N_ ("OUT") },
    { "as", 0, 0, G_OPTION_ARG_STRING, &self.as,
        N_ ("The formats of several files; of one .py: torch, jax or numpy, for readable code in the place "
            "of "
            "kernels"),
        N_ ("svg,pdf") },
    { "width", 0, 0, G_OPTION_ARG_STRING, &self.width, N_ ("The width of a figure: 3.25in, 82mm, 234pt"),
        N_ ("LENGTH") },
    { "wrap", 0, 0, G_OPTION_ARG_STRING, &self.wrap,
        N_ ("Wrap a figure into lines no longer than this: 6.75in, 82mm, or none"), N_ ("LENGTH") },
    { "venue", 0, 0, G_OPTION_ARG_STRING, &self.venue,
        N_ ("The width of a venue's column: icml-column, neurips …"), N_ ("NAME") },
    { "page", 0, 0, G_OPTION_ARG_INT, &self.page,
        N_ ("One page of a figure that is higher than a page: 1, 2 …"), N_ ("N") },
    { "strict", 0, 0, G_OPTION_ARG_NONE, &self.strict,
        N_ ("Write no figure that has a fault: too wide, small text, thin lines, alike in grey"), NULL },
    { "theme", 0, 0, G_OPTION_ARG_STRING, &self.theme,
        N_ ("The colours: paper (default), light, dark or contrast"), N_ ("NAME") },
    { "dpi", 0, 0, G_OPTION_ARG_DOUBLE, &self.dpi, N_ ("Dots per inch of a PNG (default: 192)"), N_ ("N") },
    { "text", 0, 0, G_OPTION_ARG_STRING, &self.text,
        N_ ("outline: letters as paths; tex: of a .pdf, set by TeX from a .pdf_tex beside it"), N_ ("HOW") },
    { "standalone", 0, 0, G_OPTION_ARG_NONE, &self.standalone,
        N_ ("Write a .tex that is a document by itself, with heddle.sty in it"), NULL },
    { "show", 0, 0, G_OPTION_ARG_STRING, &self.show,
        N_ ("Parts of the schedule that a figure shows: labels,columns,roofline,steps"), N_ ("WHAT") },
    { "definitions", 0, 0, G_OPTION_ARG_NONE, &self.definitions,
        N_ ("Draw each definition that is used below the figure"), NULL },
    { "legend", 0, 0, G_OPTION_ARG_NONE, &self.legend,
        N_ ("Say below the figure what each of its signs means"), NULL },
    { "roofline", 0, 0, G_OPTION_ARG_NONE, &self.roofline,
        N_ ("A figure of the roofline: the file's labels, or the best where it has none"), NULL },
    { "costs", 0, 0, G_OPTION_ARG_NONE, &self.costs, N_ ("A figure of the table of costs"), NULL },
    { "expanded", 0, 0, G_OPTION_ARG_NONE, &self.expanded,
        N_ ("A figure of the kernels' loops, column by column"), NULL },
    { "steps", 0, 0, G_OPTION_ARG_NONE, &self.steps,
        N_ ("A figure of the steps that lead to the derivation, one by one"), NULL },
    { "measured", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self.measured_files,
        N_ ("A result of heddle bench --json, as a point of the roofline (several times)"), N_ ("FILE") },
    { "no-source", 0, 0, G_OPTION_ARG_NONE, &self.no_source, N_ ("Leave the document out of the figure"),
        NULL },
    { "gpu", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self.gpus,
        N_ ("The machine of kernels and prices; for .py, .so and .fatbin several times"), N_ ("NAME") },
    HEDDLE_FAMILY_ENTRY (self.family),
    { "no-verify", 0, 0, G_OPTION_ARG_NONE, &self.no_verify,
        N_ ("Write kernels that were not checked, and say so in them"), NULL },
    { NULL },
  };
  HeddleExit status;
  guint n;

  if (!heddle_options_parse (
          &self.options, _ ("FILE…"), heddle_command_export.summary, entries, argc, argv, &status))
    return status;
  if (self.as != NULL && heddle_codegen_reference_is_for (self.as))
    {
      self.how.library = self.library = g_steal_pointer (&self.as);
      if (self.output == NULL || !g_str_has_suffix (self.output, ".py"))
        return heddle_options_misused (&self.options, _ ("--as %s needs -o OUT.py"), self.library);
    }
  n = self.options.files != NULL ? g_strv_length (self.options.files) : 0;
  if (n == 0 || self.output == NULL)
    return heddle_options_misused (&self.options, _ ("a file and -o OUT are needed"));
  if (n > 1 && self.as == NULL)
    return heddle_options_misused (&self.options, _ ("several files go to -o FOLDER --as FORMATS"));
  status = read_options (&self);
  return status == HEDDLE_EXIT_DONE ? export_all (&self) : status;
}

const HeddleCommand heddle_command_export = {
  .name = "export",
  .summary = N_ ("Write figures and kernels, by the suffix of the output"),
  .run = run,
};
