/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/editor/derive.h"
#include "app/editor/measured.h"
#include "app/editor/target.h"
#include "app/export/options.h"
#include "app/widgets/option-rows.h"
#include "derive/machine/machine.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/scene/figure-theme.h"
#include "files/exchange/export.h"
#include "files/picture/venue.h"

#define INCH 72.

struct _HeddleExportForm
{
  GObject parent_instance;
  HeddleExportChoice *choice;
  char **venues;
  gboolean labelled; /* there is a schedule to show */
  GtkWidget *figure; /* the group of what only figures have */
  GtkWidget *format, *width, *width_in, *picture, *wrap, *wrap_in, *theme, *show, *dpi;
  GtkWidget *definitions, *legend, *outlines, *overlay, *source;
};

G_DEFINE_FINAL_TYPE (HeddleExportForm, heddle_export_form, G_TYPE_OBJECT)

static const struct
{
  const char *suffix, *title, *use;
} formats[] = {
  { ".svg", N_ ("Figure with its source (.svg)") },
  { ".pdf", N_ ("Figure (.pdf)") },
  { ".png", N_ ("Picture (.png)") },
  { ".tex", N_ ("Figure for LaTeX (.tex)") },
  { ".cu", N_ ("CUDA source (.cu)"),
      N_ ("The kernels, and a function in C that launches them. Its head says how to call it and how to "
          "build it with nvcc.") },
  { ".h", N_ ("CUDA header (.h)"),
      N_ ("The declaration of the function that launches the kernels, for a program in C or C++ that is "
          "linked with the .cu file.") },
  { ".ptx", N_ ("PTX assembly (.ptx)"),
      N_ ("The kernels as the driver compiles them for its GPU, each under its derivation.") },
  { ".cubin", N_ ("GPU binary (.cubin)"),
      N_ ("The kernels compiled for the GPU chosen, for a program that loads and launches them itself.") },
  { ".py", N_ ("Python module (.py)"),
      N_ ("One file for PyTorch, with the compiled kernels in it: import it, and call the function that has "
          "the diagram’s name with tensors on the GPU.") },
  { ".eq", N_ ("Equations (.eq)"),
      N_ ("The diagram as text, to read, to compare or to open again; without places, notes and labels.") },
};

static const HeddleTheme themes[]
    = { HEDDLE_THEME_PAPER, HEDDLE_THEME_LIGHT, HEDDLE_THEME_DARK, HEDDLE_THEME_CONTRAST };
const char *
heddle_export_format_title (const char *suffix)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_strcmp0 (formats[i].suffix, suffix) == 0)
      return _ (formats[i].title);
  return NULL;
}

const char *
heddle_export_format_use (const char *suffix)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_strcmp0 (formats[i].suffix, suffix) == 0 && formats[i].use != NULL)
      return _ (formats[i].use);
  return NULL;
}

HeddleExportOptions
heddle_export_options_of (HeddleEditor *editor, const HeddleExportChoice *choice)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleMachine *machine = heddle_editor_get_machine (editor);

  HeddleExportOptions options = heddle_export_choice_options (choice, diagram != NULL ? diagram->name : NULL,
      machine != NULL ? machine->name : NULL, heddle_editor_get_dtype (editor));

  if (choice->picture == HEDDLE_EXPORT_ROOFLINE || choice->show & HEDDLE_SHOW_ROOFLINE)
    options.measured = heddle_editor_peek_measurements (editor);
  return options;
}

/* --- what was chosen --- */

static guint
number_of_venue (const HeddleExportForm *self)
{
  for (guint i = 0; self->venues[i] != NULL; i++)
    if (g_strcmp0 (self->venues[i], self->choice->venue) == 0)
      return i;
  return 0;
}

/* Returns the number of a width: natural, the venues, custom. */
static guint
number_of_width (const HeddleExportForm *self)
{
  switch (self->choice->width)
    {
    case HEDDLE_WIDTH_NATURAL:
      return 0;
    case HEDDLE_WIDTH_VENUE:
      return 1 + number_of_venue (self);
    case HEDDLE_WIDTH_CUSTOM:
      return 1 + g_strv_length (self->venues);
    }
  return 0;
}

static void
read_width (HeddleExportForm *self)
{
  const guint n = heddle_option_combo_get (self->width), n_venues = g_strv_length (self->venues);

  self->choice->width = n == 0          ? HEDDLE_WIDTH_NATURAL
                        : n <= n_venues ? HEDDLE_WIDTH_VENUE
                                        : HEDDLE_WIDTH_CUSTOM;
  if (self->choice->width != HEDDLE_WIDTH_VENUE)
    return;
  g_free (self->choice->venue);
  self->choice->venue = g_strdup (self->venues[n - 1]);
}

