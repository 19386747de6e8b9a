/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/derivation/compare-table.h"
#include "app/widgets/format.h"
#include "app/edits/definitions.h"
#include "app/widgets/wrap-box.h"
#include "derive/report/comparison.h"
#include "derive/report/forecast.h"
#include "derive/suggest/codesign.h"

/* Kernels whose tiles are listed. */
#define MOST_TILES 4
#define BAR_WIDTH 110
/* Columns: the rows' titles, those compared, the second to the first; and the titles once more, for the second where it stands below the
 * first. */
#define RATIO (1 + HEDDLE_N_COMPARED)
#define TITLE_AGAIN (2 + HEDDLE_N_COMPARED)
/* Rows of the grid that one of those compared has where they stand below each other: more than there are. */
#define MOST_ROWS 64

typedef struct
{
  GtkWidget *widget;
  int column, row;
} Cell;

struct _HeddleCompareTable
{
  GtkBox parent_instance;

  GtkGrid *grid, *crossings;
  GArray *cells; /* of Cell: what is in the grid */
  int n_rows; /* the heads are the first */
  gboolean stacked; /* those compared stand below each other */
  int room; /* px of width that there is; 0: not known */
  int wide; /* px that it takes with those compared beside each other */
};

G_DEFINE_FINAL_TYPE (HeddleCompareTable, heddle_compare_table, GTK_TYPE_BOX)

/* A column is what the table shows of one target. */
typedef struct
{
  const HeddleComparison *of; /* NULL: it could not be priced */
  HeddleForecast forecast;
  HeddleComparisonSummary sum;
} Column;

static GtkWidget *
new_text (const char *text, const char *css_class, float xalign)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, css_class);
  gtk_widget_add_css_class (label, "numeric");
  return label;
}

/* --- where things stand --- */

static gboolean
has_ratio (HeddleCompareTable *self, int row)
{
  for (guint i = 0; i < self->cells->len; i++)
    {
      const Cell *cell = &g_array_index (self->cells, Cell, i);

      if (cell->row == row && cell->column == RATIO)
        return TRUE;
    }
  return FALSE;
}

static void
place_cell (HeddleCompareTable *self, const Cell *cell)
{
  const gboolean value = cell->column >= 1 && cell->column < RATIO, head = value && cell->row == 0;
  const int nth = value ? cell->column - 1 : cell->column == 0 ? 0 : HEDDLE_N_COMPARED - 1;
  int column = cell->column, row = cell->row, span = 1;

  if (self->stacked)
    {
      row += nth * MOST_ROWS;
      column = value ? !head : cell->column == RATIO ? 2 : 0;
      span = head ? 2 : value && !has_ratio (self, cell->row) ? 2 : 1;
    }
  gtk_widget_set_margin_top (cell->widget, head && self->stacked && nth > 0 ? 12 : 0);
  gtk_widget_set_visible (cell->widget, cell->column != TITLE_AGAIN || self->stacked);
  g_object_set (gtk_layout_manager_get_layout_child (
                    gtk_widget_get_layout_manager (GTK_WIDGET (self->grid)), cell->widget),
      "column", column == TITLE_AGAIN ? 0 : column, "row", row, "column-span", span, NULL);
}

/* Beside each other where there is room. */
static void
arrange (HeddleCompareTable *self)
{
  gtk_grid_set_column_spacing (self->grid, self->stacked ? 12 : 28);
  for (guint i = 0; i < self->cells->len; i++)
    place_cell (self, &g_array_index (self->cells, Cell, i));
  if (!self->stacked)
    gtk_widget_measure (
        GTK_WIDGET (self->grid), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &self->wide, NULL, NULL);
  if (self->room == 0 || self->stacked == (self->wide > self->room))
    return;
  self->stacked = self->wide > self->room;
  arrange (self);
}

void
heddle_compare_table_set_room (HeddleCompareTable *self, int width)
{
  g_return_if_fail (HEDDLE_IS_COMPARE_TABLE (self));

  if (self->room == width)
    return;
  self->room = width;
  arrange (self);
}

