/* SPDX-License-Identifier: MIT */
#include "derive/cost/canonical.h"
#include "derive/cost/level-cost.h"
#include "derive/cost/report.h"
#include "derive/cost/residency-price.h"
#include "derive/index/saturate.h"
#include "derive/kernel/divisors.h"
#include "derive/kernel/kernel.h"
#include "derive/kernel/labels.h"
#include "derive/kernel/opaque.h"
#include "derive/kernel/private.h"
#include "derive/kernel/residency.h"
#include "derive/kernel/search.h"
#include "derive/legality/legality.h"
#include "derive/program/build.h"
#include "derive/program/loop-program-private.h"
#include "derive/program/loop-program.h"
#include "derive/program/windows.h"
#include "derive/region/definition.h"
#include "derive/region/region.h"
#include "derive/stream/split.h"
#include "derive/stream/stream.h"

#include <math.h>

/* --- pricing ---------------------------------------------------------------------------------------- */

/* Returns whether all groups of the lower levels fit at once: they keep what they hold from one step to the
 * next. */
static gboolean
fit_below (const HeddleDeriveContext *context, const GPtrArray *levels)
{
  gint64 instances = 1;

  for (guint i = 1; i < levels->len; i++)
    {
      const HeddleLevelCost *level = g_ptr_array_index (levels, i);
      gint64 held = context->abstract ? level->memory_elements : level->memory_bytes;

      instances = heddle_saturating_multiply (instances, level->instances);
      if (level->capacity_bytes > 0 && heddle_saturating_multiply (instances, held) > level->capacity_bytes)
        return FALSE;
    }
  return TRUE;
}

/* Returns the context with the shares of units' rates that the kernel's products reach as it would be
 * emitted. */
static HeddleDeriveContext
context_as_emitted (const HeddleDeriveContext *context, const HeddleKernel *self)
{
  const HeddleDeriveOptions *options = context->options;
  HeddleDeriveContext own = *context;

  if (options->product_shares != NULL && !context->abstract)
    own.shares = options->product_shares (context->diagram, self->program, context->sizes, options);
  return own;
}

static void
price (const HeddleDeriveContext *context, HeddleKernel *self)
{
  const HeddleDeriveContext emitted = context_as_emitted (context, self);
  g_autoptr (HeddleCost) cost = heddle_cost_new (self->program, context->sizes, context->options->columns);
  HeddleLevelCost *level = NULL;
  gint64 tiles[HEDDLE_MAX_GROUPS], chunk;
  HeddleTime time;

  if (context->most_work != 0 || context->options->plain)
    heddle_cost_hurry (cost);
  heddle_cost_set_matrices (cost, emitted.shares.matrices, emitted.shares.dealt);
  level = heddle_cost_level (cost, context->options->machine);
  heddle_cost_own_tiles (cost, tiles, &chunk);
  time = heddle_time_new (&emitted, cost, tiles, chunk);
  heddle_kernel_set_time (self, &time);
  g_ptr_array_add (self->levels, level);
  for (const HeddleCost *inner = cost->inner; inner != NULL; inner = inner->inner)
    g_ptr_array_add (self->levels, heddle_cost_level (inner, context->options->machine));
  g_ptr_array_unref (self->columns);
  self->columns = heddle_cost_columns (cost);
  self->canonical = heddle_canonical_new (cost);
  g_ptr_array_unref (self->above);
  self->above = heddle_residency_levels (context, self->program);
  self->kept_bytes = heddle_residency_bytes (context, self->program);
  self->shared_bytes = heddle_cost_shared (cost, tiles, chunk);
  self->fits = emitted.shares.tensor > 0.
               || (heddle_kernel_fits (context, cost, tiles, chunk) && fit_below (context, self->levels));
  self->groups = heddle_cost_groups (cost, tiles);
  self->intensity = level->transfer_bytes > 0 ? time.flops / (double) level->transfer_bytes : 0.;
  self->ridge = heddle_time_ridge_tile (context, cost);
  self->ridge_tile = (gint64) lround (self->ridge);
}