static void
read_rows (HeddleExportForm *self)
{
  HeddleExportChoice *choice = self->choice;

  g_free (choice->suffix);
  choice->suffix = g_strdup (formats[heddle_option_combo_get (self->format)].suffix);
  read_width (self);
  choice->width_in = heddle_option_number_get (self->width_in);
  choice->picture = heddle_option_combo_get (self->picture);
  choice->wrap = heddle_option_combo_get (self->wrap);
  choice->wrap_in = heddle_option_number_get (self->wrap_in);
  choice->theme = themes[heddle_option_combo_get (self->theme)];
  choice->show = self->labelled ? heddle_export_shows[heddle_option_combo_get (self->show)] : 0;
  choice->dpi = heddle_option_number_get (self->dpi);
  choice->definitions = heddle_option_switch_get (self->definitions);
  choice->legend = heddle_option_switch_get (self->legend);
  choice->outlines = heddle_option_switch_get (self->outlines);
  choice->overlay = heddle_option_switch_get (self->overlay);
  choice->no_source = !heddle_option_switch_get (self->source);
}

/* Shows the rows that have an effect, so that nobody wonders about the others. */
static void
show_rows (HeddleExportForm *self)
{
  const HeddleExportChoice *choice = self->choice;
  const gboolean diagram = choice->picture == HEDDLE_EXPORT_DIAGRAM;
  const gboolean png = g_str_equal (choice->suffix, ".png"), tex = g_str_equal (choice->suffix, ".tex"),
                 pdf = g_str_equal (choice->suffix, ".pdf");

  gtk_widget_set_visible (self->figure, heddle_export_is_figure (choice->suffix));
  gtk_widget_set_visible (self->width_in, choice->width == HEDDLE_WIDTH_CUSTOM);
  gtk_widget_set_visible (self->wrap, diagram);
  gtk_widget_set_visible (self->wrap_in, diagram && choice->wrap == HEDDLE_WRAP_CUSTOM);
  gtk_widget_set_visible (self->show, diagram && self->labelled);
  gtk_widget_set_visible (self->definitions, diagram);
  gtk_widget_set_visible (self->legend, diagram);
  gtk_widget_set_visible (self->dpi, png);
  gtk_widget_set_visible (self->overlay, pdf);
  gtk_widget_set_visible (self->outlines, !png && !tex && !(pdf && choice->overlay));
  gtk_widget_set_visible (self->source, !png && !tex);
}

static void
on_changed (HeddleExportForm *self)
{
  read_rows (self);
  show_rows (self);
  g_signal_emit_by_name (self, "changed");
}

/* --- the rows --- */

static guint
number_of_format (const char *suffix)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_strcmp0 (formats[i].suffix, suffix) == 0)
      return i;
  return 0;
}

static void
add_format (HeddleExportForm *self, GtkWidget *box)
{
  const char *labels[G_N_ELEMENTS (formats) + 1] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    labels[i] = _ (formats[i].title);
  self->format = heddle_option_combo (
      heddle_option_group (box, ""), _ ("Kind of File"), labels, number_of_format (self->choice->suffix));
  adw_combo_row_set_use_subtitle (ADW_COMBO_ROW (self->format), TRUE); /* long words, whole */
}

static void
add_width (HeddleExportForm *self)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (labels, g_strdup (_ ("Natural")));
  for (guint i = 0; self->venues[i] != NULL; i++)
    g_ptr_array_add (labels, g_strdup_printf (_ ("%s, %.4g in"), heddle_venue_get_title (self->venues[i]),
                                 heddle_venue_get_width (self->venues[i]) / INCH));
  g_ptr_array_add (labels, g_strdup (_ ("Custom")));
  g_ptr_array_add (labels, NULL);
  self->width = heddle_option_combo (
      self->figure, _ ("Width"), (const char *const *) labels->pdata, number_of_width (self));
  self->width_in = heddle_option_number (self->figure, _ ("Inches"), self->choice->width_in, .5, 40, .05, 3);
}

const char *const *
heddle_export_picture_titles (void)
{
  static const char *titles[6];

  if (titles[0] == NULL)
    {
      const char *const made[]
          = { _ ("Diagram"), _ ("Roofline"), _ ("Table of costs"), _ ("Loops"), _ ("Steps"), NULL };

      memcpy (titles, made, sizeof made);
    }
  return titles;
}