static void
put (HeddleCompareTable *self, int column, GtkWidget *widget)
{
  const Cell cell = { widget, column, self->n_rows };

  g_array_append_val (self->cells, cell);
  gtk_grid_attach (self->grid, widget, 0, 0, 1, 1);
}

static void
put_title (HeddleCompareTable *self, const char *title)
{
  put (self, 0, new_text (title, "dim-label", 0));
  put (self, TITLE_AGAIN, new_text (title, "dim-label", 0));
}

static void
remove_rows (HeddleCompareTable *self)
{
  for (guint i = self->cells->len; i-- > 0;)
    {
      const Cell *cell = &g_array_index (self->cells, Cell, i);

      if (cell->row == 0)
        continue;
      gtk_grid_remove (self->grid, cell->widget);
      g_array_remove_index (self->cells, i);
    }
  self->n_rows = 1;
}

/* Adds a row of words, @texts of HEDDLE_N_COMPARED; @ratio is the second to the first, or 0. */
static void
add_row (HeddleCompareTable *self, const char *title, char *const *texts, double ratio)
{
  put_title (self, title);
  for (int i = 0; i < HEDDLE_N_COMPARED; i++)
    put (self, 1 + i, new_text (texts[i], "caption-heading", 0));
  if (ratio > 0)
    {
      g_autofree char *number = heddle_format_number (ratio, 3);
      g_autofree char *text = g_strdup_printf ("× %s", number);

      put (self, RATIO, new_text (text, "caption", 1));
    }
  self->n_rows++;
}

static double
ratio_of (double first, double second)
{
  return first > 0 && second > 0 ? second / first : 0;
}

static void
free_texts (char **texts)
{
  for (guint i = 0; i < HEDDLE_N_COMPARED; i++)
    g_free (texts[i]);
}

/* --- rows --- */

static gboolean
is_timed (const Column *column)
{
  return column->of != NULL && heddle_forecast_is_timed (&column->forecast);
}

static void
add_times (HeddleCompareTable *self, const Column *columns)
{
  put_title (self, _ ("Expected time"));
  for (int i = 0; i < HEDDLE_N_COMPARED; i++)
    {
      const HeddleForecast *forecast = &columns[i].forecast;
      const gboolean timed = is_timed (&columns[i]);
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
      g_autofree char *time = timed ? heddle_format_seconds (forecast->seconds) : g_strdup ("–");
      g_autofree char *bound = timed ? g_strdup_printf (_ ("%s-bound"), heddle_format_unit (forecast->bound))
                               : !columns[i].sum.fits ? g_strdup (_ ("does not fit"))
                                                      : g_strdup (_ ("has no times"));

      gtk_box_append (GTK_BOX (box), new_text (time, "compare-time", 0));
      gtk_box_append (GTK_BOX (box), new_text (bound, "pill-label", .5));
      gtk_widget_set_valign (gtk_widget_get_last_child (box), GTK_ALIGN_CENTER);
      put (self, 1 + i, box);
    }
  if (is_timed (&columns[0]) && is_timed (&columns[1])
      && ratio_of (columns[0].forecast.seconds, columns[1].forecast.seconds) > 0)
    {
      g_autofree char *number
          = heddle_format_number (columns[1].forecast.seconds / columns[0].forecast.seconds, 3);
      g_autofree char *text = g_strdup_printf ("× %s", number);

      put (self, RATIO, new_text (text, "heading", 1));
    }
  self->n_rows++;
}

static GtkWidget *
new_bar (const HeddleForecast *forecast, guint unit, double largest)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10), *bar = gtk_level_bar_new ();
  g_autofree char *time = heddle_format_seconds (forecast->unit_s[unit]);

  gtk_level_bar_set_value (GTK_LEVEL_BAR (bar), largest > 0 ? forecast->unit_s[unit] / largest : 0);
  gtk_widget_add_css_class (bar, heddle_forecast_units[unit]);
  gtk_widget_set_size_request (bar, BAR_WIDTH, -1);
  gtk_widget_set_valign (bar, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
      heddle_format_unit (heddle_forecast_units[unit]), -1);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), new_text (time, "caption", 0));
  return box;
}

