/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/base/codegen.h"
#include "codegen/plan/climb.h"
#include "codegen/plan/derive.h"
#include "codegen/plan/found-labels.h"
#include "codegen/plan/layouts.h"
#include "codegen/plan/plan.h"
#include "codegen/plan/priced-region.h"
#include "codegen/plan/suggest.h"
#include "codegen/plan/tiles.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/search-cache.h"
#include "derive/region/region.h"
#include "derive/shard/layout.h"
#include "derive/shard/shard.h"
#include "diagram/base/dtype.h"
#include "diagram/document/layout.h"

/* This file corrects suggested labels. The best labels by the model know memory and rates, not what a family
 * of kernels can hold: the tensor core's sums are in registers, in tiles of its own shapes. A person who
 * takes such labels would take a slower kernel away than without any. Kernels of products that have no tile
 * program as the model labels them get the labels that a plan would choose; the model then prices those. */

static const HeddleRegion *
region_of (const HeddleKernel *kernel, const HeddleSchedule *schedule)
{
  return kernel->region_id != NULL && schedule != NULL
             ? heddle_schedule_get_region ((HeddleSchedule *) schedule, kernel->region_id)
             : NULL;
}

/* Returns whether a person gave the kernel tiles: those are completed as they are. */
static gboolean
is_labelled (const HeddleKernel *kernel, const HeddleSchedule *schedule)
{
  const HeddleRegion *region = region_of (kernel, schedule);

  return region != NULL && region->labels->len > 0;
}

/* The name under which labels that were found for one kernel are kept for others: layers of a network have the same
 * kernels but for names, and rewrites of it most of them. */
#define TOPIC "suggested labels"

typedef struct
{
  const HeddlePlan *plan;
  const HeddleDiagram *diagram;
  GCancellable *cancellable;
  HeddleDeriveOptions options; /* of the keys */
} Finder;

static double
share_of (const Finder *self, const HeddleKernel *kernel)
{
  return heddle_plan_product_shares (self->diagram, kernel->program, self->plan->sizes, &self->options)
      .tensor;
}

/* Returns whether the one kernel of @derivation is faster than @kernel, as both would be emitted, and is for
 * the tensor core if that is. Where its instructions are the faster ones, the price of the tile programs
 * counts, which includes waits within a step: slower instructions come with small tiles. */
static gboolean
is_better (const Finder *self, const HeddleDerivation *derivation, const HeddleKernel *kernel)
{
  const HeddlePlan *plan = self->plan;
  const HeddleKernel *alone
      = derivation->kernels->len == 1 ? g_ptr_array_index (derivation->kernels, 0) : NULL;

  if (alone == NULL
      || (!heddle_plan_has_tiles (plan, self->diagram, alone)
          && heddle_plan_has_tiles (plan, self->diagram, kernel)))
    return FALSE;
  if (heddle_plan_has_tiles (plan, self->diagram, kernel) && share_of (self, alone) > share_of (self, kernel))
    return heddle_plan_tile_seconds (plan, self->diagram, alone)
           < heddle_plan_tile_seconds (plan, self->diagram, kernel);
  return heddle_plan_price_of (plan, self->diagram, alone)
         < heddle_plan_price_of (plan, self->diagram, kernel);
}

/* Returns the kernel by itself, labelled as a plan labels it; %NULL if that is not faster. */
static HeddleDerivation *
derive_alone (const Finder *self, const HeddleKernel *kernel)
{
  HeddleDerivation *derivation
      = heddle_plan_derive_alone (self->diagram, kernel->operations, self->plan, self->cancellable);

  if (derivation != NULL && !is_better (self, derivation, kernel))
    g_clear_pointer (&derivation, heddle_derivation_free);
  return derivation;
}

/* Returns whether a search knows less of the kernel than what is emitted takes: it has products, or threads that
 * compute indices and wait. */
static gboolean
may_climb (const HeddleKernel *kernel)
{
  return kernel->tensor_flops > 0 || kernel->parts[HEDDLE_TIME_THREADS] > 0;
}

