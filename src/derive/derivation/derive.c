/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/cost.h"
#include "derive/cost/level-cost.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/peak-memory.h"
#include "derive/derivation/recompute.h"
#include "derive/derivation/reuse.h"
#include "derive/derivation/schedule-text.h"
#include "derive/index/saturate.h"
#include "derive/kernel/kernel.h"
#include "derive/kernel/residency.h"
#include "derive/kernel/search-cache.h"
#include "derive/region/cover-private.h"
#include "derive/region/cover.h"
#include "derive/region/region.h"
#include "derive/region/view.h"
#include "derive/shard/layout.h"
#include "diagram/base/dtype.h"
#include "diagram/document/layout.h"
#include "diagram/graph/calls.h"

#include <glib/gi18n-lib.h>

void
heddle_derivation_free (HeddleDerivation *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->kernels);
  g_clear_pointer (&self->held, g_array_unref);
  heddle_sharding_free (self->sharding);
  g_clear_pointer (&self->copied, g_array_unref);
  heddle_diagram_free (self->laid); /* after the kernels, which borrow it */
  g_free (self);
}

static void
add_to_totals (HeddleDerivation *self, const HeddleKernel *kernel)
{
  self->illegal = self->illegal || kernel->refusals->len > 0;
  self->flops += kernel->flops;
  self->overlapped_s += kernel->overlapped_s;
  self->expected_s += kernel->expected_s;
  if (kernel->levels->len > 0)
    {
      const HeddleLevelCost *level = g_ptr_array_index (kernel->levels, 0);

      self->transfer_elements = heddle_saturating_add (self->transfer_elements, level->transfer_elements);
      self->transfer_bytes = heddle_saturating_add (self->transfer_bytes, level->transfer_bytes);
    }
}

/* Returns whether nobody said how the operations are to run. */
static gboolean
is_free (const HeddleDeriveContext *context, const HeddlePart *part)
{
  return context->options->suggest && !context->abstract && part->operations->len > 1
         && (part->region == NULL || part->region->labels->len == 0)
         && heddle_kernel_is_statement (context->diagram, part->operations);
}

/* Returns the parts of a statement that fits no memory as one kernel but may fit as a kernel for each of its
 * operations; NULL if it does not. */
static GPtrArray *
split_statement (const HeddleDeriveContext *context, const HeddlePart *part, HeddleDerivation *totals)
{
  g_autoptr (GPtrArray) kernels = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_kernel_unref);
  HeddleDeriveContext apart = *context;

  apart.storing = NULL;
  for (guint i = 0; i < part->operations->len; i++)
    {
      g_autoptr (GArray) operation = heddle_ids_new ();
      HeddleKernel *kernel;

      heddle_ids_append (operation, heddle_ids_index (part->operations, i));
      kernel = heddle_kernel_new (&apart, NULL, operation, totals, NULL);
      if (kernel == NULL)
        return NULL;
      g_ptr_array_add (kernels, kernel);
      if (kernel->program == NULL || !kernel->fits)
        return NULL;
    }
  return g_steal_pointer (&kernels);
}

static void
keep_kernel (const HeddleDeriveContext *context, HeddleDerivation *self, HeddleKernel *kernel)
{
  g_ptr_array_add (self->kernels, kernel);
  add_to_totals (self, kernel);
  if (context->options->lean)
    heddle_kernel_make_lean (kernel);
}

/* Takes @kernel, or the kernels that run in its place. */
static void
add_kernel (
    const HeddleDeriveContext *context, HeddleDerivation *self, const HeddlePart *part, HeddleKernel *kernel)
{
  g_autoptr (GPtrArray) split = NULL;

  if (kernel->program != NULL && !kernel->fits && is_free (context, part))
    split = split_statement (context, part, self);
  if (split == NULL)
    {
      keep_kernel (context, self, kernel);
      return;
    }
  heddle_kernel_unref (kernel);
  while (split->len > 0)
    keep_kernel (context, self, g_ptr_array_steal_index (split, 0));
}

