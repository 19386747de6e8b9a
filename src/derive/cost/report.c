/* SPDX-License-Identifier: MIT */
#include "derive/cost/report.h"
#include "derive/index/extent.h"
#include "derive/index/saturate.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/polynomial.h"
#include "diagram/graph/diagram.h"
#include "derive/cost/chosen.h"
#include "derive/cost/windows.h"
#include "derive/index/window-sum.h"
#include "derive/index/window.h"
#include "diagram/expression/tree.h"
#include <stdlib.h>
#include <string.h>

#define SUM "sum:"

/* The cost of a loop program at its own sizes, in numbers and in symbols, per column and in all. */

typedef HeddleCostReport Report;

/* Returns a new expression, the variable that stands for the tile or chunk of @band: "g_NAME" or "s_NAME". */
static HeddleExpr *
cost_report_label (const Report *report, const HeddleNode *band)
{
  static const char groups[HEDDLE_MAX_LEVELS + 1] = "gwtk", streams[HEDDLE_MAX_LEVELS + 1] = "suvj";
  const HeddleAxis *axis = heddle_diagram_get_axis (report->cost->program->diagram, band->axis);
  char letter = (band->band == HEDDLE_BAND_STREAM ? streams : groups)[band->depth];
  g_autofree char *name = g_strdup_printf ("%c_%s", letter, axis->name);

  return heddle_expr_variable (g_intern_string (name));
}

static HeddleExpr *
times (HeddleExpr *product, HeddleExpr *factor)
{
  return product == NULL ? factor : heddle_expr_binary (HEDDLE_EXPR_MUL, product, factor);
}

static HeddleExpr *
plus (HeddleExpr *sum, HeddleExpr *term)
{
  return sum == NULL ? term : heddle_expr_binary (HEDDLE_EXPR_ADD, sum, term);
}

static HeddleExpr *cost_report_put_sums (const HeddleCostReport *self, HeddleExpr *expr);

static HeddleExpr *
simplify (const Report *report, HeddleExpr *expr)
{
  g_autoptr (HeddleExpr) sum = expr != NULL ? expr : heddle_expr_number (0.);
  g_autoptr (HeddleExpr) simple = heddle_expr_simplify (sum);

  return cost_report_put_sums (report, simple);
}

/* Returns n; for the axis that numbers parts it returns their number: ceil (n / g) of the axis that is
 * split. */
static HeddleExpr *
size_symbol (const Report *report, const char *axis)
{
  const HeddleLoopProgram *program = report->cost->program;
  g_autofree char *name = NULL;

  if (axis != program->parts)
    return heddle_expr_size (axis);
  name = g_strdup_printf ("g_%s", heddle_diagram_get_axis (program->diagram, program->split)->name);
  return heddle_expr_unary (
      HEDDLE_EXPR_CEIL, heddle_expr_binary (HEDDLE_EXPR_DIV, heddle_expr_size (program->split),
                            heddle_expr_variable (g_intern_string (name))));
}

/* Returns a new expression, ceil (n / g): how many tiles or chunks @band goes through. */
static HeddleExpr *
cost_report_number_of (const Report *report, const HeddleNode *band)
{
  return heddle_expr_unary (HEDDLE_EXPR_CEIL,
      heddle_expr_binary (HEDDLE_EXPR_DIV, heddle_expr_size (band->axis), cost_report_label (report, band)));
}

static HeddleExpr *cost_report_window_moved (
    const HeddleCostReport *self, const HeddleWindows *windows, guint i);

/* Returns |X| * ceil (n / g) for each loop that repeats the transfer; in a guarded stream times the share of
 * it that runs. Of matrices that rows choose it is what a block reads of them on average, for each block. */