/* Returns the labels found; an empty array if nothing is better. Transfer full. */
static GArray *
find_alone (const Finder *self, const HeddleRegionTerm *term, const HeddleKernel *kernel)
{
  g_autoptr (HeddleDerivation) alone = derive_alone (self, kernel);
  const HeddleKernel *from = alone != NULL ? g_ptr_array_index (alone->kernels, 0) : kernel;
  g_autoptr (HeddleDerivation) climbed
      = may_climb (from) ? heddle_plan_climb (self->plan, self->diagram, from, self->cancellable) : NULL;
  const HeddleDerivation *best = climbed != NULL ? climbed : alone;
  GArray *found = best != NULL ? heddle_found_labels_new (
                      term, ((const HeddleKernel *) g_ptr_array_index (best->kernels, 0))->labels)
                               : NULL;

  g_autoptr (GPtrArray) none = g_ptr_array_new ();

  return found != NULL ? found : heddle_found_labels_new (term, none);
}

/* Returns a key that kernels share which differ by names alone, and were labelled and priced alike before; NULL if
 * there is none. */
static GBytes *
key_of (const Finder *self, const HeddleRegionTerm *term, const HeddleKernel *kernel)
{
  g_autoptr (GBytes) of_term
      = heddle_found_labels_key (self->diagram, term, self->plan, &self->options, self->cancellable);
  g_autoptr (GArray) labels = term != NULL ? heddle_found_labels_new (term, kernel->labels) : NULL;
  GByteArray *key;

  if (of_term == NULL || labels == NULL)
    return NULL;
  key = g_bytes_unref_to_array (g_steal_pointer (&of_term));
  g_byte_array_append (key, (const guint8 *) labels->data, labels->len * g_array_get_element_size (labels));
  g_byte_array_append (key, (const guint8 *) &kernel->expected_s, sizeof kernel->expected_s);
  return g_byte_array_free_to_bytes (key);
}

/* Returns labels with which the kernel is faster as it is emitted, or NULL. Transfer full. */
static GPtrArray *
find_labels (Finder *self, const HeddleKernel *kernel)
{
  g_autoptr (HeddleRegionTerm) term
      = heddle_region_term_new (self->diagram, kernel->operations, self->plan->sizes, NULL);
  g_autoptr (GBytes) key = term != NULL ? key_of (self, term, kernel) : NULL;
  const GArray *known
      = key != NULL ? heddle_search_cache_lookup (self->plan->search_cache, TOPIC, key) : NULL;
  g_autoptr (GArray) found = NULL;

  if (term == NULL)
    return NULL;
  if (known != NULL)
    return known->len > 0 ? heddle_found_labels_name (known, term) : NULL;
  found = find_alone (self, term, kernel);
  if (key != NULL && !g_cancellable_is_cancelled (self->cancellable))
    heddle_search_cache_store (
        self->plan->search_cache, TOPIC, key, g_array_ref (found), (GDestroyNotify) g_array_unref);
  return found->len > 0 ? heddle_found_labels_name (found, term) : NULL;
}

/* Returns a label in words, such as "b grouped by 4 in SMEM". */
static char *
describe_label (const HeddleDiagram *diagram, const HeddleLabel *label)
{
  const char *axis = heddle_diagram_get_axis (diagram, label->axis)->name;
  g_autofree char *level = g_ascii_strup (label->level, -1);

  return g_strdup_printf (
      label->kind == HEDDLE_LABEL_STREAM ? _ ("%s streamed by %lld in %s") : _ ("%s grouped by %lld in %s"),
      axis, (long long) label->size, level);
}

/* Returns the labels of a kernel in words; those that only bound sizes or order loops are no reason. */
static char *
describe_labels (const HeddleDiagram *diagram, const GPtrArray *labels)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (labels, i);
      g_autofree char *words = label->kind <= HEDDLE_LABEL_STREAM ? describe_label (diagram, label) : NULL;

      if (words != NULL)
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", words);
    }
  return g_string_free (text, FALSE);
}

/* Returns a sentence that says what keeps the tiles from being the model's. @fault (nullable) says why the
 * tensor core could not run those. */