/* Returns the part of one region. */
static GPtrArray *
find_part (GPtrArray *parts, const char *region)
{
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; i < parts->len; i++)
    {
      const HeddlePart *part = g_ptr_array_index (parts, i);

      if (part->region != NULL && g_strcmp0 (part->region->id, region) == 0)
        g_ptr_array_add (found, (gpointer) part);
    }
  return found;
}

/* Adds what the kernel computes again, in the diagram's order. */
static void
add_again (const HeddleDiagram *diagram, HeddlePart *part, const GArray *again)
{
  g_autoptr (GArray) own = g_steal_pointer (&part->operations);

  part->operations = heddle_ids_new ();
  for (guint i = 0; i < again->len; i++)
    g_hash_table_add (part->again, (gpointer) heddle_ids_index (again, i));
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (heddle_ids_contain (own, operation->id) || g_hash_table_contains (part->again, operation->id))
        heddle_ids_append (part->operations, operation->id);
    }
}

/* Returns what is computed again in each part; NULL without an error if there is nothing. */
static HeddleRecomputing *
recompute (const HeddleDeriveContext *context, GPtrArray *parts, GError **error)
{
  g_autoptr (GPtrArray) operations = g_ptr_array_new ();
  HeddleRecomputing *self;

  if (context->schedule == NULL || context->schedule->recomputed->len == 0)
    return NULL;
  for (guint i = 0; i < parts->len; i++)
    g_ptr_array_add (operations, ((HeddlePart *) g_ptr_array_index (parts, i))->operations);
  self = heddle_recomputing_new (context->diagram, context->schedule, operations, error);
  for (guint i = 0; self != NULL && i < parts->len; i++)
    {
      HeddlePart *part = g_ptr_array_index (parts, i);

      part->idle = self->idle[i];
      add_again (context->diagram, part, g_ptr_array_index (self->again, i));
    }
  return self;
}

/* Returns whether no kernel runs for the part, since its result is read where it lies. */
static gboolean
is_view (const HeddleDeriveContext *context, const HeddlePart *part)
{
  for (guint i = 0; i < part->operations->len; i++)
    if (!heddle_view_is (context->diagram, context->sizes, context->schedule,
            heddle_diagram_get_operation (context->diagram, heddle_ids_index (part->operations, i))))
      return FALSE;
  return !context->abstract;
}

/* Returns the parts that kernels are made of, and with them what they are found by. One region is looked at alone, as long as no other works out again what it
 * has. */
static GPtrArray *
cover (const HeddleDeriveContext *context, GHashTable *by_operation)
{
  const char *region = context->options->region;

  if (region != NULL && context->schedule != NULL && context->schedule->recomputed->len == 0)
    return heddle_parts_of_region (context->diagram, context->schedule, region);
  return heddle_parts_cover (context->diagram, context->schedule, by_operation);
}

/* Derives all kernels. @reuse holds those that need not be derived again; NULL if there are none. */
static gboolean
derive_kernels (
    const HeddleDeriveContext *given, const HeddleReuse *reuse, HeddleDerivation *self, GError **error)
{
  HeddleDeriveContext context = *given;
  GError *problem = NULL;
  g_autoptr (GHashTable) by_operation = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) parts = cover (&context, by_operation);
  g_autoptr (HeddleRecomputing) recomputing = recompute (&context, parts, &problem);
  g_autoptr (GPtrArray) sorted = problem != NULL ? NULL
                                 : context.options->region != NULL
                                     ? find_part (parts, context.options->region)
                                     : heddle_parts_sort (context.diagram, parts, by_operation, &problem);

  for (guint i = 0; problem == NULL && i < sorted->len; i++)
    {
      const HeddlePart *part = g_ptr_array_index (sorted, i);
      HeddleStoring storing = { recomputing != NULL ? recomputing->stored : NULL, part->again };
      HeddleKernel *kernel;

      if (part->idle || is_view (&context, part))
        continue;
      if (g_cancellable_set_error_if_cancelled (context.cancellable, &problem))
        break;
      context.storing = recomputing != NULL ? &storing : NULL;
      kernel = reuse != NULL ? heddle_reuse_find (reuse, part) : NULL;
      if (kernel == NULL)
        kernel = heddle_kernel_new (&context, part->region, part->operations, self, &problem);
      if (kernel != NULL)
        add_kernel (&context, self, part, kernel);
    }
  if (problem == NULL)
    return TRUE;
  g_propagate_error (error, problem);
  return FALSE;
}

