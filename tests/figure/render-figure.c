/* SPDX-License-Identifier: MIT */

/* Draws a diagram file, for looking at: render-figure FILE OUT.{png,svg,pdf} [--theme=NAME] [--fuse=HOW] [--label=TEXT]… [--columns]
 * [--nudge=ID,DX,DY]… [--scale=N] [--diagram=NAME] */

#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/figure.h"
#include "figure/scene/draw.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"
#include "files/base/files.h"
#include "files/exchange/load.h"
#include "files/picture/picture.h"
#include "files/picture/svg.h"

#include <math.h>
#include <stdio.h>

static char *theme_name, *fuse, *diagram_name;
static char **labels, **nudges;
static gboolean columns, outlines;
static double scale = 2.;

static const GOptionEntry entries[] = {
  { "theme", 0, 0, G_OPTION_ARG_STRING, &theme_name, "paper, light or dark", "NAME" },
  { "fuse", 0, 0, G_OPTION_ARG_STRING, &fuse, "what is one kernel", "HOW" },
  { "label", 0, 0, G_OPTION_ARG_STRING_ARRAY, &labels, "a label", "TEXT" },
  { "nudge", 0, 0, G_OPTION_ARG_STRING_ARRAY, &nudges, "moves an object", "ID,DX,DY" },
  { "columns", 0, 0, G_OPTION_ARG_NONE, &columns, "the table above", NULL },
  { "outlines", 0, 0, G_OPTION_ARG_NONE, &outlines, "text as paths", NULL },
  { "scale", 0, 0, G_OPTION_ARG_DOUBLE, &scale, "pixels a px", "N" },
  { "diagram", 0, 0, G_OPTION_ARG_STRING, &diagram_name, "which one", "NAME" },
  { NULL },
};

static HeddleTheme
parse_theme (void)
{
  if (g_strcmp0 (theme_name, "dark") == 0)
    return HEDDLE_THEME_DARK;
  return g_strcmp0 (theme_name, "light") == 0 ? HEDDLE_THEME_LIGHT : HEDDLE_THEME_PAPER;
}

static HeddlePresentation *
make_presentation (const HeddleDiagram *diagram)
{
  HeddlePresentation *presentation = heddle_presentation_new (diagram->id);

  for (guint i = 0; nudges != NULL && nudges[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (nudges[i], ",", 3);
      heddle_presentation_set_nudge (presentation, g_intern_string (parts[0]),
          g_ascii_strtod (parts[1], NULL), g_ascii_strtod (parts[2], NULL));
    }
  return presentation;
}

static gboolean
derive (HeddleFigure *figure, GError **error)
{
  HeddleSchedule *empty = heddle_schedule_new (figure->diagram->id);
  HeddleSchedule *schedule
      = heddle_schedule_fuse (figure->diagram, empty, fuse != NULL ? fuse : "all", error);
  HeddleMachine *machine = schedule != NULL ? heddle_machine_find ("h100-sxm", 0, error) : NULL;

  if (machine == NULL)
    return FALSE;
  for (guint i = 0; labels != NULL && labels[i] != NULL; i++)
    if (!heddle_schedule_add_label_text (schedule, figure->diagram, machine, labels[i], error))
      return FALSE;
  const HeddleDeriveOptions options = { .machine = machine, .dtype = HEDDLE_DTYPE_F16 };
  figure->schedule = schedule;
  figure->sizes = heddle_sizes_new (figure->diagram, NULL, error);
  if (figure->sizes == NULL)
    return FALSE;
  figure->derivation = heddle_derive (figure->diagram, schedule, figure->sizes, &options, NULL, error);
  figure->show = HEDDLE_SHOW_LABELS | (columns ? HEDDLE_SHOW_COLUMNS : 0);
  return figure->derivation != NULL;
}

static gboolean
write_picture (const HeddleScene *scene, const HeddleSnapshot *snapshot, const char *path, GError **error)
{
  const HeddlePictureOptions options = { .source = snapshot, .outlines = outlines };
  g_autoptr (GBytes) bytes = g_str_has_suffix (path, ".svg") ? heddle_svg_write (scene, &options, error)
                                                             : heddle_pdf_write (scene, &options, error);
  gsize length;

  if (bytes == NULL)
    return FALSE;
  const char *data = g_bytes_get_data (bytes, &length);
  return g_file_set_contents (path, data, length, error);
}

static gboolean
write_png (const HeddleScene *scene, HeddleTheme theme, const char *path)
{
  double x, y, width, height;
  const double margin = 12.;

  heddle_scene_get_bounds (scene, &x, &y, &width, &height);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24,
      (int) ceil ((width + 2. * margin) * scale), (int) ceil ((height + 2. * margin) * scale));
  cairo_t *cr = cairo_create (surface);
  const double ground = theme == HEDDLE_THEME_DARK ? 0x1E / 255. : 1.;
  cairo_set_source_rgb (cr, ground, ground, ground);
  cairo_paint (cr);
  cairo_scale (cr, scale, scale);
  cairo_translate (cr, margin - x, margin - y);
  heddle_scene_draw (scene, cr);
  const cairo_status_t status = cairo_surface_write_to_png (surface, path);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return status == CAIRO_STATUS_SUCCESS;
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("FILE OUT.png");
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 3)
    {
      fprintf (stderr, "%s\n", error != NULL ? error->message : "needs FILE and OUT.png");
      return 2;
    }
  g_autoptr (HeddleSnapshot) snapshot = heddle_file_load (argv[1], problems, &error);
  for (guint i = 0; i < problems->len; i++)
    {
      g_autofree char *text = heddle_problem_to_string (problems->pdata[i]);
      fputs (text, stderr);
    }
  if (snapshot == NULL)
    return 1;
  HeddleFigure figure
      = { .diagram = heddle_snapshot_get_diagram (snapshot, diagram_name), .theme = parse_theme () };
  figure.presentation = make_presentation (figure.diagram);
  if ((fuse != NULL || labels != NULL) && !derive (&figure, &error))
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);
  if (g_str_has_suffix (argv[2], ".png"))
    return write_png (scene, figure.theme, argv[2]) ? 0 : 1;
  if (write_picture (scene, snapshot, argv[2], &error))
    return 0;
  fprintf (stderr, "%s\n", error->message);
  return 1;
}
