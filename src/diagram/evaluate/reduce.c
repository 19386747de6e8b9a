/* SPDX-License-Identifier: MIT */

/* This file evaluates cascades of reductions. The points of the result and, within each, the core points are
 * one walk; a batch holds the core points of a group of the result's points, or some of those of one. Each
 * element is reduced in the order of its core axes. */

#include "config.h"

#include <gio/gio.h>
#include "diagram/analysis/term.h"
#include "diagram/base/error.h"
#include "diagram/evaluate/batch.h"
#include "diagram/evaluate/operation.h"
#include "diagram/evaluate/forms.h"
#include "diagram/evaluate/reduce.h"
#include "diagram/evaluate/share.h"
#include "diagram/evaluate/walk.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  HeddleRun *run;
  GArray *axes; /* of the result without the core axes, then the core axes */
  gint64 n_outer, n_inner; /* points of either */
  guint group; /* of the outer points a batch holds at most */
} Plan;

typedef struct
{
  const Plan *plan;
  HeddleTerm *term;
  HeddleBatch *batch; /* with cursors into the operands, the result and `taken`, in this order */
  GPtrArray *taken; /* of HeddleOutside */
  HeddleBound *bodies[HEDDLE_MAX_STAGES];
  HeddleBound *result;
  const char *names[HEDDLE_MAX_STAGES + 2]; /* of the stages, and n */
  const double *variables[HEDDLE_MAX_STAGES + 1];
  double *totals; /* a batch of outer points for each variable */
  double *spread; /* the same at each point of a batch */
  guint8 inside[HEDDLE_BATCH];
} Reduction;

static double *
totals_of (const Reduction *self, guint variable)
{
  return self->totals + (gsize) variable * HEDDLE_BATCH;
}

/* --- beginning and end --------------------------------------------------------------- */

static gboolean
bind_bodies (Reduction *self, GError **error)
{
  const HeddleRun *run = self->plan->run;
  gboolean keeps_core = run->operation->kind->form == HEDDLE_FORM_NORMALISE;
  HeddleBinding binding = { self->batch, run->operand_values->len, run->data, self->names, self->variables };

  for (guint i = 0; i <= self->term->n_stages; i++)
    {
      self->names[i] = i < self->term->n_stages ? self->term->stages[i].name : "n";
      self->variables[i] = self->spread + (gsize) i * HEDDLE_BATCH;
    }
  for (guint i = 0; i < self->term->n_stages; i++)
    if ((self->bodies[i] = heddle_bound_new (self->term->stages[i].body, &binding, error)) == NULL)
      return FALSE;
  for (guint i = 0; i <= self->term->n_stages && !keeps_core; i++)
    self->variables[i] = totals_of (self, i);
  self->result = heddle_bound_new (self->term->result, &binding, error);
  return self->result != NULL;
}

static gboolean
reduction_init (Reduction *self, const Plan *plan, GError **error)
{
  HeddleRun *run = plan->run;

  self->plan = plan;
  self->term = heddle_term_new_counted (run->operation);
  self->taken = heddle_run_taken_outsides (run);
  self->batch = heddle_run_batch (run, plan->axes);
  self->totals = g_new (double, HEDDLE_BATCH *(HEDDLE_MAX_STAGES + 1));
  self->spread = g_new (double, HEDDLE_BATCH *(HEDDLE_MAX_STAGES + 1));
  heddle_batch_add_cursor (self->batch, run->value->axes);
  for (guint i = 0; i < self->taken->len; i++)
    heddle_batch_add_cursor (self->batch, ((HeddleOutside *) g_ptr_array_index (self->taken, i))->axes);
  return bind_bodies (self, error);
}

static void
reduction_clear (Reduction *self)
{
  for (guint i = 0; i < HEDDLE_MAX_STAGES; i++)
    g_clear_pointer (&self->bodies[i], heddle_bound_free);
  g_clear_pointer (&self->result, heddle_bound_free);
  heddle_batch_free (self->batch);
  g_ptr_array_unref (self->taken);
  heddle_term_free (self->term);
  g_free (self->totals);
  g_free (self->spread);
}

/* --- what is left out ---------------------------------------------------------------- */

static void
leave_out (Reduction *self, const HeddleOutside *outside, guint cursor)
{
  gint64 stride = heddle_walk_last_stride (self->batch->walk, cursor);
  guint8 *inside = self->inside;

  for (guint run = 0; run < self->batch->n_runs; run++)
    {
      const guint8 *from = outside->inside + heddle_batch_offset (self->batch, run, cursor);

      for (guint i = 0; i < self->batch->lengths[run]; i++)
        *inside++ &= from[i * stride];
    }
}

static void
find_inside (Reduction *self)
{
  guint first = self->plan->run->operand_values->len + 1;

  for (guint i = 0; i < self->batch->n_points; i++)
    self->inside[i] = TRUE;
  for (guint i = 0; i < self->taken->len; i++)
    leave_out (self, g_ptr_array_index (self->taken, i), first + i);
}

/* --- one group of the result's points ------------------------------------------------- */

/* Calls @visit with each batch of the @n outer points from @first on; @length of its points belong to one of
 * them. */
static void
visit_batches (
    Reduction *self, gint64 first, guint n, guint stage, void (*visit) (Reduction *, guint, guint, guint))
{
  gint64 left = self->plan->n_inner * n;

  heddle_batch_seek (self->batch, first * self->plan->n_inner);
  while (left > 0 && !g_cancellable_is_cancelled (self->plan->run->evaluation->cancellable))
    {
      left -= heddle_batch_take (self->batch, left);
      find_inside (self);
      visit (self, stage, n, self->batch->n_points / n);
    }
}