/* --- the kernel --------------------------------------------------------------------------------------- */

static gboolean
has_label (const HeddleKernel *self, const char *axis, const char *level, HeddleLabelKind kind)
{
  for (guint i = 0; i < self->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (self->labels, i);

      if (label->axis == axis && label->kind == kind && g_str_equal (label->level, level))
        return TRUE;
    }
  return FALSE;
}

/* Returns whether the stream takes each group of its axis in one step. */
static gboolean
is_one_step (const HeddleTiling *tiling)
{
  for (guint i = 0; i < tiling->groups->len; i++)
    {
      const HeddleTile *tile = &g_array_index (tiling->groups, HeddleTile, i);

      if (tile->axis == tiling->stream && tile->size == tiling->chunk)
        return TRUE;
    }
  return FALSE;
}

static void
add_suggested (HeddleLabelling *self)
{
  const HeddleTiling *tiling = &self->tiling;
  GPtrArray *labels = self->kernel->labels;

  for (guint i = 0; i < tiling->groups->len; i++)
    {
      const HeddleTile *tile = &g_array_index (tiling->groups, HeddleTile, i);

      if (!has_label (self->kernel, tile->axis, tiling->level, HEDDLE_LABEL_GROUP))
        g_ptr_array_add (
            labels, heddle_label_new (tile->axis, tiling->level, HEDDLE_LABEL_GROUP, tile->size));
    }
  if (tiling->stream != NULL && !has_label (self->kernel, tiling->stream, tiling->level, HEDDLE_LABEL_STREAM)
      && !is_one_step (tiling))
    g_ptr_array_add (
        labels, heddle_label_new (tiling->stream, tiling->level, HEDDLE_LABEL_STREAM, tiling->chunk));
}

static HeddleStreamPlan *
find_plan (HeddleLabelling *self, HeddleDerivation *totals, GError **error)
{
  HeddleSearchReport report = { .exact = TRUE, .work = totals->work };
  HeddleObstacle obstacle;
  HeddleStreamPlan *plan;

  if (self->context->options->suggest)
    plan = heddle_search (self->context, self->term, &self->tiling, self->kernel->divisors, &report, error);
  else
    plan = heddle_stream_plan_new (self->term, heddle_labelling_stream (self), &obstacle);
  heddle_labelling_sort (self);
  totals->candidates += report.candidates;
  totals->work = report.work;
  totals->exact = totals->exact && report.exact;
  totals->unproved = totals->unproved != NULL ? totals->unproved : report.unproved;
  self->kernel->binding = report.binding;
  self->kernel->runner_up = report.runner_up;
  if (plan != NULL && self->context->options->suggest)
    add_suggested (self);
  return plan;
}

static void
set_moves (const HeddleDeriveContext *context, HeddleLoopProgram *program)
{
  program->moves = heddle_residency_moves (context, program);
  if (program->combine != NULL)
    set_moves (context, program->combine);
}

static gboolean
build (HeddleLabelling *self, HeddleDerivation *totals, GError **error)
{
  g_autoptr (HeddleStreamPlan) plan = find_plan (self, totals, error);

  if (plan == NULL)
    return FALSE;
  self->kernel->program = heddle_loop_program_new (self->term, plan, &self->tiling, self->kernel->name);
  if (!heddle_labelling_check_rereads (self, self->kernel->program, error))
    return FALSE;
  self->kernel->program->unread = NULL;
  set_moves (self->context, self->kernel->program);
  heddle_loop_program_settle_windows (self->kernel->program, self->context->sizes);
  self->kernel->stream_kind = heddle_stream_plan_kind (plan);
  price (self->context, self->kernel);
  return TRUE;
}

