/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>
#include "diagram/analysis/sizes.h"
#include "diagram/evaluate/forms.h"
#include "diagram/evaluate/outside.h"
#include "diagram/evaluate/private.h"
#include "diagram/evaluate/walk.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* What is neither pointwise nor a reduction: arrays one after the other, state machines along an axis, the places of the largest. */

/* A walk over @axes with cursors into the operands, the result and the marks in @taken, in this order. */
static HeddleWalk *
walk_all (const HeddleRun *self, const GArray *axes, const GPtrArray *taken)
{
  HeddleWalk *walk = heddle_walk_new (self->evaluation->sizes, axes);

  for (guint i = 0; i < self->operand_values->len; i++)
    heddle_walk_add_cursor (walk, heddle_run_operand_axes (self, i));
  heddle_walk_add_cursor (walk, self->value->axes);
  for (guint i = 0; taken != NULL && i < taken->len; i++)
    heddle_walk_add_cursor (walk, ((HeddleOutside *) g_ptr_array_index (taken, i))->axes);
  return walk;
}

static GArray *
axes_without (const GArray *axes, const char *axis)
{
  GArray *rest = heddle_ids_copy (axes);
  int at = heddle_ids_find (rest, axis);

  if (at >= 0)
    g_array_remove_index (rest, (guint) at);
  return rest;
}

/* --- concatenation ------------------------------------------------------------------------ */

gint64
heddle_run_concat_start (const HeddleRun *self, guint operand)
{
  gint64 start = 0;

  for (guint i = 0; i < operand; i++)
    start += heddle_sizes_get (self->evaluation->sizes,
        heddle_concat_own_axis (self->value, g_ptr_array_index (self->operand_values, i)));
  return start;
}

/* The strides in an array with @axes along those of the operand, its own being @along there. */
static gint64 *
strides_within (const HeddleRun *self, guint operand, const GArray *axes)
{
  const HeddleValue *value = g_ptr_array_index (self->operand_values, operand);
  const char *own = heddle_concat_own_axis (self->value, value);
  gint64 *strides = g_new (gint64, MAX (value->axes->len, 1));

  for (guint i = 0; i < value->axes->len; i++)
    {
      const char *axis = heddle_ids_index (value->axes, i);

      strides[i] = heddle_axes_stride (
          self->evaluation->sizes, axes, axis == own ? heddle_ids_index (self->operation->axes, 0) : axis);
    }
  return strides;
}

static gint64
offset_at (const HeddleWalk *walk, const gint64 *strides)
{
  gint64 offset = 0;

  for (guint i = 0; i < walk->axes->len; i++)
    offset += walk->index[i] * strides[i];
  return offset;
}

gboolean
heddle_run_concat (HeddleRun *self, GError **error)
{
  const char *along = heddle_ids_index (self->operation->axes, 0);
  gint64 stride = heddle_axes_stride (self->evaluation->sizes, self->value->axes, along);

  for (guint i = 0; i < self->operand_values->len; i++)
    {
      g_autoptr (HeddleWalk) walk
          = heddle_walk_new (self->evaluation->sizes, heddle_run_operand_axes (self, i));
      g_autofree gint64 *strides = strides_within (self, i, self->value->axes);
      double *out = self->result->data + heddle_run_concat_start (self, i) * stride;
      const double *in = self->data[i];

      if (g_cancellable_set_error_if_cancelled (self->evaluation->cancellable, error))
        return FALSE;
      for (gboolean more = heddle_walk_start (walk, NULL); more; more = heddle_walk_next (walk))
        out[offset_at (walk, strides)] = *in++;
    }
  return TRUE;
}

/* A mark of an operand, where that lies in the result; all else is inside. */
HeddleOutside *
heddle_run_concat_mark (HeddleRun *self, guint operand, const HeddleOutside *outside, GError **error)
{
  const HeddleValue *value = g_ptr_array_index (self->operand_values, operand);
  const char *own = heddle_concat_own_axis (self->value, value);
  const char *along = heddle_ids_index (self->operation->axes, 0);
  g_autoptr (GArray) read_axes = heddle_ids_copy (outside->read_axes);
  g_autoptr (HeddleWalk) walk = heddle_walk_new (self->evaluation->sizes, value->axes);
  g_autofree gint64 *strides = strides_within (self, operand, self->value->axes);
  gint64 start = heddle_run_concat_start (self, operand)
                 * heddle_axes_stride (self->evaluation->sizes, self->value->axes, along);
  HeddleOutside *mark;

  for (guint i = 0; i < read_axes->len; i++)
    if (heddle_ids_index (read_axes, i) == own)
      heddle_ids_index (read_axes, i) = along;
  mark = heddle_outside_new (self->evaluation->sizes, read_axes, self->value->axes, error);
  if (mark == NULL)
    return NULL;
  heddle_walk_add_cursor (walk, outside->axes);
  for (gboolean more = heddle_walk_start (walk, NULL); more; more = heddle_walk_next (walk))
    mark->inside[start + offset_at (walk, strides)] = outside->inside[heddle_walk_offset (walk, 0)];
  return mark;
}

/* --- state machines -------------------------------------------------------------------------- */

typedef struct
{
  HeddleRun *run;
  const GPtrArray *taken;
  HeddleExprProgram *factor, *term;
  HeddleWalk *walk; /* along the axis */
} Scan;