/* The bars of both columns have one scale. */
static void
add_units (HeddleCompareTable *self, const Column *columns)
{
  double largest = 0;

  for (guint i = 0; i < HEDDLE_N_COMPARED; i++)
    for (guint unit = 0; unit < HEDDLE_N_UNITS; unit++)
      largest = MAX (largest, columns[i].forecast.unit_s[unit]);
  for (guint unit = 0; unit < HEDDLE_N_UNITS && largest > 0; unit++)
    {
      put_title (self, heddle_format_unit (heddle_forecast_units[unit]));
      for (int i = 0; i < HEDDLE_N_COMPARED; i++)
        if (columns[i].forecast.seconds > 0)
          put (self, 1 + i, new_bar (&columns[i].forecast, unit, largest));
      self->n_rows++;
    }
}

static void
add_amounts (HeddleCompareTable *self, const Column *columns)
{
  const gboolean alike = columns[0].forecast.in_values == columns[1].forecast.in_values;
  char *moved[HEDDLE_N_COMPARED], *held[HEDDLE_N_COMPARED];
  double of[HEDDLE_N_COMPARED];

  for (guint i = 0; i < HEDDLE_N_COMPARED; i++)
    {
      const HeddleForecast *forecast = &columns[i].forecast;

      of[i] = forecast->in_values ? forecast->values : forecast->bytes;
      moved[i] = columns[i].of != NULL ? heddle_format_memory (of[i], forecast->in_values) : g_strdup ("–");
      held[i] = columns[i].of != NULL ? heddle_format_memory (columns[i].sum.held, forecast->in_values)
                                      : g_strdup ("–");
    }
  add_row (self, _ ("Moved"), moved, alike ? ratio_of (of[0], of[1]) : 0);
  add_row (
      self, _ ("Held by a group"), held, alike ? ratio_of (columns[0].sum.held, columns[1].sum.held) : 0);
  free_texts (moved);
  free_texts (held);
}

static void
add_groups (HeddleCompareTable *self, const Column *columns)
{
  char *groups[HEDDLE_N_COMPARED], *waves[HEDDLE_N_COMPARED];

  for (guint i = 0; i < HEDDLE_N_COMPARED; i++)
    {
      const HeddleForecast *forecast = &columns[i].forecast;

      groups[i] = columns[i].of != NULL && columns[i].sum.workers > 0
                      ? heddle_format_number (columns[i].sum.workers, 3)
                      : g_strdup ("–");
      waves[i] = columns[i].of != NULL && forecast->efficiency > 0 ? g_strdup_printf (
                     _ ("%.0f groups, %.1f %%"), forecast->groups, 100 * forecast->efficiency)
                                                                   : g_strdup ("–");
    }
  add_row (self, _ ("Groups an SM holds"), groups, 0);
  add_row (self, _ ("Waves"), waves, 0);
  free_texts (groups);
  free_texts (waves);
}

static char *
dup_tiles (const HeddleComparison *of)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const guint n = of->derivation->kernels->len;

  for (guint i = 0; i < MIN (n, MOST_TILES); i++)
    {
      g_autofree char *tiles = heddle_comparison_tiles (of, g_ptr_array_index (of->derivation->kernels, i));

      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", *tiles != '\0' ? tiles : "–");
    }
  if (n > MOST_TILES)
    g_string_append_printf (
        text, ngettext ("\nand %u kernel more", "\nand %u kernels more", n - MOST_TILES), n - MOST_TILES);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
add_tiles (HeddleCompareTable *self, const Column *columns)
{
  char *kernels[HEDDLE_N_COMPARED], *tiles[HEDDLE_N_COMPARED];

  for (guint i = 0; i < HEDDLE_N_COMPARED; i++)
    {
      kernels[i] = columns[i].of != NULL ? g_strdup_printf ("%u", columns[i].of->derivation->kernels->len)
                                         : g_strdup ("–");
      tiles[i] = columns[i].of != NULL ? dup_tiles (columns[i].of) : g_strdup ("–");
    }
  add_row (self, _ ("Kernels"), kernels, 0);
  add_row (self, _ ("Tiles"), tiles, 0);
  free_texts (kernels);
  free_texts (tiles);
}