static char *
explain (const HeddleDiagram *diagram, const HeddleKernel *kernel, const char *fault)
{
  g_autofree char *labels = describe_labels (diagram, kernel->labels);

  if (kernel->tensor_flops <= 0)
    return g_strdup_printf (_ ("threads: %s would take %.4g µs for indices, waiting and arithmetic"), labels,
        kernel->expected_s * 1e6);
  if (fault == NULL)
    return g_strdup_printf (
        _ ("tensor core: %s would take %.4g µs with the instructions that there are for such tiles"), labels,
        kernel->expected_s * 1e6);
  return g_strdup_printf (_ ("tensor core: %s would leave it unused and take %.4g µs: %s"), labels,
      kernel->expected_s * 1e6, fault);
}

/* Gives the layout the labels of the kernel that copies the input, unless it has some already. */
static void
take_copy_labels (HeddleValueLayout *layout, const GPtrArray *labels)
{
  gboolean labelled = layout->labels->len > 0;

  for (guint i = 0; !labelled && i < labels->len; i++)
    g_ptr_array_add (layout->labels, heddle_label_copy (g_ptr_array_index (labels, i)));
}

static void
take_labels (HeddleSchedule *schedule, const HeddleDiagram *diagram, const HeddleKernel *kernel,
    const GPtrArray *labels)
{
  HeddleRegion *region
      = kernel->region_id != NULL ? heddle_schedule_get_region (schedule, kernel->region_id) : NULL;
  HeddleValueLayout *layout
      = heddle_schedule_get_copied (schedule, diagram, heddle_ids_index (kernel->operations, 0));

  if (layout != NULL)
    {
      take_copy_labels (layout, labels);
      return;
    }
  if (region == NULL)
    region = heddle_schedule_fuse_operations (schedule, diagram, kernel->operations);
  for (guint i = 0; i < labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (labels, i);

      if (heddle_region_get_label (region, label->axis, label->level, label->kind) == NULL)
        g_ptr_array_add (region->labels, heddle_label_copy (label));
    }
}

typedef struct
{
  HeddleSchedule *schedule; /* with all labels */
  GPtrArray *reasons; /* for each kernel: why it has others than the model's; NULL: it has the model's */
  gboolean some;
} Chosen;

static void
choose (Chosen *self, Finder *finder, const HeddleSchedule *given, const HeddleDerivation *best)
{
  for (guint i = 0; i < best->kernels->len && !g_cancellable_is_cancelled (finder->cancellable); i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (best->kernels, i);
      gboolean open = kernel->program != NULL && kernel->again->len == 0 && !is_labelled (kernel, given);
      g_autofree char *fault = open && kernel->tensor_flops > 0
                                   ? heddle_plan_find_fault (finder->plan, finder->diagram, kernel)
                                   : NULL;
      g_autoptr (GPtrArray) labels = open ? find_labels (finder, kernel) : NULL;

      take_labels (self->schedule, finder->diagram, kernel, labels != NULL ? labels : kernel->labels);
      g_ptr_array_add (self->reasons, labels != NULL ? explain (finder->diagram, kernel, fault) : NULL);
      self->some |= labels != NULL;
    }
}

static gboolean
is_same_kernel (const HeddleKernel *a, const HeddleKernel *b)
{
  return a->operations->len == b->operations->len
         && memcmp (a->operations->data, b->operations->data, a->operations->len * sizeof (char *)) == 0;
}

/* Takes over the search's claims, which hold for kernels as it labelled them, and for the whole. */
static gboolean
take_over (HeddleDerivation *derivation, const HeddleDerivation *best, const Chosen *chosen)
{
  if (derivation->illegal || derivation->kernels->len != best->kernels->len)
    return FALSE;
  for (guint i = 0; i < best->kernels->len; i++)
    {
      const HeddleKernel *from = g_ptr_array_index (best->kernels, i);
      HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);
      const char *reason = g_ptr_array_index (chosen->reasons, i);

      if (!is_same_kernel (from, kernel) || (from->fits && !kernel->fits && reason == NULL))
        return FALSE;
      kernel->region_id = from->region_id;
      g_free (kernel->binding);
      kernel->binding = g_strdup (reason != NULL ? reason : from->binding);
      g_free (kernel->runner_up);
      kernel->runner_up = reason != NULL ? NULL : g_strdup (from->runner_up);
    }
  derivation->candidates = best->candidates;
  derivation->milliseconds = best->milliseconds;
  derivation->exact = best->exact;
  derivation->unproved = best->unproved;
  return TRUE;
}