static void
add_figure (HeddleExportForm *self)
{
  const char *const *pictures = heddle_export_picture_titles ();
  const char *const wraps[] = { _ ("As in the document"), _ ("One line"), _ ("Custom"), NULL };
  const char *const colours[] = { _ ("Paper"), _ ("Light"), _ ("Dark"), _ ("High contrast"), NULL };
  const char *const parts[]
      = { _ ("As in the document"), _ ("Labels"), _ ("Columns of costs"), _ ("Labels and columns"),
          _ ("The same, roofline"), _ ("The same, steps"), _ ("The same, roofline, steps"), NULL };
  const HeddleExportChoice *choice = self->choice;
  guint theme = 0, show = 0;

  while (themes[theme] != choice->theme && theme + 1 < G_N_ELEMENTS (themes))
    theme++;
  while (heddle_export_shows[show] != choice->show && show + 1 < HEDDLE_N_EXPORT_SHOWS)
    show++;
  self->picture = heddle_option_combo (self->figure, _ ("Picture"), pictures, choice->picture);
  add_width (self);
  self->wrap = heddle_option_combo (self->figure, _ ("Lines"), wraps, choice->wrap);
  self->wrap_in = heddle_option_number (self->figure, _ ("Inches"), choice->wrap_in, 1, 40, .05, 3);
  self->theme = heddle_option_combo (self->figure, _ ("Colours"), colours, theme);
  self->show = heddle_option_combo (self->figure, _ ("Derivation"), parts, show);
  self->dpi = heddle_option_number (self->figure, _ ("Dots per Inch"), choice->dpi, 36, 1200, 12, 0);
  self->definitions = heddle_option_switch (
      self->figure, _ ("Definitions"), _ ("Each one that is used, below the figure"), choice->definitions);
  self->legend = heddle_option_switch (
      self->figure, _ ("Legend"), _ ("What each sign means, below the figure"), choice->legend);
  self->outlines = heddle_option_switch (self->figure, _ ("Letters as Outlines"),
      _ ("Looks the same where the fonts are missing"), choice->outlines);
  self->overlay = heddle_option_switch (self->figure, _ ("Letters Set by TeX"),
      _ ("In the paper’s font, by a .pdf_tex that is written beside it"), choice->overlay);
  self->source = heddle_option_switch (
      self->figure, _ ("Keep the Source"), _ ("The figure opens again as the diagram"), !choice->no_source);
}

static void
watch (HeddleExportForm *self, GtkWidget *object, const char *signal)
{
  g_signal_connect_object (object, signal, G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
}

static void
watch_rows (HeddleExportForm *self)
{
  GtkWidget *const combos[]
      = { self->format, self->width, self->picture, self->wrap, self->theme, self->show };
  GtkWidget *const numbers[] = { self->width_in, self->wrap_in, self->dpi };
  GtkWidget *const switches[]
      = { self->definitions, self->legend, self->outlines, self->overlay, self->source };

  for (guint i = 0; i < G_N_ELEMENTS (combos); i++)
    watch (self, combos[i], "notify::selected");
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    watch (self, heddle_option_control (numbers[i]), "value-changed");
  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    watch (self, heddle_option_control (switches[i]), "notify::active");
}

static gboolean
is_labelled (HeddleEditor *editor)
{
  const HeddleSchedule *schedule = heddle_editor_get_schedule (editor);

  for (guint i = 0; schedule != NULL && i < schedule->regions->len; i++)
    if (((HeddleRegion *) g_ptr_array_index (schedule->regions, i))->labels->len > 0)
      return TRUE;
  return FALSE;
}

HeddleExportForm *
heddle_export_form_new (GtkWidget *box, HeddleEditor *editor, HeddleExportChoice *choice)
{
  HeddleExportForm *self = g_object_new (HEDDLE_TYPE_EXPORT_FORM, NULL);

  self->choice = choice;
  self->labelled = is_labelled (editor);
  add_format (self, box);
  self->figure = heddle_option_group (box, _ ("Figure"));
  add_figure (self);
  read_rows (self);
  show_rows (self);
  watch_rows (self);
  return self;
}

static void
heddle_export_form_finalize (GObject *object)
{
  HeddleExportForm *self = HEDDLE_EXPORT_FORM (object);

  heddle_export_choice_free (self->choice);
  g_strfreev (self->venues);
  G_OBJECT_CLASS (heddle_export_form_parent_class)->finalize (object);
}

static void
heddle_export_form_class_init (HeddleExportFormClass *class)
{
  G_OBJECT_CLASS (class)->finalize = heddle_export_form_finalize;
  g_signal_new ("changed", HEDDLE_TYPE_EXPORT_FORM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
heddle_export_form_init (HeddleExportForm *self)
{
  g_autofree char *venues = heddle_venue_list ();

  self->venues = g_strsplit (venues, " ", -1);
}

const HeddleExportChoice *
heddle_export_form_get_choice (HeddleExportForm *self)
{
  return self->choice;
}
