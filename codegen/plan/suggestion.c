/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "codegen/plan/by-pieces.h"
#include "codegen/plan/cut.h"
#include "codegen/plan/derive.h"
#include "codegen/plan/parted.h"
#include "codegen/plan/suggest.h"
#include "codegen/plan/suggestion.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/expand-oversized.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/divisors-machine.h"
#include "derive/region/view.h"
#include "derive/report/layouts.h"
#include "derive/shard/layout.h"
#include "derive/suggest/recompute-search.h"
#include "derive/suggest/shard-suggest.h"

/* This file makes suggestions. A search cuts the diagram into kernels, finds what to compute again, and
 * labels them. If all of it is open, the result is compared with what a plan makes of the diagram, and the
 * faster one is suggested. */

typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSizes *sizes;
  const HeddleDeriveOptions *options;
  GCancellable *cancellable;
} Search;

gboolean
heddle_plan_is_free (const HeddleDiagram *diagram, const HeddleSchedule *own)
{
  if (own == NULL)
    return TRUE;
  for (guint i = 0; i < own->residency->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (own->residency, i);

      if (place->column != NULL || heddle_diagram_get_producer (diagram, place->value) != NULL)
        return FALSE;
    }
  return own->regions->len == 0 && own->recomputed->len == 0;
}

HeddleSchedule *
heddle_plan_statements (const HeddleDiagram *diagram, const HeddleSchedule *own, const HeddleMachine *machine)
{
  HeddleSchedule *schedule = heddle_schedule_fuse (diagram, own, "none", NULL);

  heddle_schedule_take_links (schedule, own, machine);
  return schedule;
}

HeddleSchedule *
heddle_plan_input_places (const HeddleDiagram *diagram, const HeddleSchedule *own)
{
  HeddleSchedule *schedule = heddle_schedule_new (diagram->id);

  for (guint i = 0; own != NULL && i < own->residency->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (own->residency, i);

      if (place->column == NULL && heddle_diagram_get_producer (diagram, place->value) == NULL)
        heddle_schedule_set_residency (schedule, place->value, NULL, place->level);
    }
  return schedule;
}

HeddleSchedule *
heddle_plan_suggest_kernels (const HeddleDiagram *diagram, const HeddleSchedule *given,
    const HeddleSchedule *statements, const HeddleSizes *sizes, const HeddleDeriveOptions *options,
    GCancellable *cancellable, HeddleFusion *fusion, GError **error)
{
  HeddleDeriveOptions how = *options;

  /* Nobody knows what products reach with the labels that a search passes over: that would count against some
   * cuts alone. */
  how.product_shares = NULL;
  if (statements != NULL && heddle_schedule_is_sharded (statements, options->machine))
    return heddle_sharding_suggest (diagram, statements, sizes, &how, cancellable, fusion, error);
  return heddle_schedule_suggest (diagram, given, sizes, &how, cancellable, fusion, error);
}

/* --- other kernels for the whole --- */

/* Returns the operations of each kernel. Kernels that only copy arrays into another order are left out: they
 * belong to no cut. */
static char *
describe_kernels (const HeddleDiagram *diagram, const HeddleDerivation *derivation)
{
  const HeddleDiagram *derived = heddle_derivation_diagram (derivation, diagram);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      if (!heddle_derivation_is_inserted (derivation, kernel))
        heddle_fusion_describe_kernel (text, derived, kernel->operations);
    }
  return g_string_free (text, FALSE);
}

/* Makes what was found so far the second-best, after @derivation, which has the price @cost. */
static void
put_first (HeddleFusion *fusion, const HeddleDiagram *diagram, const HeddleDerivation *derivation,
    double cost, double before)
{
  g_autofree char *chosen = describe_kernels (diagram, derivation);

  fusion->cost = cost;
  if (g_strcmp0 (chosen, fusion->chosen) == 0)
    return;
  g_free (fusion->second);
  fusion->second = fusion->chosen;
  fusion->second_cost = before;
  fusion->chosen = g_steal_pointer (&chosen);
  fusion->exact = FALSE;
}

static double
price_of (const Search *search, const HeddleDerivation *derivation)
{
  return heddle_plan_price (search->diagram, search->sizes, search->options, derivation);
}

/* Takes @schedule (nullable) and its @derivation (nullable) in place of what there is where those kernels
 * take less than @longer times as long, as they would be emitted. */