static gboolean
is_inside (const HeddleRun *run, const HeddleWalk *walk, const GPtrArray *taken)
{
  for (guint i = 0; i < taken->len; i++)
    {
      const HeddleOutside *outside = g_ptr_array_index (taken, i);

      if (!outside->inside[heddle_walk_offset (walk, run->operand_values->len + 1 + i)])
        return FALSE;
    }
  return TRUE;
}

static double
value_of (const Scan *self, const HeddleExprProgram *program)
{
  double slots[HEDDLE_SCAN_OPERANDS] = { 0. };

  for (guint i = 0; i < heddle_expr_program_get_n_slots (program); i++)
    {
      guint operand = heddle_expr_get_operand (heddle_expr_program_get_slot (program, i));

      slots[i] = self->run->data[operand][heddle_walk_offset (self->walk, operand)];
    }
  return heddle_expr_program_run (program, slots);
}

/* What is outside leaves the state as it is. */
static void
run_along (const Scan *self, const gint64 *offsets)
{
  guint cursor = self->run->operand_values->len;
  double state = 0.;

  for (gboolean more = heddle_walk_start (self->walk, offsets); more; more = heddle_walk_next (self->walk))
    {
      if (is_inside (self->run, self->walk, self->taken))
        state = value_of (self, self->factor) * state + value_of (self, self->term);
      self->run->result->data[heddle_walk_offset (self->walk, cursor)] = state;
    }
}

gboolean
heddle_run_scan (HeddleRun *self, GError **error)
{
  g_autoptr (GPtrArray) taken = heddle_run_taken_outsides (self);
  g_autoptr (GArray) across = axes_without (self->value->axes, heddle_ids_index (self->operation->axes, 0));
  g_autoptr (HeddleWalk) outer = walk_all (self, across, taken);
  g_autoptr (HeddleWalk) inner = walk_all (self, self->operation->axes, taken);
  g_autoptr (HeddleExpr) factor = heddle_expr_literal (self->operation->kind->scan.factor);
  g_autoptr (HeddleExpr) term = heddle_expr_literal (self->operation->kind->scan.term);
  g_autoptr (HeddleExprProgram) factor_program = heddle_expr_compile (factor);
  g_autoptr (HeddleExprProgram) term_program = heddle_expr_compile (term);
  Scan scan = { self, taken, factor_program, term_program, inner };

  for (gboolean more = heddle_walk_start (outer, NULL); more; more = heddle_walk_next (outer))
    {
      if (g_cancellable_set_error_if_cancelled (self->evaluation->cancellable, error))
        return FALSE;
      run_along (&scan, (const gint64 *) outer->offsets->data);
    }
  return TRUE;
}

/* --- the places of the largest ------------------------------------------------------------------ */

typedef struct
{
  double value;
  gint64 place;
} Candidate;

static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  const Candidate *x = a, *y = b;

  if (x->value != y->value && !isnan (x->value) && !isnan (y->value))
    return x->value > y->value ? -1 : 1;
  if (isnan (x->value) != isnan (y->value))
    return isnan (x->value) ? 1 : -1;
  return (x->place > y->place) - (x->place < y->place);
}

/* All that is inside, the largest first, of equal ones the first first. */
static void
collect_candidates (HeddleRun *self, HeddleWalk *walk, const GPtrArray *taken, GArray *candidates)
{
  gint64 place = 0;

  g_array_set_size (candidates, 0);
  do
    {
      Candidate candidate = { self->data[0][heddle_walk_offset (walk, 0)], place++ };

      if (is_inside (self, walk, taken))
        g_array_append_val (candidates, candidate);
    }
  while (heddle_walk_next (walk));
  g_array_sort (candidates, compare_candidates);
}

gboolean
heddle_run_select (HeddleRun *self, GError **error)
{
  const HeddleSizes *sizes = self->evaluation->sizes;
  const char *from = heddle_ids_index (self->operation->axes, 0),
             *rank = heddle_ids_index (self->operation->axes, 1);
  g_autoptr (GPtrArray) taken = heddle_run_taken_outsides (self);
  g_autoptr (GArray) across = axes_without (self->value->axes, rank);
  g_autoptr (GArray) core = heddle_ids_new ();
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autoptr (HeddleWalk) outer = walk_all (self, across, taken);
  g_autoptr (HeddleWalk) inner = NULL;
  gint64 stride = heddle_axes_stride (sizes, self->value->axes, rank), n = heddle_sizes_get (sizes, rank);

  heddle_ids_append (core, from);
  inner = walk_all (self, core, taken);
  for (gboolean more = heddle_walk_start (outer, NULL); more; more = heddle_walk_next (outer))
    {
      double *out = self->result->data + heddle_walk_offset (outer, self->operand_values->len);

      if (g_cancellable_set_error_if_cancelled (self->evaluation->cancellable, error))
        return FALSE;
      heddle_walk_start (inner, (const gint64 *) outer->offsets->data);
      collect_candidates (self, inner, taken, candidates);
      for (gint64 i = 0; i < n; i++) /* a place outside where there are no more */
        out[i * stride] = i < candidates->len ? (double) g_array_index (candidates, Candidate, i).place : -1.;
    }
  return TRUE;
}