static HeddleExpr *
transfer_symbol (const Report *report, const HeddleTerms *terms)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (report->cost->program, terms->buffer);
  const guint32 groups = terms->groups | heddle_cost_choosing_groups (report->cost, terms);
  HeddleExpr *product = NULL;
  gboolean chosen = FALSE;

  for (guint i = 0; i < buffer->axes->len; i++)
    {
      const char *axis = heddle_ids_index (buffer->axes, i);
      HeddleExpr *window = cost_report_window_moved (report, terms->windows, i);

      if (!terms->saved && heddle_cost_is_chosen_along (report->cost, terms->buffer, axis))
        chosen = TRUE;
      else
        product = times (product, window != NULL ? window : size_symbol (report, axis));
    }
  if (chosen)
    product = times (product, heddle_expr_variable (g_intern_static_string ("chosen")));
  for (guint i = 0; i < report->cost->n_groups; i++)
    if ((groups >> i & 1) != 0)
      product = times (product, cost_report_number_of (report, report->cost->bands[i]));
  if (terms->stream)
    product = times (product, cost_report_number_of (report, report->cost->stream));
  if (terms->guarded)
    product = times (product, heddle_expr_variable (g_intern_static_string ("share")));
  return product != NULL ? product : heddle_expr_number (1.);
}

/* Returns what a buffer holds of an axis: n, or the label where that is less. */
static HeddleExpr *
extent_symbol (const Report *report, const char *axis, HeddleExtent extent)
{
  const HeddleNode *band = NULL;

  if (axis == report->cost->program->parts)
    return heddle_expr_number (1.);
  if (extent != HEDDLE_EXTENT_FULL)
    band = heddle_loop_program_get_band_at (report->cost->program, axis,
        extent == HEDDLE_EXTENT_TILE ? HEDDLE_BAND_GROUP : HEDDLE_BAND_STREAM, report->cost->depth);
  return band != NULL && band->size < heddle_sizes_get (report->cost->sizes, axis)
             ? cost_report_label (report, band)
             : heddle_expr_size (axis);
}

static HeddleExpr *cost_report_window_held (
    const HeddleCostReport *self, const HeddleWindows *windows, guint i);

static HeddleExpr *
held_symbol (const Report *report, const HeddleTerms *terms)
{
  const HeddleLoopProgram *program = report->cost->program;
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (program, terms->buffer);
  HeddleExpr *product = heddle_expr_number (buffer->role == HEDDLE_BUFFER_OPERAND
                                                    && heddle_terms_depend (terms, HEDDLE_STREAM_LOOP)
                                                    && report->cost->depth == 0
                                                ? (double) program->stages
                                                : 1.);

  for (guint i = 0; i < buffer->axes->len; i++)
    {
      const char *axis = heddle_ids_index (buffer->axes, i);
      HeddleExpr *window = cost_report_window_held (report, terms->windows, i);

      if (!heddle_cost_is_chosen_along (report->cost, terms->buffer, axis))
        product = times (product,
            window != NULL ? window
                           : extent_symbol (report, axis, g_array_index (buffer->extents, HeddleExtent, i)));
    }
  return product;
}

/* --- evaluated ---------------------------------------------------------------------------------- */

static gint64
moment_memory (const Report *report, const HeddleMoment *moment, gboolean bytes)
{
  return heddle_cost_moment (report->cost, moment, report->tiles, report->chunk, bytes);
}

static const HeddleMoment *
find_peak (const Report *report)
{
  const HeddleMoment *peak = NULL;
  gint64 most = -1;

  for (guint i = 0; i < report->cost->moments->len; i++)
    {
      const HeddleMoment *moment = g_ptr_array_index (report->cost->moments, i);
      gint64 memory = moment_memory (report, moment, FALSE);

      if (memory > most)
        peak = moment;
      most = MAX (most, memory);
    }
  return peak;
}

static HeddleExpr *
add_transfers (const Report *report, HeddleExpr *sum)
{
  for (guint i = 0; i < report->cost->transfers->len; i++)
    sum = plus (sum, transfer_symbol (report, &g_array_index (report->cost->transfers, HeddleTerms, i)));
  return sum;
}