static void
try_schedule (HeddlePlanSuggestion *self, const Search *search, HeddleSchedule *schedule,
    HeddleDerivation *derivation, double longer)
{
  double cost = price_of (search, derivation), before = price_of (search, self->derivation);

  if (cost >= longer * before || !heddle_derivation_fits (derivation))
    {
      g_clear_pointer (&derivation, heddle_derivation_free);
      g_clear_pointer (&schedule, heddle_schedule_free);
      return;
    }
  put_first (&self->fusion, search->diagram, derivation, cost, before);
  derivation->candidates = self->derivation->candidates;
  derivation->exact = self->derivation->exact;
  derivation->unproved = self->derivation->unproved;
  heddle_derivation_free (self->derivation);
  self->derivation = derivation;
  heddle_schedule_free (self->schedule);
  self->schedule = schedule;
  g_clear_pointer (&self->recomputing, g_free);
}

/* The number of a diagram's operations, without views, up to which a thorough plan is made: that takes seconds
 * for two hundred, and minutes for a thousand. */
#define MOST_PLANNED 256

/* Returns how many operations are no views. */
static guint
count_kernels (const Search *search)
{
  guint n = 0;

  for (guint i = 0; i < search->diagram->operations->len; i++)
    n += !heddle_view_is (
        search->diagram, search->sizes, NULL, g_ptr_array_index (search->diagram->operations, i));
  return n;
}

/* Returns the derivation of a schedule with all labels. */
static HeddleDerivation *
derive_labelled (const Search *search, const HeddleSchedule *schedule)
{
  HeddleDeriveOptions given = *search->options;

  given.suggest = FALSE;
  return heddle_derive (search->diagram, schedule, search->sizes, &given, search->cancellable, NULL);
}

/* Tries a complete schedule, if there is one. */
static void
try_labelled (HeddlePlanSuggestion *self, const Search *search, HeddleSchedule *schedule)
{
  if (schedule != NULL)
    try_schedule (self, search, schedule, derive_labelled (search, schedule), 1.);
}

static HeddleSchedule *
suggest_piece (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleDeriveOptions *options,
    GCancellable *cancellable)
{
  g_auto (HeddlePlanSuggestion) found = { NULL };

  if (!heddle_plan_suggestion_init (&found, diagram, NULL, sizes, options, cancellable, NULL))
    return NULL;
  return heddle_plan_applied (diagram, found.schedule, found.derivation, options->machine, options->dtype);
}

/* Tries the kernels of @cut (transfer full), with the labels that are suggested for them, in place of all kernels
 * of @fused and of those alone that take longer. */
static void
try_cut (HeddlePlanSuggestion *self, const Search *search, const HeddlePlanCut *fused, HeddleSchedule *cut)
{
  HeddleDerivation *parts
      = heddle_plan_suggest (search->diagram, cut, search->sizes, search->options, search->cancellable, NULL);

  if (parts != NULL && !parts->illegal)
    {
      HeddleSchedule *labelled = heddle_plan_applied (
          search->diagram, cut, parts, search->options->machine, search->options->dtype);

      try_labelled (self, search,
          heddle_plan_take_better (
              search->diagram, search->sizes, search->options, fused, &(HeddlePlanCut){ labelled, parts }));
      heddle_schedule_free (labelled);
    }
  try_schedule (self, search, cut, parts, 1.);
}

/* Tries a kernel for each statement. */
static void
try_statements (HeddlePlanSuggestion *self, const Search *search)
{
  const HeddleMachine *machine = search->options->machine;
  HeddleSchedule *fused = heddle_plan_applied (
      search->diagram, self->schedule, self->derivation, machine, search->options->dtype);

  try_cut (self, search, &(HeddlePlanCut){ fused, self->derivation },
      heddle_plan_statements (search->diagram, NULL, machine));
  heddle_schedule_free (fused);
}

/* Tries the better kernels of what was found so far and of a plan, with values in memory as in either of them. */
static void
try_both (HeddlePlanSuggestion *self, const Search *search, const HeddlePlanCut *planned)
{
  HeddleSchedule *found = heddle_plan_applied (
      search->diagram, self->schedule, self->derivation, search->options->machine, search->options->dtype);
  const HeddlePlanCut own = { found, self->derivation };
  HeddleSchedule *as_planned
      = heddle_plan_take_better (search->diagram, search->sizes, search->options, planned, &own),
      *as_found = heddle_plan_take_better (search->diagram, search->sizes, search->options, &own, planned);

  try_labelled (self, search, as_planned);
  try_labelled (self, search, as_found);
  heddle_schedule_free (found);
}