static HeddleKernel *
kernel_alloc (const HeddleDiagram *diagram, const HeddleRegion *region, const GArray *operations)
{
  HeddleKernel *self = g_new0 (HeddleKernel, 1);

  g_atomic_ref_count_init (&self->holders);
  self->region_id = region != NULL ? region->id : NULL;
  self->operations = heddle_ids_copy (operations);
  self->again = heddle_ids_new ();
  self->name = heddle_kernel_name (diagram, operations);
  self->title = heddle_kernel_title (diagram, operations);
  self->labels = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_label_free);
  self->divisors = heddle_divisors_new ();
  self->refusals = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_refusal_free);
  self->levels = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_level_cost_free);
  self->above = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_level_cost_free);
  self->columns = g_ptr_array_new_with_free_func (g_free);
  self->bound = "";
  return self;
}

/* Returns a kernel for operations that no loop program describes; they are priced all the same. */
static HeddleKernel *
new_opaque (const HeddleDeriveContext *context, const HeddleRegion *region, const GArray *operations,
    GError *reason, GError **error)
{
  HeddleKernel *kernel;

  if (!g_error_matches (reason, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_PROGRAM)
      || !heddle_kernel_is_statement (context->diagram, operations))
    {
      g_propagate_error (error, reason);
      return NULL;
    }
  kernel = kernel_alloc (context->diagram, region, operations);
  heddle_kernel_price_opaque (kernel, context, reason->message);
  g_error_free (reason);
  return kernel;
}

static HeddleKernel *
kernel_of_term (const HeddleDeriveContext *context, const HeddleRegion *region, const HeddleRegionTerm *term,
    HeddleDerivation *totals, GError **error)
{
  HeddleKernel *kernel = kernel_alloc (context->diagram, region, term->operations);
  g_auto (HeddleLabelling) labelling;

  for (guint i = 0; context->storing != NULL && i < term->operations->len; i++)
    if (g_hash_table_contains (context->storing->again, heddle_ids_index (term->operations, i)))
      heddle_ids_append (kernel->again, heddle_ids_index (term->operations, i));

  heddle_labelling_init (&labelling, context, term, kernel);
  if (heddle_labelling_read (&labelling, region, error)
      && heddle_labelling_check_residency (&labelling, error)
      && (kernel->refusals->len > 0 || build (&labelling, totals, error)))
    return kernel;
  heddle_kernel_unref (kernel);
  return NULL;
}

/* Returns whether an array is held whole because it is read at indices of its own. */
static gboolean
holds_whole (const HeddleRegionTerm *term)
{
  for (guint i = 0; i < term->definitions->len; i++)
    if (heddle_region_term_get (term, i)->whole != 0)
      return TRUE;
  return FALSE;
}

/* Returns a kernel that reads arrays element by element, which may fit where one that holds them whole does
 * not; NULL if neither does. */
static HeddleKernel *
kernel_gathered (const HeddleDeriveContext *context, const HeddleRegion *region, const GArray *operations,
    HeddleDerivation *totals)
{
  g_autoptr (HeddleRegionTerm) term = heddle_region_term_new_storing (
      context->diagram, operations, context->sizes, TRUE, context->storing, context->memo, NULL);
  HeddleKernel *kernel = term != NULL ? kernel_of_term (context, region, term, totals, NULL) : NULL;

  if (kernel == NULL || (kernel->program != NULL && kernel->fits))
    return kernel;
  heddle_kernel_unref (kernel);
  return NULL;
}

HeddleKernel *
heddle_kernel_new (const HeddleDeriveContext *context, const HeddleRegion *region, const GArray *operations,
    HeddleDerivation *totals, GError **error)
{
  GError *reason = NULL;
  g_autoptr (HeddleRegionTerm) term = heddle_region_term_new_storing (
      context->diagram, operations, context->sizes, FALSE, context->storing, context->memo, &reason);
  HeddleKernel *kernel, *gathered = NULL;

  if (term == NULL)
    return new_opaque (context, region, operations, reason, error);
  kernel = kernel_of_term (context, region, term, totals, error);
  if (kernel != NULL && kernel->program != NULL && !kernel->fits && !context->abstract && holds_whole (term))
    gathered = kernel_gathered (context, region, operations, totals);
  if (gathered == NULL)
    return kernel;
  heddle_kernel_unref (kernel);
  return gathered;
}