/* Returns the report of the second kernel of a split program; its cost is NULL if there is none. */
static Report
combine_report (const Report *report)
{
  Report combine = { NULL, { 0 }, 1, report->sums };

  combine.cost = heddle_cost_combine (report->cost, report->tiles, combine.tiles);
  return combine;
}

static HeddleExpr *
transfers_symbol (const Report *report)
{
  Report combine = combine_report (report);
  HeddleExpr *sum = add_transfers (report, NULL);

  return simplify (report, combine.cost != NULL ? add_transfers (&combine, sum) : sum);
}

/* Returns the memory as an expression. Buffers with windows may hold the most in different groups: then it is
 * a number. */
static HeddleExpr *
memory_symbol (const Report *report)
{
  Report combine = combine_report (report);
  const HeddleMoment *peak = find_peak (report);
  HeddleExpr *sum = NULL;
  gint64 held = 0;

  if (combine.cost != NULL && peak != NULL
      && heddle_cost_memory (combine.cost, combine.tiles, 1, FALSE) > moment_memory (report, peak, FALSE))
    {
      report = &combine;
      peak = find_peak (report);
    }
  for (guint i = 0; peak != NULL && i < peak->terms->len; i++)
    {
      const HeddleTerms *terms = &g_array_index (peak->terms, HeddleTerms, i);

      sum = plus (sum, held_symbol (report, terms));
      held = heddle_saturating_add (
          held, heddle_cost_held (report->cost, terms, report->tiles, report->chunk));
    }
  if (peak != NULL && peak->windowed && held != moment_memory (report, peak, FALSE))
    {
      g_clear_pointer (&sum, heddle_expr_unref);
      sum = heddle_expr_number ((double) moment_memory (report, peak, FALSE));
    }
  return simplify (report, sum);
}

static Report
report_new (const HeddleCost *cost)
{
  Report report = { cost };

  heddle_cost_own_tiles (cost, report.tiles, &report.chunk);
  return report;
}

HeddleLevelCost *
heddle_cost_level (const HeddleCost *self, const HeddleMachine *machine)
{
  const char *level = heddle_ids_index (self->program->levels, self->depth);
  Report report = report_new (self);
  HeddleLevelCost *cost = g_new0 (HeddleLevelCost, 1);
  int i = heddle_machine_find_level (machine, level);

  cost->level = g_strdup (level);
  report.sums = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  cost->transfer_elements = heddle_cost_transfers (self, report.tiles, report.chunk, FALSE);
  cost->transfer_bytes = heddle_cost_transfers (self, report.tiles, report.chunk, TRUE);
  cost->step_elements = heddle_cost_step (self, report.tiles, report.chunk, FALSE);
  cost->step_bytes = heddle_cost_step (self, report.tiles, report.chunk, TRUE);
  cost->transfer_symbolic = transfers_symbol (&report);
  cost->memory_elements = heddle_cost_memory (self, report.tiles, report.chunk, FALSE);
  cost->memory_bytes = heddle_cost_memory (self, report.tiles, report.chunk, TRUE);
  cost->memory_symbolic = memory_symbol (&report);
  g_ptr_array_unref (report.sums);
  cost->instances = heddle_cost_instances (self);
  cost->capacity_bytes
      = i >= 0 ? ((const HeddleLevel *) g_ptr_array_index (machine->levels, (guint) i))->capacity_bytes : 0;
  return cost;
}

double
heddle_level_cost_workers (const HeddleLevelCost *self, const HeddleMachine *machine)
{
  gboolean abstract = heddle_machine_is_abstract (machine);
  int at = heddle_machine_find_level (machine, self->level);
  const HeddleLevel *level = at >= 0 ? g_ptr_array_index (machine->levels, (guint) at) : NULL;
  double each = abstract ? (double) self->memory_elements
                         : (double) (self->memory_bytes + machine->reserved_shared_bytes);

  if (level == NULL || each <= 0.)
    return 0.;
  return (double) (abstract || level->total_bytes == 0 ? self->capacity_bytes : level->total_bytes) / each;
}