/* Tries the kernels of a plan: of the one that is exported, or of a thorough one if that does not take long. A plan
 * tries a few tiles for each kernel, by which it decides what to fuse: its kernels are tried with the labels that are
 * suggested for them, too. */
static void
try_plan (HeddlePlanSuggestion *self, const Search *search, gboolean thorough)
{
  HeddleSchedule *planned
      = !thorough || count_kernels (search) <= MOST_PLANNED
            ? heddle_plan_cut (search->diagram, search->sizes, search->options, thorough, search->cancellable)
            : NULL;
  HeddleDerivation *derivation;
  HeddleSchedule *cut;

  if (planned == NULL)
    return;
  derivation = derive_labelled (search, planned);
  cut = heddle_schedule_copy (planned);
  for (guint i = 0; i < cut->regions->len; i++)
    g_ptr_array_set_size (((HeddleRegion *) g_ptr_array_index (cut->regions, i))->labels, 0);
  if (derivation != NULL)
    {
      try_both (self, search, &(HeddlePlanCut){ planned, derivation });
      try_cut (self, search, &(HeddlePlanCut){ planned, derivation }, g_steal_pointer (&cut));
    }
  g_clear_pointer (&cut, heddle_schedule_free);
  try_schedule (self, search, planned, derivation, thorough ? 1. : HEDDLE_PLAN_ALIKE);
}

/* Tries what was found without computing anything again (@stored), what is found for each layer by itself,
 * what a plan makes of the diagram if nothing is asked for, and, unless that was done for each layer, what a
 * thorough plan makes of it, and kernels of fewer statements. */
static void
try_others (HeddlePlanSuggestion *self, const Search *search, const HeddleSchedule *stored)
{
  gboolean are_most;
  HeddleSchedule *layers = heddle_plan_suggest_by_pieces (
      search->diagram, search->sizes, search->options, suggest_piece, &are_most, search->cancellable);
  gboolean layered = layers != NULL && are_most;

  if (self->schedule->recomputed->len > 0)
    try_schedule (self, search, heddle_schedule_copy (stored),
        heddle_plan_suggest (
            search->diagram, stored, search->sizes, search->options, search->cancellable, NULL),
        1.);
  try_labelled (self, search, layers);
  try_plan (self, search, FALSE);
  if (layered)
    return;
  try_plan (self, search, TRUE);
  try_statements (self, search);
}

/* Drops the search's second-best cut if it is not known to be second: its price is that of the search, and
 * the kernels as they would be emitted may take longer than that. */
static void
drop_unpriced (HeddleFusion *fusion)
{
  if (fusion->second != NULL && fusion->second_cost < fusion->cost)
    g_clear_pointer (&fusion->second, g_free);
}

/* Returns whether a plan can handle everything that is asked for. */
static gboolean
is_for_plans (const HeddleSchedule *schedule, const HeddleDeriveOptions *options)
{
  return schedule->residency->len == 0 && options->budget_bytes == 0 && options->divisors == 0
         && options->stages <= 1 && heddle_plan_is_for_kernels (schedule, options);
}

/* --- all of it --- */

/* Finds values to compute again, if the kernels are open and that is wanted, or if memory is limited. */
static gboolean
suggest_recomputed (
    HeddlePlanSuggestion *self, HeddlePlanFreedom freedom, const Search *search, GError **error)
{
  HeddleSchedule *schedule;

  if (search->options->budget_bytes == 0 && (freedom == HEDDLE_PLAN_LABELS || search->options->stores_all))
    return TRUE;
  schedule = heddle_schedule_suggest_recomputed (search->diagram, self->schedule, search->sizes,
      search->options, search->cancellable, &self->recomputing, error);
  if (schedule == NULL)
    return FALSE;
  heddle_schedule_free (self->schedule);
  self->schedule = schedule;
  return TRUE;
}