/* --- what would move the bound --- */

static const char *
figure_title (HeddleMachineFigure figure)
{
  static const char *const titles[] = {
    [HEDDLE_FIGURE_CAPACITY] = N_ ("Memory of a group"),
    [HEDDLE_FIGURE_DRAM] = N_ ("DRAM"),
    [HEDDLE_FIGURE_CACHE] = N_ ("Cache"),
    [HEDDLE_FIGURE_TENSOR] = N_ ("Tensor cores"),
    [HEDDLE_FIGURE_SPECIAL] = N_ ("Special functions"),
    [HEDDLE_FIGURE_FP32] = N_ ("fp32"),
  };

  return _ (titles[figure]);
}

static char *
figure_text (HeddleMachineFigure figure, double amount)
{
  g_autofree char *number = NULL;

  if (figure == HEDDLE_FIGURE_CAPACITY)
    return heddle_format_bytes (amount);
  if (figure == HEDDLE_FIGURE_DRAM || figure == HEDDLE_FIGURE_CACHE)
    return heddle_format_rate (amount);
  number = heddle_format_number (amount / 1e12, 3);
  return g_strdup_printf (figure == HEDDLE_FIGURE_SPECIAL ? _ ("%s T/s") : _ ("%s TFLOP/s"), number);
}

/* Returns a line for each way, up and down; NULL means that no change of it moves the bound. */
static char *
dup_crossings (const HeddleComparison *of, HeddleMachineFigure figure)
{
  /* The mark gives a line the words' direction, whatever its figure begins with. */
  const char *next = gtk_widget_get_default_direction () == GTK_TEXT_DIR_RTL ? "\n\342\200\217" : "\n";
  GString *text = g_string_new (NULL);

  for (guint i = 0; of != NULL && of->crossings != NULL && i < of->crossings->len; i++)
    {
      const HeddleCrossing *crossing = &g_array_index (of->crossings, HeddleCrossing, i);
      g_autofree char *at = heddle_describe_isolated (figure_text (figure, crossing->at));
      g_autofree char *time = heddle_describe_isolated (heddle_format_seconds (crossing->expected_s));
      g_autofree char *factor = heddle_format_number (crossing->factor, 3);
      g_autofree char *bound = heddle_describe_isolated (g_strdup (heddle_format_unit (crossing->bound)));

      if (crossing->figure == figure)
        g_string_append_printf (
            text, _ ("%s%s (× %s): %s-bound, %s"), text->len > 0 ? next : "", at, factor, bound, time);
    }
  return g_string_free (text, text->len == 0);
}

/* One machine's, below what is there already. Returns the next row. */
static int
attach_crossings (HeddleCompareTable *self, const char *title, const HeddleComparison *of, int row)
{
  gboolean all = TRUE;
  const char *why_not = of == NULL                               ? NULL
                        : !heddle_comparison_summarise (of).fits ? _ ("Nothing legal fits")
                        : of->uncrossed                          ? _ ("Not searched for in so many kernels")
                                                                 : NULL;

  gtk_grid_attach (self->crossings, new_text (title, "caption-heading", 0), 0, row++, 2, 1);
  if (why_not != NULL)
    {
      gtk_grid_attach (self->crossings, new_text (why_not, "dim-label", 0), 0, row++, 2, 1);
      return row;
    }
  for (HeddleMachineFigure figure = 0; figure < HEDDLE_N_FIGURES; figure++)
    {
      g_autofree char *text = dup_crossings (of, figure);

      all &= text != NULL;
      if (text == NULL)
        continue;
      gtk_grid_attach (self->crossings, new_text (figure_title (figure), "dim-label", 0), 0, row, 1, 1);
      gtk_grid_attach (self->crossings, new_text (text, "caption", 0), 1, row++, 1, 1);
    }
  if (!all)
    gtk_grid_attach (self->crossings,
        new_text (_ ("Nothing else does, between 1/64 and 64 times its value"), "dim-label", 0), 0, row++, 2,
        1);
  return row;
}