static double
fold (HeddleMonoid monoid, double total, const double *values, const guint8 *inside, guint n)
{
  if (monoid == HEDDLE_MONOID_SUM)
    {
      for (guint i = 0; i < n; i++)
        if (inside[i])
          total += values[i];
      return total;
    }
  for (guint i = 0; i < n; i++)
    if (inside[i])
      total = heddle_monoid_combine (monoid, total, values[i]);
  return total;
}

static void
fold_stage (Reduction *self, guint stage, guint n, guint length)
{
  const double *values = heddle_bound_run (self->bodies[stage], self->batch->n_points);
  double *totals = totals_of (self, stage);

  for (guint i = 0; i < n; i++)
    totals[i] = fold (
        self->term->stages[stage].monoid, totals[i], values + i * length, self->inside + i * length, length);
}

static void
count_inside (Reduction *self, guint stage, guint n, guint length)
{
  double *totals = totals_of (self, stage);

  for (guint i = 0; i < n * length; i++)
    totals[i / length] += self->inside[i];
}

static void
write_result (Reduction *self, guint stage, guint n, guint length)
{
  const HeddleRun *run = self->plan->run;
  const double *values = heddle_bound_run (self->result, self->batch->n_points);
  double kept[HEDDLE_BATCH];

  for (guint i = 0; i < self->batch->n_points; i++)
    kept[i] = self->inside[i] ? values[i] : 0.;
  heddle_batch_scatter (self->batch, run->operand_values->len, kept, run->result->data);
}

/* Copies the totals of a variable to each of the points that share them. */
static void
spread_totals (Reduction *self, guint variable, guint n)
{
  guint length = n > 1 ? (guint) self->plan->n_inner : HEDDLE_BATCH;
  const double *totals = totals_of (self, variable);
  double *spread = self->spread + (gsize) variable * HEDDLE_BATCH;

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < length; j++)
      spread[i * length + j] = totals[i];
}

static void
reduce_stage (Reduction *self, gint64 first, guint n, guint stage)
{
  double *totals = totals_of (self, stage);
  gboolean counts = stage == self->term->n_stages;

  for (guint i = 0; i < n; i++)
    totals[i] = counts ? 0. : heddle_monoid_unit (self->term->stages[stage].monoid);
  if (counts && self->taken->len == 0)
    for (guint i = 0; i < n; i++)
      totals[i] = (double) self->plan->n_inner;
  else
    visit_batches (self, first, n, stage, counts ? count_inside : fold_stage);
  spread_totals (self, stage, n);
}

static void
reduce_group (Reduction *self, gint64 first, guint n)
{
  const HeddleRun *run = self->plan->run;

  reduce_stage (self, first, n, self->term->n_stages);
  for (guint i = 0; i < self->term->n_stages; i++)
    reduce_stage (self, first, n, i);
  if (run->operation->kind->form == HEDDLE_FORM_NORMALISE)
    visit_batches (self, first, n, 0, write_result);
  else
    {
      const double *values = heddle_bound_run (self->result, n);

      for (guint i = 0; i < n; i++)
        run->result->data[first + i] = values[i];
    }
}

/* --- all of them --------------------------------------------------------------------- */

static gboolean
reduce_points (gint64 begin, gint64 end, gpointer data, GError **error)
{
  const Plan *plan = data;
  Reduction reduction = { NULL };
  gboolean done = reduction_init (&reduction, plan, error);

  for (gint64 at = begin; done && at < end; at += plan->group)
    {
      reduce_group (&reduction, at, (guint) MIN (plan->group, end - at));
      done = !g_cancellable_set_error_if_cancelled (plan->run->evaluation->cancellable, error);
    }
  reduction_clear (&reduction);
  return done;
}

/* Collects the axes of the walk and counts its points. */
static void
plan_points (Plan *self)
{
  const HeddleSizes *sizes = self->run->evaluation->sizes;
  const GArray *kept = self->run->value->axes, *core = self->run->operation->axes;

  for (guint i = 0; i < kept->len; i++)
    if (!heddle_ids_contain (core, heddle_ids_index (kept, i)))
      heddle_ids_append (self->axes, heddle_ids_index (kept, i));
  self->n_outer = heddle_axes_points (sizes, self->axes);
  self->n_inner = heddle_axes_points (sizes, core);
  g_array_append_vals (self->axes, core->data, core->len);
  self->group = self->n_inner < HEDDLE_BATCH ? (guint) (HEDDLE_BATCH / self->n_inner) : 1;
}

gboolean
heddle_run_reduce (HeddleRun *self, GError **error)
{
  g_autoptr (GArray) axes = heddle_ids_new ();
  Plan plan = { self, axes, 1, 1, 1 };
  gint64 piece;

  plan_points (&plan);
  if (heddle_axes_points (self->evaluation->sizes, axes) == G_MAXINT64)
    {
      g_set_error_literal (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_LIMIT,
          _ ("a reduction has more points than can be counted"));
      return FALSE;
    }
  piece = MAX (HEDDLE_POINTS_PER_PIECE / plan.n_inner / plan.group, 1) * plan.group;
  return heddle_evaluation_share (self->evaluation, plan.n_outer, piece, reduce_points, &plan, error);
}