/* Returns whether level @i is somewhere below level @above. */
static gboolean
is_below (const HeddleMachine *machine, guint i, const char *above)
{
  const HeddleLevel *level = g_ptr_array_index (machine->levels, i);

  while (level->parent >= 0)
    {
      level = g_ptr_array_index (machine->levels, (guint) level->parent);
      if (g_str_equal (level->name, above))
        return TRUE;
    }
  return FALSE;
}

/* Finds the first level that takes labels, and those below it that do; each must lie below the one before. */
static gboolean
find_labelled_levels (HeddleDeriveContext *context, GError **error)
{
  const HeddleMachine *machine = context->options->machine;
  const char *last = NULL;

  for (guint i = 0; i < machine->levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (machine->levels, i);

      if (!level->labels)
        continue;
      if (last == NULL)
        {
          context->level = g_intern_string (level->name);
          context->capacity = level->capacity_bytes;
        }
      else if (context->n_lower < HEDDLE_MAX_LEVELS - 1 && is_below (machine, i, last))
        context->lower[context->n_lower++] = g_intern_string (level->name);
      else
        continue;
      last = level->name;
    }
  if (last == NULL)
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE,
        _ ("%s has no memory level that takes labels"), machine->title);
  return last != NULL;
}

gboolean
heddle_derive_context_init (HeddleDeriveContext *self, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, const HeddleSizes *sizes, const HeddleDeriveOptions *options,
    GCancellable *cancellable, GError **error)
{
  *self = (HeddleDeriveContext){ diagram, schedule, sizes, options };
  self->dtype = options->dtype != HEDDLE_DTYPE_UNSET ? options->dtype : HEDDLE_DTYPE_F16;
  self->abstract = heddle_machine_is_abstract (options->machine);
  self->cancellable = cancellable;
  self->search_cache = options->search_cache;
  if (self->abstract && options->divisors != 0)
    {
      g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
          _ ("%s has no instructions, copies, lines or warps that ask for divisors; label the axes with "
             "them, as "
             "in q:divisor=16"),
          options->machine->title);
      return FALSE;
    }
  return find_labelled_levels (self, error) && heddle_residency_check (self, error);
}

/* Derives a diagram in which all values are laid out as they shall be. */
static HeddleDerivation *
derive_laid (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, const HeddleReuse *reuse, GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleDerivation) self = NULL;
  g_autoptr (HeddleSearchCache) search_cache = NULL;
  g_autoptr (HeddleRegionMemo) memo = heddle_region_memo_new ();
  gint64 start = g_get_monotonic_time ();
  HeddleDeriveContext context = { NULL };

  if (!heddle_derive_context_init (&context, diagram, schedule, sizes, options, cancellable, error))
    return NULL;
  context.memo = memo;
  if (context.search_cache == NULL && options->suggest)
    context.search_cache = search_cache = heddle_search_cache_new ();
  self = g_new0 (HeddleDerivation, 1);
  self->exact = TRUE;
  self->kernels = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_kernel_unref);
  if (!derive_kernels (&context, reuse, self, error))
    return NULL;
  self->held = g_array_sized_new (FALSE, FALSE, sizeof (gint64), self->kernels->len);
  if (!options->lean)
    heddle_derivation_find_peak_memory (self, &context);
  self->milliseconds = (double) (g_get_monotonic_time () - start) / 1e3;
  return g_steal_pointer (&self);
}

/* Returns the operations of the regions that @whole has after those of @schedule. */
static GArray *
find_copied (const HeddleSchedule *schedule, const HeddleSchedule *whole)
{
  GArray *copied = heddle_ids_new ();

  for (guint i = schedule->regions->len; i < whole->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (whole->regions, i);

      g_array_append_vals (copied, region->operations->data, region->operations->len);
    }
  return copied;
}

