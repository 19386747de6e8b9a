/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/cost.h"
#include "derive/cost/level-cost.h"
#include "derive/cost/report-private.h"
#include "derive/cost/report.h"
#include "derive/cost/window-symbols.h"
#include "derive/index/extent.h"
#include "derive/index/saturate.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/polynomial.h"
#include "diagram/graph/diagram.h"

/* The cost of a loop program at its own sizes, in numbers and in symbols, per column and in all. */

typedef HeddleCostReport Report;

/* The variable a label goes by: g_q and s_x; further down w_q and u_x, then t_q and v_x. */
HeddleExpr *
heddle_cost_report_label (const Report *report, const HeddleNode *band)
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

static HeddleExpr *
simplify (const Report *report, HeddleExpr *expr)
{
  g_autoptr (HeddleExpr) sum = expr != NULL ? expr : heddle_expr_number (0.);
  g_autoptr (HeddleExpr) simple = heddle_expr_simplify (sum);

  return heddle_cost_report_put_sums (report, simple);
}

/* n; of the axis that numbers parts, the number of them: ceil (n / g) of the axis they are of. */
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

/* ceil (n / g) */
HeddleExpr *
heddle_cost_report_number_of (const Report *report, const HeddleNode *band)
{
  return heddle_expr_unary (
      HEDDLE_EXPR_CEIL, heddle_expr_binary (HEDDLE_EXPR_DIV, heddle_expr_size (band->axis),
                            heddle_cost_report_label (report, band)));
}

/* |X| * ceil (n / g) for each loop that repeats it; in a guarded stream times the share of it that runs. */
static HeddleExpr *
transfer_symbol (const Report *report, const HeddleTerms *terms)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (report->cost->program, terms->buffer);
  HeddleExpr *product = NULL;

  for (guint i = 0; i < buffer->axes->len; i++)
    {
      HeddleExpr *window = heddle_cost_report_window_moved (report, terms->windows, i);

      product = times (
          product, window != NULL ? window : size_symbol (report, heddle_ids_index (buffer->axes, i)));
    }
  for (guint i = 0; i < report->cost->n_groups; i++)
    if ((terms->groups >> i & 1) != 0)
      product = times (product, heddle_cost_report_number_of (report, report->cost->bands[i]));
  if (terms->stream)
    product = times (product, heddle_cost_report_number_of (report, report->cost->stream));
  if (terms->guarded)
    product = times (product, heddle_expr_variable (g_intern_static_string ("share")));
  return product != NULL ? product : heddle_expr_number (1.);
}

/* What a buffer holds of an axis: n, or the label where that is less. */
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
             ? heddle_cost_report_label (report, band)
             : heddle_expr_size (axis);
}

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
      HeddleExpr *window = heddle_cost_report_window_held (report, terms->windows, i);

      product = times (product, window != NULL ? window
                                               : extent_symbol (report, heddle_ids_index (buffer->axes, i),
                                                   g_array_index (buffer->extents, HeddleExtent, i)));
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

/* Of the second kernel of a split program; its cost is NULL where there is none. */
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

/* Buffers with windows may have the most of them in different groups: then the number stands by itself. */
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

/**
 * heddle_level_cost_workers:
 * @self: what a kernel costs at a level
 * @machine: the machine it was priced on
 *
 * Returns: how many groups one instance of the level has room for, the system's share of each counted; 0 where that is not bounded
 */
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

/* What merging parts takes counts where the states are completed. */
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