static gboolean
complete (HeddlePlanSuggestion *self, HeddlePlanFreedom freedom, const Search *search,
    const HeddleSchedule *stored, GError **error)
{
  if (!suggest_recomputed (self, freedom, search, error))
    return FALSE;
  self->derivation = heddle_plan_suggest (
      search->diagram, self->schedule, search->sizes, search->options, search->cancellable, error);
  if (self->derivation != NULL && freedom == HEDDLE_PLAN_ALL
      && is_for_plans (self->schedule, search->options))
    try_others (self, search, stored);
  drop_unpriced (&self->fusion);
  return self->derivation != NULL && !g_cancellable_set_error_if_cancelled (search->cancellable, error);
}

gboolean
heddle_plan_suggestion_complete (HeddlePlanSuggestion *self, HeddlePlanFreedom freedom,
    const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleDeriveOptions *options,
    GCancellable *cancellable, GError **error)
{
  const Search search = { diagram, sizes, options, cancellable };
  HeddleSchedule *stored = heddle_schedule_copy (self->schedule);
  gboolean good = complete (self, freedom, &search, stored, error);

  heddle_schedule_free (stored);
  return good;
}

/* Returns the kernels from which the search begins. */
static HeddleSchedule *
find_kernels (HeddlePlanSuggestion *self, const HeddleSchedule *own, const Search *search, GError **error)
{
  HeddleSchedule *places, *statements, *found;

  if (!heddle_plan_is_free (search->diagram, own))
    return heddle_schedule_copy (own);
  places = heddle_plan_input_places (search->diagram, own);
  statements = heddle_plan_statements (search->diagram, own, search->options->machine);
  found = heddle_plan_suggest_kernels (search->diagram, places, statements, search->sizes, search->options,
      search->cancellable, &self->fusion, error);
  heddle_schedule_free (places);
  heddle_schedule_free (statements);
  return found;
}

gboolean
heddle_plan_suggestion_init (HeddlePlanSuggestion *self, const HeddleDiagram *diagram,
    const HeddleSchedule *own, const HeddleSizes *sizes, const HeddleDeriveOptions *options,
    GCancellable *cancellable, GError **error)
{
  const Search search = { diagram, sizes, options, cancellable };

  memset (self, 0, sizeof *self);
  self->schedule = find_kernels (self, own, &search, error);
  if (self->schedule != NULL)
    {
      self->schedule->budget = options->budget_bytes;
      g_free (self->schedule->divisors);
      self->schedule->divisors = heddle_divisors_to_string (options->divisors);
      if (heddle_plan_suggestion_complete (self,
              heddle_plan_is_free (diagram, own) ? HEDDLE_PLAN_ALL : HEDDLE_PLAN_LABELS, diagram, sizes,
              options, cancellable, error))
        return TRUE;
    }
  heddle_plan_suggestion_clear (self);
  return FALSE;
}

/* --- as a schedule --- */

static HeddleRegion *
region_of_kernel (HeddleSchedule *schedule, const HeddleKernel *kernel)
{
  HeddleRegion *region
      = kernel->region_id != NULL ? heddle_schedule_get_region (schedule, kernel->region_id) : NULL;

  if (region != NULL)
    return region;
  region = heddle_schedule_add_region (schedule);
  for (guint i = 0; i < kernel->operations->len; i++)
    if (!heddle_ids_contain (kernel->again, heddle_ids_index (kernel->operations, i)))
      heddle_ids_append (region->operations, heddle_ids_index (kernel->operations, i));
  return region;
}

HeddleSchedule *
heddle_plan_applied (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleDerivation *derivation, const HeddleMachine *machine, HeddleDtype dtype)
{
  HeddleSchedule *applied = heddle_schedule_copy (schedule);

  heddle_derivation_write_layouts (derivation, diagram, applied);
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);
      HeddleRegion *region
          = heddle_derivation_is_inserted (derivation, kernel) ? NULL : region_of_kernel (applied, kernel);

      if (region == NULL)
        continue;
      g_ptr_array_set_size (region->labels, 0);
      for (guint k = 0; k < kernel->labels->len; k++)
        g_ptr_array_add (region->labels, heddle_label_copy (g_ptr_array_index (kernel->labels, k)));
    }
  g_free (applied->gpu);
  applied->gpu = g_strdup (machine->name);
  applied->dtype = dtype;
  return applied;
}

void
heddle_plan_suggestion_clear (HeddlePlanSuggestion *self)
{
  g_clear_pointer (&self->schedule, heddle_schedule_free);
  g_clear_pointer (&self->derivation, heddle_derivation_free);
  heddle_fusion_clear (&self->fusion);
  g_clear_pointer (&self->recomputing, g_free);
}