void
heddle_level_cost_free (HeddleLevelCost *self)
{
  g_free (self->level);
  heddle_expr_unref (self->transfer_symbolic);
  heddle_expr_unref (self->memory_symbolic);
  g_free (self);
}

static void
add_to_columns (const Report *report, GPtrArray *columns)
{
  for (guint i = 0; i < report->cost->moments->len; i++)
    {
      const HeddleMoment *moment = g_ptr_array_index (report->cost->moments, i);
      HeddleColumnCost *column = g_ptr_array_index (columns, moment->column);

      column->memory_elements = MAX (column->memory_elements, moment_memory (report, moment, FALSE));
      column->memory_bytes = MAX (column->memory_bytes, moment_memory (report, moment, TRUE));
    }
  for (guint i = 0; i < report->cost->transfers->len; i++)
    {
      HeddleTerms terms = g_array_index (report->cost->transfers, HeddleTerms, i);
      HeddleColumnCost *column = g_ptr_array_index (columns, terms.column);
      gint64 elements = heddle_cost_transferred (report->cost, &terms, report->tiles, report->chunk);

      column->transfer_elements = heddle_saturating_add (column->transfer_elements, elements);
      column->transfer_bytes = heddle_saturating_add (
          column->transfer_bytes, heddle_saturating_multiply (elements, terms.bytes));
    }
}

/* Returns the columns of all statements. The cost of merging parts counts where the states are completed. */
GPtrArray *
heddle_cost_columns (const HeddleCost *self)
{
  Report report = report_new (self), combine = combine_report (&report);
  GPtrArray *columns = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i <= self->program->operations->len; i++)
    {
      HeddleColumnCost *column = g_new0 (HeddleColumnCost, 1);

      column->operation = i > 0 ? heddle_ids_index (self->program->operations, i - 1) : NULL;
      g_ptr_array_add (columns, column);
    }
  add_to_columns (&report, columns);
  if (combine.cost != NULL)
    add_to_columns (&combine, columns);
  return columns;
}

/* This part writes windows in symbols: (g_y - 1) s + (w - 1) d + 1 of a tile, and n + overlap (ceil (y / g_y)
 * - 1) of all of them, where only those at the ends are cut: the overlap is what two neighbours both read.
 * Each formula is compared with the count; where they differ, the count is shown as a number. */

/* --- sums within products ------------------------------------------------------------------------- */

static HeddleExpr *
keep_sum (const HeddleCostReport *self, HeddleExpr *sum)
{
  g_autofree char *name = NULL;
  guint i;

  if (heddle_expr_get_n_children (sum) == 0)
    return heddle_expr_ref (sum);
  for (i = 0; i < self->sums->len; i++)
    if (heddle_expr_equal (g_ptr_array_index (self->sums, i), sum))
      break;
  if (i == self->sums->len)
    g_ptr_array_add (self->sums, heddle_expr_ref (sum));
  name = g_strdup_printf (SUM "%u", i);
  return heddle_expr_variable (g_intern_string (name));
}

static HeddleExpr *
put_sum (const HeddleExpr *leaf, gpointer data)
{
  const HeddleCostReport *self = data;
  const char *name
      = heddle_expr_get_kind (leaf) == HEDDLE_EXPR_VARIABLE ? heddle_expr_get_symbol (leaf) : NULL;

  if (name == NULL || !g_str_has_prefix (name, SUM))
    return NULL;
  return heddle_expr_ref (g_ptr_array_index (self->sums, (guint) atoi (name + strlen (SUM))));
}

/* Takes @expr and returns it with the sums that stand for windows put in their places. */
static HeddleExpr *
cost_report_put_sums (const HeddleCostReport *self, HeddleExpr *expr)
{
  return heddle_expr_substitute (expr, put_sum, (gpointer) self);
}

/* --- lengths ---------------------------------------------------------------------------------------- */

/* A length as a number and as an expression. */
typedef struct
{
  gint64 n;
  HeddleExpr *symbol;
} Length;