static HeddleDerivation *
derive_on_one (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, const HeddleReuse *reuse, GCancellable *cancellable, GError **error)
{
  HeddleSchedule *whole = NULL;
  g_autoptr (HeddleDiagram) laid = heddle_schedule_lay_out (schedule, diagram, &whole);
  HeddleDerivation *self = derive_laid (laid != NULL ? laid : diagram, whole != NULL ? whole : schedule,
      sizes, options, reuse, cancellable, error);

  if (self != NULL)
    {
      self->copied = whole != NULL ? find_copied (schedule, whole) : NULL;
      self->laid = g_steal_pointer (&laid);
    }
  g_clear_pointer (&whole, heddle_schedule_free);
  return self;
}

/* Returns a derivation for one GPU, with the reasons why labels above GMEM are refused. */
static HeddleDerivation *
refuse_shards (HeddleSharding *sharding, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error)
{
  HeddleSchedule *below = heddle_schedule_unsharded (schedule, options->machine);
  HeddleDerivation *self = derive_on_one (diagram, below, sizes, options, NULL, cancellable, error);

  heddle_schedule_free (below);
  for (guint i = 0; self != NULL && i < self->kernels->len; i++)
    {
      HeddleKernel *kernel = g_ptr_array_index (self->kernels, i);
      gpointer region, refusal;

      if (kernel->region_id == NULL
          || !g_hash_table_steal_extended (sharding->refusals, kernel->region_id, &region, &refusal))
        continue;
      g_ptr_array_add (kernel->refusals, refusal);
      self->illegal = TRUE;
    }
  return self;
}

/* Adds a kernel's labels above GMEM before those it has on one GPU. */
static void
add_link_labels (HeddleKernel *kernel, const HeddleSchedule *schedule, const HeddleMachine *machine)
{
  const HeddleRegion *region
      = kernel->region_id != NULL ? heddle_schedule_get_region (schedule, kernel->region_id) : NULL;
  guint n = 0;

  for (guint i = 0; region != NULL && i < region->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (region->labels, i);

      if (heddle_machine_find_link (machine, label->level) >= 0)
        g_ptr_array_insert (kernel->labels, (int) n++, heddle_label_copy (label));
    }
}

static HeddleDerivation *sharding_derive (
    HeddleSharding *self, const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error);

/* Derives a diagram whose axes are grouped above GMEM: what one GPU does, and what passes between GPUs. */
static HeddleDerivation *
derive_on_several (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleSharding) sharding
      = heddle_sharding_new (diagram, schedule, sizes, options->machine, options->dtype, error);
  HeddleDerivation *self;

  if (sharding == NULL)
    return NULL;
  if (g_hash_table_size (sharding->refusals) > 0 || options->region != NULL)
    return refuse_shards (sharding, diagram, schedule, sizes, options, cancellable, error);
  self = sharding_derive (sharding, options, cancellable, error);
  if (self == NULL)
    return NULL;
  g_steal_pointer (&sharding);
  for (guint i = 0; i < self->kernels->len; i++)
    add_link_labels (g_ptr_array_index (self->kernels, i), schedule, options->machine);
  return self;
}

void
heddle_derive_set_empty (GError **error)
{
  g_set_error_literal (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_EMPTY,
      _ ("there is nothing to compute: the diagram has no operations"));
}

gboolean
heddle_derive_check_work (const HeddleDiagram *diagram, GError **error)
{
  if (diagram->operations->len == 0)
    heddle_derive_set_empty (error);
  return diagram->operations->len > 0;
}

gboolean
heddle_derive_check_count (const HeddleDiagram *diagram, GError **error)
{
  double arithmetic = heddle_diagram_count_arithmetic (diagram);

  if (diagram->operations->len <= HEDDLE_MOST_OPERATIONS && arithmetic <= HEDDLE_MOST_ARITHMETIC)
    return TRUE;
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LARGE,
      _ ("the diagram has %u operations with %.0f steps of arithmetic, and kernels are searched for and made "
         "of at most %u with %u at a time: cut it into several files"),
      diagram->operations->len, arithmetic, HEDDLE_MOST_OPERATIONS, HEDDLE_MOST_ARITHMETIC);
  return FALSE;
}

