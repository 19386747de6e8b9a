/* SPDX-License-Identifier: MIT */
#include "codegen/plan/derive.h"
#include "codegen/plan/found-labels.h"
#include "codegen/plan/heads.h"
#include "codegen/plan/priced-region.h"
#include "codegen/plan/tiles.h"
#include "derive/kernel/search-cache.h"
#include "derive/machine/derive-options.h"
#include "derive/region/region.h"

/* The name under which prices are kept. */
#define TOPIC "priced regions"

typedef struct
{
  double seconds;
  GArray *labels; /* found labels */
} Priced;

static void
priced_free (gpointer data)
{
  Priced *self = data;

  g_array_unref (self->labels);
  g_free (self);
}

static GBytes *
key_of (const HeddleDiagram *diagram, const HeddlePlan *plan, const HeddleRegionTerm *term,
    GCancellable *cancellable)
{
  const HeddleDeriveOptions options = { .machine = plan->machine,
    .dtype = plan->dtype,
    .objective = HEDDLE_OBJECTIVE_TIME,
    .stages = 1,
    .plain = TRUE,
    .product_shares = heddle_plan_shares_of (plan) };

  return heddle_found_labels_key (diagram, term, plan, &options, cancellable);
}

/* Returns whether nothing but the region's operations decides what it takes, and the plan keeps what it found. */
static gboolean
is_alone (const HeddlePlan *plan, const HeddleSchedule *schedule, const HeddleRegion *region)
{
  return plan->search_cache != NULL && schedule->regions->len == 1 && region->labels->len == 0
         && schedule->residency->len == 0 && schedule->recomputed->len == 0;
}

static void
keep (const HeddlePlan *plan, const HeddleRegionTerm *term, GBytes *key, const HeddleRegion *region,
    double seconds, GCancellable *cancellable)
{
  GArray *labels = heddle_found_labels_new (term, region->labels);
  Priced *priced;

  if (labels == NULL || g_cancellable_is_cancelled (cancellable))
    {
      g_clear_pointer (&labels, g_array_unref);
      return;
    }
  priced = g_new (Priced, 1);
  *priced = (Priced){ seconds, labels };
  heddle_search_cache_store (plan->search_cache, TOPIC, key, priced, priced_free);
}

double
heddle_plan_price_region_once (const HeddleDiagram *diagram, HeddleSchedule *schedule, HeddleRegion *region,
    const HeddlePlan *plan, GHashTable *priced, GCancellable *cancellable)
{
  g_autoptr (HeddleRegionTerm) term = is_alone (plan, schedule, region) ? heddle_region_term_new (
                                          diagram, region->operations, plan->sizes, NULL)
                                                                        : NULL;
  g_autoptr (GBytes) key = term != NULL ? key_of (diagram, plan, term, cancellable) : NULL;
  const Priced *known = key != NULL ? heddle_search_cache_lookup (plan->search_cache, TOPIC, key) : NULL;
  double seconds;

  if (key != NULL && priced != NULL)
    g_hash_table_add (priced, g_bytes_ref (key));
  if (known != NULL)
    {
      g_autoptr (GPtrArray) labels = heddle_found_labels_name (known->labels, term);

      g_ptr_array_extend_and_steal (region->labels, g_steal_pointer (&labels));
      return known->seconds;
    }
  seconds = heddle_plan_price_region (diagram, schedule, region, plan, cancellable);
  if (key != NULL)
    keep (plan, term, key, region, seconds, cancellable);
  return seconds;
}

HeddleDerivation *
heddle_plan_derive_alone (
    const HeddleDiagram *diagram, const GArray *operations, const HeddlePlan *plan, GCancellable *cancellable)
{
  HeddleSchedule *alone = heddle_schedule_new (diagram->id);
  HeddleRegion *region = heddle_schedule_add_region (alone);
  HeddleDerivation *derivation;

  g_array_append_vals (region->operations, operations->data, operations->len);
  heddle_plan_price_region_once (diagram, alone, region, plan, NULL, cancellable);
  derivation = heddle_plan_derive (diagram, alone, region, plan, cancellable, NULL);
  heddle_schedule_free (alone);
  return derivation;
}