static void
length_clear (Length *self)
{
  g_clear_pointer (&self->symbol, heddle_expr_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Length, length_clear)

static HeddleExpr *
scaled (gint64 factor, HeddleExpr *symbol)
{
  return heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_number ((double) factor), symbol);
}

static const HeddleNode *
band_of (const HeddleCostReport *self, const HeddleCostWindow *window, const char *axis)
{
  const HeddleCost *cost = self->cost;

  for (guint i = 0; i <= HEDDLE_STREAM_LOOP; i++)
    {
      const HeddleNode *band = i == HEDDLE_STREAM_LOOP ? cost->stream
                               : i < cost->n_groups    ? cost->bands[i]
                                                       : NULL;

      if ((window->loops >> i & 1) != 0 && band != NULL && band->axis == axis)
        return band;
    }
  return NULL;
}

/* Takes @symbol. */
static Length
length_new (gint64 n, HeddleExpr *symbol)
{
  g_autoptr (HeddleExpr) sum = symbol;

  return (Length){ n, heddle_expr_simplify (sum) };
}

/* Returns the length from the least index to the largest: of one part of each loop, or of all. The axis @but
 * is left out. */
static Length
length_of (const HeddleCostReport *self, const HeddleCostWindow *window, const HeddleWindowSum *sum,
    gboolean part, const char *but)
{
  gint64 length = sum->spread + 1, offset = length;
  HeddleExpr *symbol = NULL;

  for (guint i = 0; i < sum->axes->len; i++)
    {
      const char *axis = heddle_ids_index (sum->axes, i);
      const HeddleNode *band = band_of (self, window, axis);
      gint64 n = heddle_sizes_get (self->cost->sizes, axis);
      gint64 factor = ABS (g_array_index (sum->factors, gint64, i));
      gboolean labelled = part && band != NULL && band->size < n;

      if (axis == but)
        continue;
      length = heddle_saturating_add (
          length, heddle_saturating_multiply (factor, (labelled ? band->size : n) - 1));
      symbol = plus (
          symbol, scaled (factor, labelled ? cost_report_label (self, band) : heddle_expr_size (axis)));
      offset -= factor;
    }
  return length_new (length, plus (symbol, heddle_expr_number ((double) offset)));
}

/* Returns @expected as @length if they are equal, as the axis' size, or as a number. */
static HeddleExpr *
symbol_of (
    const HeddleCostReport *self, const HeddleCostWindow *window, const Length *length, gint64 expected)
{
  if (length->symbol != NULL && length->n == expected && expected < window->n)
    return keep_sum (self, length->symbol);
  return expected == window->n ? heddle_expr_size (window->axis) : heddle_expr_number ((double) expected);
}

/* --- what all parts read ------------------------------------------------------------------------------- */

/* Returns the step from one index of the loop to the next. */
static gint64
step_of (const HeddleWindowSum *sum, const char *axis)
{
  int i = heddle_ids_find (sum->axes, axis);

  return i >= 0 ? ABS (g_array_index (sum->factors, gint64, i)) : 0;
}

static gint64
number_of_parts (const HeddleCostReport *self, const HeddleNode *band)
{
  gint64 n = heddle_sizes_get (self->cost->sizes, band->axis);

  return n / band->size + (n % band->size != 0);
}

/* Returns what neighbouring parts both read: a window of one index of the loop, less its step. */
static Length
overlap_of (const HeddleCostReport *self, const HeddleCostWindow *window, const HeddleWindowSum *sum,
    const char *axis)
{
  g_auto (Length) one = length_of (self, window, sum, FALSE, axis);
  gint64 step = step_of (sum, axis);

  return length_new (one.n - step,
      heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_expr_ref (one.symbol), heddle_expr_number ((double) step)));
}

/* Returns the length of all parts: all indices once, and for every part but the first what it has in common
 * with the one before. */