HeddleDerivation *
heddle_derive (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (
      diagram != NULL && sizes != NULL && options != NULL && options->machine != NULL, NULL);

  if (!heddle_diagram_is_flat (diagram, error)
      || (options->suggest && options->region == NULL && !heddle_derive_check_count (diagram, error)))
    return NULL;
  if (heddle_schedule_is_sharded (schedule, options->machine))
    return derive_on_several (diagram, schedule, sizes, options, cancellable, error);
  return derive_on_one (diagram, schedule, sizes, options, NULL, cancellable, error);
}

HeddleDerivation *
heddle_derive_from (const HeddleDerivation *earlier, const HeddleSchedule *then, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, const HeddleSizes *sizes, const HeddleDeriveOptions *options,
    GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleReuse) reuse = NULL;

  g_return_val_if_fail (earlier != NULL && diagram != NULL && sizes != NULL && options != NULL, NULL);

  /* What is suggested depends on what was found earlier. */
  if (!options->suggest && !options->lean && options->region == NULL
      && !heddle_schedule_is_sharded (schedule, options->machine))
    reuse = heddle_reuse_new (earlier, then, schedule);
  if (reuse == NULL)
    return heddle_derive (diagram, schedule, sizes, options, cancellable, error);
  if (!heddle_diagram_is_flat (diagram, error))
    return NULL;
  return derive_on_one (diagram, schedule, sizes, options, reuse, cancellable, error);
}

/* This part prices what one of several GPUs does as any derivation of its pieces, and adds what passes
 * between them in series: a collective waits for the kernel before it, and the kernel after it for the
 * collective. */

static void
add_totals (HeddleDerivation *self, const HeddleDerivation *part)
{
  if (part->held_bytes > self->held_bytes)
    {
      self->held_bytes = part->held_bytes;
      self->held_at = self->kernels->len + part->held_at;
    }
  self->transfer_elements += MIN (part->transfer_elements, G_MAXINT64 - self->transfer_elements);
  self->transfer_bytes += MIN (part->transfer_bytes, G_MAXINT64 - self->transfer_bytes);
  self->flops += part->flops;
  self->overlapped_s += part->overlapped_s;
  self->expected_s += part->expected_s;
  self->candidates += part->candidates;
  self->milliseconds += part->milliseconds;
  self->exact = self->exact && part->exact;
  self->illegal = self->illegal || part->illegal;
  if (part->unproved != NULL)
    self->unproved = part->unproved;
}

/* Moves the kernels from @part to @self. */
static void
take_kernels (HeddleDerivation *self, HeddleDerivation *part)
{
  while (part->kernels->len > 0)
    g_ptr_array_add (self->kernels, g_ptr_array_steal_index (part->kernels, 0));
  g_array_append_vals (self->held, part->held->data, part->held->len);
}

static gboolean
has_merges (const HeddleSharding *self, const HeddleShardSegment *segment)
{
  for (guint i = 0; i < segment->diagram->operations->len; i++)
    if (g_hash_table_contains (self->inserted,
            ((const HeddleOperation *) g_ptr_array_index (segment->diagram->operations, i))->id))
      return TRUE;
  return FALSE;
}

static void
take_labels (HeddleSchedule *schedule, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  HeddleRegion *region
      = (HeddleRegion *) heddle_schedule_region_of (schedule, heddle_ids_index (kernel->operations, 0));

  if (region == NULL)
    region = heddle_schedule_fuse_operations (schedule, diagram, kernel->operations);
  for (guint i = 0; i < kernel->labels->len; i++)
    g_ptr_array_add (region->labels, heddle_label_copy (g_ptr_array_index (kernel->labels, i)));
}

/* Returns the schedule of a segment with labels for the kernels that merge what GPUs have, which no document
 * has and nobody can label: the best ones; NULL if there are none such. */