/* Shows the crossings beside the table, which leaves no room below it. */
static void
show_crossings (HeddleCompareTable *self, const HeddleCompareJob *job)
{
  GtkWidget *child;
  int row = 0;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->crossings))) != NULL)
    gtk_grid_remove (self->crossings, child);
  gtk_widget_set_visible (GTK_WIDGET (self->crossings), job != NULL && job->crossings);
  if (job == NULL || !job->crossings)
    return;
  gtk_grid_attach (self->crossings, new_text (_ ("Would move the bound"), "heading", 0), 0, row++, 2, 1);
  for (int i = 0; i < HEDDLE_N_COMPARED; i++)
    row = attach_crossings (self, _ (job->machines[i]->title), job->columns[i], row);
}

static void
add_failures (HeddleCompareTable *self, const HeddleCompareJob *job)
{
  for (int i = 0; i < HEDDLE_N_COMPARED; i++)
    if (job->failures[i] != NULL)
      {
        GtkWidget *label = new_text (job->failures[i], "error", 0);

        gtk_label_set_wrap (GTK_LABEL (label), TRUE);
        gtk_label_set_max_width_chars (GTK_LABEL (label), 30);
        put (self, 1 + i, label);
      }
  self->n_rows++;
}

void
heddle_compare_table_show (HeddleCompareTable *self, const HeddleCompareJob *job)
{
  Column columns[HEDDLE_N_COMPARED] = { { NULL } };

  remove_rows (self);
  show_crossings (self, job);
  if (job == NULL)
    {
      arrange (self);
      return;
    }
  for (guint i = 0; i < HEDDLE_N_COMPARED; i++)
    {
      columns[i].of = job->columns[i];
      columns[i].sum.fits = TRUE;
      if (job->columns[i] == NULL)
        continue;
      columns[i].forecast = heddle_forecast (job->columns[i]->derivation, job->machines[i]);
      columns[i].sum = heddle_comparison_summarise (job->columns[i]);
    }
  add_failures (self, job);
  add_times (self, columns);
  add_units (self, columns);
  add_amounts (self, columns);
  add_tiles (self, columns);
  add_groups (self, columns);
  arrange (self);
}

static void
heddle_compare_table_finalize (GObject *object)
{
  g_array_unref (HEDDLE_COMPARE_TABLE (object)->cells);
  G_OBJECT_CLASS (heddle_compare_table_parent_class)->finalize (object);
}

static void
heddle_compare_table_class_init (HeddleCompareTableClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = heddle_compare_table_finalize;
}

static void
heddle_compare_table_init (HeddleCompareTable *self)
{
  GtkWidget *both = heddle_wrap_box_new (
      40); /* what would move the bound stands below where there is no room beside the table */

  self->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  self->grid = GTK_GRID (gtk_grid_new ());
  gtk_grid_set_row_spacing (self->grid, 1);
  gtk_widget_set_valign (GTK_WIDGET (self->grid), GTK_ALIGN_START);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (both), GTK_WIDGET (self->grid));
  self->crossings = GTK_GRID (gtk_grid_new ());
  gtk_grid_set_column_spacing (self->crossings, 20);
  gtk_grid_set_row_spacing (self->crossings, 1);
  gtk_widget_set_valign (GTK_WIDGET (self->crossings), GTK_ALIGN_START);
  gtk_widget_hide (GTK_WIDGET (self->crossings));
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (both), GTK_WIDGET (self->crossings));
  gtk_box_append (GTK_BOX (self), both);
}

GtkWidget *
heddle_compare_table_new (GtkWidget *const *heads)
{
  HeddleCompareTable *self = g_object_new (HEDDLE_TYPE_COMPARE_TABLE, NULL);

  for (int i = 0; i < HEDDLE_N_COMPARED; i++)
    put (self, 1 + i, heads[i]);
  put (self, RATIO, new_text (_ ("second to first"), "caption", 1));
  self->n_rows = 1;
  arrange (self);
  return GTK_WIDGET (self);
}
