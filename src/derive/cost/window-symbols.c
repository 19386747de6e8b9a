/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/cost.h"
#include "derive/cost/report-private.h"
#include "derive/cost/report.h"
#include "derive/cost/window-symbols.h"
#include "derive/cost/windows.h"
#include "derive/index/saturate.h"
#include "derive/index/window-sum.h"
#include "derive/index/window.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/polynomial.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"

#include <stdlib.h>
#include <string.h>

/* Windows in symbols: (g_y - 1) s + (w - 1) d + 1 of a tile, and n + overlap (ceil (y / g_y) - 1) of all of them, where only those at the ends are cut:
 * the overlap is what two neighbours both read. Each formula is held against the count; where they differ, the count stands by itself. */

#define SUM "sum:"

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

HeddleExpr *
heddle_cost_report_put_sums (const HeddleCostReport *self, HeddleExpr *expr)
{
  return heddle_expr_substitute (expr, put_sum, (gpointer) self);
}

/* --- lengths ---------------------------------------------------------------------------------------- */

/* In numbers and in symbols. */
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

static HeddleExpr *
plus (HeddleExpr *sum, HeddleExpr *symbol)
{
  return sum != NULL ? heddle_expr_binary (HEDDLE_EXPR_ADD, sum, symbol) : symbol;
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

/* From the least index to the largest: of one part of each loop, or of all. Less what goes along @but. */
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
      symbol = plus (symbol,
          scaled (factor, labelled ? heddle_cost_report_label (self, band) : heddle_expr_size (axis)));
      offset -= factor;
    }
  return length_new (length, plus (symbol, heddle_expr_number ((double) offset)));
}

/* @expected, as @length where that is what it comes to, as the axis' size, or as a number. */
static HeddleExpr *
symbol_of (
    const HeddleCostReport *self, const HeddleCostWindow *window, const Length *length, gint64 expected)
{
  if (length->symbol != NULL && length->n == expected && expected < window->n)
    return keep_sum (self, length->symbol);
  return expected == window->n ? heddle_expr_size (window->axis) : heddle_expr_number ((double) expected);
}

/* --- what all parts read ------------------------------------------------------------------------------- */

/* The step from one index of the loop to the next. */
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

/* What neighbouring parts both read: a window of one index of the loop, less its step. */
static Length
overlap_of (const HeddleCostReport *self, const HeddleCostWindow *window, const HeddleWindowSum *sum,
    const char *axis)
{
  g_auto (Length) one = length_of (self, window, sum, FALSE, axis);
  gint64 step = step_of (sum, axis);

  return length_new (one.n - step,
      heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_expr_ref (one.symbol), heddle_expr_number ((double) step)));
}

/* Once all, and with every part but the first what it has in common with the one before. */
static Length
all_parts (const HeddleCostReport *self, const HeddleCostWindow *window, const HeddleWindowSum *sum,
    const HeddleNode *band)
{
  gint64 once = heddle_window_moved (self->cost, window, NULL, 0);
  g_auto (Length) whole = length_of (self, window, sum, FALSE, NULL);
  g_auto (Length) common = overlap_of (self, window, sum, band->axis);
  g_autoptr (HeddleExpr) kept = symbol_of (self, window, &whole, once);
  Length all = { once, heddle_cost_report_put_sums (self, kept) };

  if (common.n == 0)
    return all;
  all.n
      = heddle_saturating_add (once, heddle_saturating_multiply (common.n, number_of_parts (self, band) - 1));
  all.symbol
      = plus (all.symbol, heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_ref (common.symbol),
                              heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_cost_report_number_of (self, band),
                                  heddle_expr_number (1.))));
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

/* The window of axis @i, and whether another one of the buffer goes by a loop of it; the first of those stands for all of them. */
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

HeddleExpr *
heddle_cost_report_window_moved (const HeddleCostReport *self, const HeddleWindows *windows, guint i)
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

HeddleExpr *
heddle_cost_report_window_held (const HeddleCostReport *self, const HeddleWindows *windows, guint i)
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