static HeddleSchedule *
label_merges (const HeddleSharding *self, const HeddleShardSegment *segment,
    const HeddleDeriveOptions *options, GCancellable *cancellable)
{
  HeddleDeriveOptions how = *options;
  g_autoptr (HeddleDerivation) best = NULL;
  HeddleSchedule *schedule;

  if (options->suggest || heddle_machine_is_abstract (options->machine) || !has_merges (self, segment))
    return NULL;
  how.suggest = TRUE;
  best = heddle_derive (segment->diagram, segment->schedule, segment->sizes, &how, cancellable, NULL);
  if (best == NULL || best->illegal)
    return NULL;
  schedule = heddle_schedule_copy (segment->schedule);
  for (guint i = 0; i < best->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (best->kernels, i);

      if (g_hash_table_contains (self->inserted, heddle_ids_index (kernel->operations, 0)))
        take_labels (schedule, segment->diagram, kernel);
    }
  return schedule;
}

static gboolean
derive_segment (const HeddleSharding *sharding, HeddleDerivation **self, const HeddleShardSegment *segment,
    const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error)
{
  HeddleDeriveOptions own = *options;
  HeddleSchedule *labelled;
  HeddleDerivation *part;

  own.search_cache = NULL; /* that is of one diagram */
  labelled = label_merges (sharding, segment, &own, cancellable);
  part = heddle_derive (segment->diagram, labelled != NULL ? labelled : segment->schedule, segment->sizes,
      &own, cancellable, error);
  g_clear_pointer (&labelled, heddle_schedule_free);
  if (part == NULL)
    return FALSE;
  if (*self == NULL)
    {
      *self = part;
      return TRUE;
    }
  add_totals (*self, part);
  take_kernels (*self, part);
  heddle_derivation_free (part);
  return TRUE;
}

/* Derives what each GPU does, as heddle_derive () does, with the collectives' time in the totals. The
 * derivation takes @self. Errors are those of heddle_derive (). */
static HeddleDerivation *
sharding_derive (
    HeddleSharding *self, const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleDerivation) derivation = NULL;

  for (guint i = 0; i < self->steps->len; i++)
    {
      const HeddleShardStep *step = g_ptr_array_index (self->steps, i);

      if (step->segment != NULL
          && !derive_segment (self, &derivation, step->segment, options, cancellable, error))
        return NULL;
    }
  if (derivation == NULL)
    return NULL;
  derivation->overlapped_s += self->seconds;
  derivation->expected_s += self->seconds;
  derivation->sharding = self;
  return g_steal_pointer (&derivation);
}

const HeddleDiagram *
heddle_derivation_diagram (const HeddleDerivation *self, const HeddleDiagram *diagram)
{
  if (self->sharding != NULL)
    return self->sharding->diagram;
  return self->laid != NULL ? self->laid : diagram;
}

const HeddleSizes *
heddle_derivation_sizes (const HeddleDerivation *self, const HeddleKernel *kernel, const HeddleSizes *whole)
{
  for (guint i = 0; self->sharding != NULL && i < self->sharding->steps->len; i++)
    {
      const HeddleShardSegment *segment
          = ((const HeddleShardStep *) g_ptr_array_index (self->sharding->steps, i))->segment;

      if (segment != NULL
          && heddle_diagram_get_operation (segment->diagram, heddle_ids_index (kernel->operations, 0))
                 != NULL)
        return segment->sizes;
    }
  return whole;
}

gboolean
heddle_derivation_is_inserted (const HeddleDerivation *self, const HeddleKernel *kernel)
{
  const char *first = heddle_ids_index (kernel->operations, 0);

  return (self->sharding != NULL && g_hash_table_contains (self->sharding->inserted, first))
         || (self->copied != NULL && heddle_ids_contain (self->copied, first));
}

/* --- what links carry ---------------------------------------------------------------------- */

GArray *
heddle_sharding_traffic (const HeddleSharding *self)
{
  GArray *traffic = g_array_new (FALSE, TRUE, sizeof (HeddleLinkTraffic));

  for (guint l = 0; self != NULL && l < self->n_links; l++)
    {
      HeddleLinkTraffic sum = { l, 0., 0. };

      for (guint i = 0; i < self->steps->len; i++)
        {
          const HeddleShardStep *step = g_ptr_array_index (self->steps, i);

          if (step->segment != NULL || step->link != l)
            continue;
          sum.sent_bytes += step->sent_bytes;
          sum.seconds += step->seconds;
        }
      if (self->ways[l] > 1)
        g_array_append_val (traffic, sum);
    }
  return traffic;
}