/* Withdraws the proof of the search, which holds for kernels that reach the units' rates. Products reach what
 * their instructions do, with tiles whose sums are in registers, and threads of plain loops wait longer than
 * the units work; the search knows of neither. */
static HeddleDerivation *
leave_unproved (HeddleDerivation *self)
{
  for (guint i = 0; i < self->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (self->kernels, i);

      if (kernel->tensor_flops > 0 || kernel->parts[HEDDLE_TIME_THREADS] > 0)
        self->exact = FALSE;
    }
  if (!self->exact && self->unproved == NULL)
    self->unproved
        = N_ ("the share of the units’ rates that products reach is known only for the labels found");
  return self;
}

gboolean
heddle_plan_is_for_kernels (const HeddleSchedule *schedule, const HeddleDeriveOptions *options)
{
  return options->machine->arch != NULL && g_str_has_prefix (options->machine->arch, "sm_")
         && options->objective == HEDDLE_OBJECTIVE_TIME
         && (schedule == NULL || !heddle_schedule_is_sharded (schedule, options->machine));
}

/* Returns the best labels for values as the schedule lays them out. */
static HeddleDerivation *
suggest_labels (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error)
{
  HeddleDeriveOptions how = *options;
  g_autoptr (HeddleDerivation) best = NULL, derivation = NULL;
  g_autoptr (GPtrArray) reasons = g_ptr_array_new_with_free_func (g_free);
  Finder finder = { plan, diagram, cancellable, *options };
  Chosen chosen = { .reasons = reasons };

  how.suggest = TRUE;
  how.product_shares = heddle_plan_shares_of (plan);
  best = heddle_derive (diagram, schedule, plan->sizes, &how, cancellable, error);
  if (best == NULL || best->illegal || !heddle_plan_is_for_kernels (schedule, options))
    return g_steal_pointer (&best);
  finder.diagram = heddle_derivation_diagram (best, diagram);
  chosen.schedule = schedule != NULL ? heddle_schedule_copy (schedule) : heddle_schedule_new (diagram->id);
  choose (&chosen, &finder, schedule, best);
  how.suggest = FALSE;
  if (chosen.some)
    derivation = heddle_derive (diagram, chosen.schedule, plan->sizes, &how, cancellable, NULL);
  heddle_schedule_free (chosen.schedule);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return leave_unproved (derivation != NULL && take_over (derivation, best, &chosen)
                             ? g_steal_pointer (&derivation)
                             : g_steal_pointer (&best));
}

/* Gives the regions of the whole the labels of what one GPU does. What merges parts is in no document. */
static void
take_part (HeddleSchedule *schedule, const HeddleDiagram *diagram, const HeddleDerivation *part)
{
  for (guint i = 0; i < part->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (part->kernels, i);
      const char *first = heddle_ids_index (kernel->operations, 0);
      HeddleRegion *region = (HeddleRegion *) heddle_schedule_region_of (schedule, first);

      if (heddle_diagram_get_operation (diagram, first) == NULL)
        continue;
      if (region == NULL)
        region = heddle_schedule_fuse_operations (schedule, diagram, kernel->operations);
      for (guint k = 0; k < kernel->labels->len; k++)
        {
          const HeddleLabel *label = g_ptr_array_index (kernel->labels, k);

          if (heddle_region_get_label (region, label->axis, label->level, label->kind) == NULL)
            g_ptr_array_add (region->labels, heddle_label_copy (label));
        }
    }
}

/* Returns the schedule with the best labels for what each GPU does between two collectives; NULL with @error
 * (unset where a label above global memory is refused). */
static HeddleSchedule *
label_segments (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleSharding) sharding
      = heddle_sharding_new (diagram, schedule, plan->sizes, options->machine, options->dtype, error);
  HeddleSchedule *whole;

  if (sharding == NULL || g_hash_table_size (sharding->refusals) > 0)
    return NULL;
  whole = heddle_schedule_copy (schedule);
  for (guint i = 0; i < sharding->steps->len; i++)
    {
      const HeddleShardSegment *segment
          = ((const HeddleShardStep *) g_ptr_array_index (sharding->steps, i))->segment;
      g_autoptr (HeddleSearchCache) search_cache = heddle_search_cache_new (); /* of one diagram */
      g_autoptr (HeddleDerivation) part = NULL;
      HeddlePlan own = *plan;
      HeddleDeriveOptions how = *options;

      if (segment == NULL)
        continue;
      own.sizes = segment->sizes;
      own.search_cache = how.search_cache = search_cache;
      part = suggest_labels (&own, segment->diagram, segment->schedule, &how, cancellable, error);
      if (part == NULL || part->illegal)
        {
          heddle_schedule_free (whole);
          return NULL;
        }
      take_part (whole, diagram, part);
    }
  return whole;
}