static Length
all_parts (const HeddleCostReport *self, const HeddleCostWindow *window, const HeddleWindowSum *sum,
    const HeddleNode *band)
{
  gint64 once = heddle_window_moved (self->cost, window, NULL, 0);
  g_auto (Length) whole = length_of (self, window, sum, FALSE, NULL);
  g_auto (Length) common = overlap_of (self, window, sum, band->axis);
  g_autoptr (HeddleExpr) kept = symbol_of (self, window, &whole, once);
  Length all = { once, cost_report_put_sums (self, kept) };

  if (common.n == 0)
    return all;
  all.n
      = heddle_saturating_add (once, heddle_saturating_multiply (common.n, number_of_parts (self, band) - 1));
  all.symbol = plus (all.symbol,
      heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_ref (common.symbol),
          heddle_expr_binary (HEDDLE_EXPR_SUB, cost_report_number_of (self, band), heddle_expr_number (1.))));
  return all;
}

static const HeddleNode *
only_band (const HeddleCostReport *self, const HeddleCostWindow *window)
{
  guint loop = window->loops != 0 ? (guint) __builtin_ctzll (window->loops) : 0;

  if (window->loops == 0 || (window->loops & (window->loops - 1)) != 0)
    return NULL;
  return loop == HEDDLE_STREAM_LOOP ? self->cost->stream : self->cost->bands[loop];
}

/* Returns the window of axis @i, and whether another one of the buffer depends on one of its loops; the first
 * of those stands for all of them. */
static const HeddleCostWindow *
find_window (const HeddleWindows *windows, guint i, gboolean *shared, gboolean *first)
{
  const HeddleCostWindow *found = NULL;

  *shared = FALSE;
  *first = TRUE;
  for (guint k = 0; windows != NULL && k < windows->n; k++)
    if (windows->windows[k].position == i)
      found = &windows->windows[k];
  for (guint k = 0; found != NULL && k < windows->n; k++)
    if (&windows->windows[k] != found && (windows->windows[k].loops & found->loops) != 0)
      {
        *shared = TRUE;
        *first = *first && &windows->windows[k] > found;
      }
  return found;
}

/* Returns a new expression of how many elements all parts of the loops read along axis @i of a buffer; NULL
 * where that axis has no window. */
static HeddleExpr *
cost_report_window_moved (const HeddleCostReport *self, const HeddleWindows *windows, guint i)
{
  gboolean shared, first;
  const HeddleCostWindow *window = find_window (windows, i, &shared, &first);
  g_autoptr (HeddleWindowSum) sum
      = window != NULL ? heddle_window_sum_new (window->exprs, self->cost->sizes) : NULL;
  const HeddleNode *band = window != NULL ? only_band (self, window) : NULL;
  g_auto (Length) length = { 0 };
  gint64 moved;

  if (window == NULL)
    return NULL;
  if (shared)
    return heddle_expr_number (
        first ? (double) heddle_windows_moved_with (self->cost, windows, window, self->tiles, self->chunk)
              : 1.);
  moved = heddle_window_moved (self->cost, window, self->tiles, self->chunk);
  if (sum != NULL)
    length = band != NULL ? all_parts (self, window, sum, band) : length_of (self, window, sum, FALSE, NULL);
  if (length.symbol != NULL && length.n == moved && moved != window->n)
    return keep_sum (self, length.symbol);
  return symbol_of (self, window, &length, moved);
}

/* Returns a new expression of how many elements a buffer holds along its axis @i; NULL where that axis has
 * no window. */
static HeddleExpr *
cost_report_window_held (const HeddleCostReport *self, const HeddleWindows *windows, guint i)
{
  gboolean shared, first;
  const HeddleCostWindow *window = find_window (windows, i, &shared, &first);
  g_autoptr (HeddleWindowSum) sum
      = window != NULL ? heddle_window_sum_new (window->exprs, self->cost->sizes) : NULL;
  g_auto (Length) length = { 0 };

  if (window == NULL)
    return NULL;
  if (sum != NULL)
    length = length_of (self, window, sum, TRUE, NULL);
  return symbol_of (self, window, &length, heddle_window_held (self->cost, window, self->tiles, self->chunk));
}