/* Returns the best labels where axes are grouped over GPUs. */
static HeddleDerivation *
suggest_sharded (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error)
{
  HeddleDeriveOptions how = *options;
  g_autoptr (GError) why = NULL;
  HeddleSchedule *whole = label_segments (plan, diagram, schedule, options, cancellable, &why);
  HeddleDerivation *derivation;

  if (why != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return NULL;
    }
  how.product_shares = heddle_plan_shares_of (plan);
  how.suggest = whole == NULL;
  derivation
      = heddle_derive (diagram, whole != NULL ? whole : schedule, plan->sizes, &how, cancellable, error);
  g_clear_pointer (&whole, heddle_schedule_free);
  return derivation != NULL ? leave_unproved (derivation) : NULL;
}

/* Returns whether axes are grouped over the GPUs of a machine whose kernels are wanted for their time. */
static gboolean
is_for_gpus (const HeddleSchedule *schedule, const HeddleDeriveOptions *options)
{
  return schedule != NULL && heddle_schedule_is_sharded (schedule, options->machine)
         && heddle_plan_is_for_kernels (NULL, options);
}

/* Returns whether a person has left places, recomputation and tiles to the search. */
static gboolean
is_open (const HeddleSchedule *schedule)
{
  return schedule == NULL
         || (schedule->residency->len == 0 && schedule->recomputed->len == 0
             && !heddle_schedule_has_labels (schedule));
}

/* Takes in place of @best, where they are faster, the same kernels with what passes between them in other
 * orders. */
static HeddleDerivation *
suggest_layouts (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    HeddleDerivation *best, const HeddleDeriveOptions *options, GCancellable *cancellable)
{
  g_autoptr (HeddleDiagram) laid
      = heddle_plan_find_layouts (plan, heddle_derivation_diagram (best, diagram), best, cancellable);
  HeddleSchedule *own;
  HeddleDerivation *other;

  if (laid == NULL)
    return best;
  own = schedule != NULL ? heddle_schedule_copy (schedule) : heddle_schedule_new (diagram->id);
  heddle_schedule_take_layouts (own, diagram, laid);
  other = suggest_labels (plan, diagram, own, options, cancellable, NULL);
  heddle_schedule_free (own);
  if (heddle_plan_price (diagram, plan->sizes, options, other)
      < heddle_plan_price (diagram, plan->sizes, options, best))
    {
      heddle_derivation_free (best);
      return other;
    }
  heddle_derivation_free (other);
  return best;
}

/**
 * heddle_plan_suggest:
 *
 * Derives as heddle_derive() does with @options->suggest, which finds the best labels by the model; but a product that would lose the tensor core by them
 * gets those that a plan chooses for a kernel without labels, and `binding` says so. Where nobody has said anything of the kernels, what passes between
 * them is laid out in memory as they want it (heddle_plan_applied () writes that down).
 *
 * Returns: (transfer full) (nullable): the derivation; %NULL with @error: as heddle_derive()
 */
HeddleDerivation *
heddle_plan_suggest (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleSearchCache) search_cache
      = options->search_cache == NULL ? heddle_search_cache_new () : NULL;
  HeddlePlan plan = heddle_plan_of_options (sizes, options);
  HeddleDerivation *best;

  if (search_cache != NULL)
    plan.search_cache = search_cache;
  if (is_for_gpus (schedule, options))
    return suggest_sharded (&plan, diagram, schedule, options, cancellable, error);
  best = suggest_labels (&plan, diagram, schedule, options, cancellable, error);
  if (best == NULL || best->illegal || !is_open (schedule) || !heddle_plan_is_for_kernels (schedule, options)
      || options->budget_bytes != 0 || options->divisors != 0 || options->stages > 1)
    return best;
  return suggest_layouts (&plan, diagram, schedule, best, options, cancellable);
}
