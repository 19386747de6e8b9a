/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "codegen/emit/emit.h"
#include "codegen/plan/batches.h"
#include "codegen/plan/derive.h"
#include "codegen/plan/expand.h"
#include "codegen/plan/fuse.h"
#include "codegen/plan/groups.h"
#include "codegen/plan/heads.h"
#include "codegen/plan/layouts.h"
#include "codegen/plan/merging.h"
#include "codegen/plan/parted.h"
#include "codegen/plan/plan.h"
#include "codegen/plan/suggest.h"
#include "codegen/plan/tiles.h"
#include "codegen/plan/views.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/search-cache.h"
#include "derive/machine/find.h"
#include "derive/shard/layout.h"
#include "derive/suggest/fusion.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/layout.h"
#include "diagram/graph/diagram-order.h"

void
heddle_plan_free (HeddlePlan *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->search_cache, heddle_search_cache_unref);
  g_clear_pointer (&self->machine, heddle_machine_free);
  g_clear_pointer (&self->sizes, heddle_sizes_unref);
  g_clear_pointer (&self->derivation, heddle_derivation_free);
  g_clear_pointer (&self->texts, g_ptr_array_unref);
  g_clear_pointer (&self->diagram, heddle_diagram_free);
  g_clear_pointer (&self->whole, heddle_diagram_free);
  g_clear_pointer (&self->views, g_ptr_array_unref);
  g_clear_pointer (&self->viewed, heddle_diagram_free);
  g_free (self);
}

/* Derives with @schedule fused as @fuse says ("file", "all", "none"); %NULL also where the result is no plan. */
static HeddleDerivation *
derive (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *fuse,
    const HeddlePlan *plan, GCancellable *cancellable, GError **error)
{
  HeddleSchedule *fused = heddle_schedule_fuse (diagram, schedule, fuse, error);
  HeddleDerivation *derivation
      = fused != NULL ? heddle_plan_derive (diagram, fused, NULL, plan, cancellable, error) : NULL;

  g_clear_pointer (&fused, heddle_schedule_free);
  return derivation;
}

/* Returns the derivation with all operations in one kernel, if that can be made. */
static HeddleDerivation *
derive_all (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddlePlan *plan,
    GCancellable *cancellable)
{
  HeddleSchedule *fused = heddle_schedule_fuse (diagram, schedule, "all", NULL);
  HeddleDerivation *derivation = NULL;

  if (fused->regions->len > 0)
    {
      heddle_plan_price_region (diagram, fused, g_ptr_array_index (fused->regions, 0), plan, cancellable);
      derivation = heddle_plan_derive (diagram, fused, NULL, plan, cancellable, NULL);
    }
  heddle_schedule_free (fused);
  return derivation;
}

/* Returns the derivation with one kernel if that can be made, has its products on the tensor core, each
 * computed once and of factors as they come, and no longer search is wanted; else whatever is faster. */
static HeddleDerivation *
derive_best (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddlePlan *plan,
    GCancellable *cancellable, GError **error)
{
  HeddleDerivation *all, *apart;

  if (schedule != NULL && schedule->regions->len > 0)
    return derive (diagram, schedule, "file", plan, cancellable, error);
  all = derive_all (diagram, schedule, plan, cancellable);
  if (all == NULL && g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (plan->family != HEDDLE_FAMILY_AUTO)
    return all != NULL ? all : derive (diagram, schedule, "none", plan, cancellable, error);
  if (all != NULL && !plan->thorough && heddle_plan_is_bound (plan, diagram, all)
      && !heddle_plan_repeats_products (plan, diagram, all)
      && !heddle_plan_changes_factors (plan, diagram, all))
    return all;
  apart = heddle_plan_fuse (diagram, schedule, NULL, plan, cancellable);
  if (apart == NULL && all == NULL)
    return derive (diagram, schedule, "none", plan, cancellable, error);
  if (heddle_plan_seconds (plan, diagram, apart) < heddle_plan_seconds (plan, diagram, all))
    {
      g_clear_pointer (&all, heddle_derivation_free);
      return apart;
    }
  g_clear_pointer (&apart, heddle_derivation_free);
  return all;
}

/* Returns the cut with the labels that are suggested for it; NULL if that is no plan. */
static HeddleDerivation *
derive_suggested (const HeddlePlan *self, const HeddleSchedule *cut, const HeddleDeriveOptions *options,
    GCancellable *cancellable)
{
  HeddleDerivation *derivation
      = heddle_plan_suggest (self->diagram, cut, self->sizes, options, cancellable, NULL);

  if (derivation != NULL && !heddle_plan_check_derivation (self->diagram, self, derivation, NULL))
    g_clear_pointer (&derivation, heddle_derivation_free);
  return derivation;
}

/* Returns the kernels of a derivation with all labels. */
static HeddleSchedule *
schedule_of (const HeddlePlan *self, const HeddleDerivation *derivation)
{
  HeddleSchedule *schedule = heddle_schedule_new (self->diagram->id);

  schedule->gpu = g_strdup (self->machine->name);
  schedule->dtype = self->dtype;
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);
      HeddleRegion *region = heddle_schedule_add_region (schedule);

      g_array_append_vals (region->operations, kernel->operations->data, kernel->operations->len);
      for (guint k = 0; k < kernel->labels->len; k++)
        g_ptr_array_add (region->labels, heddle_label_copy (g_ptr_array_index (kernel->labels, k)));
    }
  return schedule;
}

/* Returns the seconds of the same kernels by all that is known, whatever the search went by; infinity if they
 * are none. */
static double
price_known (const HeddlePlan *self, const HeddleDeriveOptions *options, const HeddleDerivation *derivation)
{
  HeddleDeriveOptions known = *options;
  HeddleDerivation *again;
  const HeddleDiagram *diagram;
  HeddleSchedule *schedule;
  double seconds = INFINITY;

  if (derivation == NULL || derivation->illegal || !self->by_units)
    return heddle_plan_price (self->diagram, self->sizes, options, derivation);
  diagram = heddle_derivation_diagram (derivation, self->diagram);
  schedule = schedule_of (self, derivation);
  known.suggest = FALSE;
  known.product_shares = heddle_plan_product_shares;
  again = heddle_derive (diagram, schedule, self->sizes, &known, NULL, NULL);
  if (again != NULL && again->kernels->len == derivation->kernels->len)
    seconds = heddle_plan_price (diagram, self->sizes, &known, again);
  heddle_schedule_free (schedule);
  g_clear_pointer (&again, heddle_derivation_free);
  return seconds;
}

/* Takes both; returns the second one where it is faster as kernels would be emitted. */
static HeddleDerivation *
take_faster (const HeddlePlan *self, const HeddleDeriveOptions *options, HeddleDerivation *one,
    HeddleDerivation *other)
{
  gboolean faster = price_known (self, options, other) < price_known (self, options, one) / HEDDLE_PLAN_ALIKE;

  g_clear_pointer (faster ? &one : &other, heddle_derivation_free);
  return faster ? other : one;
}

/* Returns a derivation found by searching all ways to cut the diagram, if it is faster than @derivation
 * (nullable). */
static HeddleDerivation *
derive_searched (
    HeddlePlan *self, const HeddleSchedule *schedule, HeddleDerivation *derivation, GCancellable *cancellable)
{
  const HeddleDeriveOptions options = { .machine = self->machine,
    .dtype = self->dtype,
    .objective = HEDDLE_OBJECTIVE_TIME,
    .stages = 1,
    .suggest = TRUE,
    .search_cache = self->search_cache,
    .product_shares = heddle_plan_shares_of (self) };
  HeddleFusion found = { 0 };
  HeddleSchedule *cut
      = heddle_schedule_suggest (self->diagram, schedule, self->sizes, &options, cancellable, &found, NULL);

  if (cut == NULL)
    return derivation;
  heddle_fusion_clear (&found);
  derivation = take_faster (
      self, &options, derivation, heddle_plan_fuse (self->diagram, schedule, cut, self, cancellable));
  if (self->family == HEDDLE_FAMILY_AUTO)
    derivation
        = take_faster (self, &options, derivation, derive_suggested (self, cut, &options, cancellable));
  g_clear_pointer (&cut, heddle_schedule_free);
  return derivation;
}

/* Takes the diagram of the derivation: a suggestion may lay arrays out in another order. */
static void
take_laid (HeddlePlan *self)
{
  if (self->derivation == NULL || self->derivation->laid == NULL)
    return;
  heddle_diagram_free (self->diagram);
  self->diagram = heddle_diagram_copy (self->derivation->laid);
}

/* Derives the plan. A softmax or a norm that fits no memory is expanded, and is then processed in pieces. */
static gboolean
derive_plan (HeddlePlan *self, const HeddleSchedule *schedule, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) why = NULL;

  self->derivation = derive_best (self->diagram, schedule, self, cancellable, &why);
  if (self->derivation == NULL && g_error_matches (why, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_CAPACITY)
      && heddle_plan_expand (self, schedule, cancellable))
    {
      g_clear_error (&why);
      self->derivation = derive_best (self->diagram, schedule, self, cancellable, &why);
    }
  if (self->thorough)
    {
      self->derivation = derive_searched (self, schedule, self->derivation, cancellable);
      take_laid (self);
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (self->derivation == NULL)
    g_propagate_error (error, g_steal_pointer (&why));
  return self->derivation != NULL;
}

static HeddleMachine *
find_machine (const HeddleSchedule *schedule, const char *gpu, GError **error)
{
  HeddleMachine *machine;

  if (gpu == NULL)
    gpu = schedule && schedule->gpu ? schedule->gpu : "h100-sxm";
  machine = heddle_machine_find (gpu, 0, error);
  if (machine == NULL || !heddle_machine_is_abstract (machine))
    return machine;
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE,
      _ ("“%s” is an abstract machine: kernels are made for a GPU such as h100-sxm"), gpu);
  heddle_machine_free (machine);
  return NULL;
}

/* Derives a schedule that has all labels. */
static gboolean
derive_given (HeddlePlan *self, const HeddleSchedule *schedule, GCancellable *cancellable, GError **error)
{
  const HeddleDeriveOptions options = { .machine = self->machine,
    .dtype = self->dtype,
    .objective = HEDDLE_OBJECTIVE_TIME,
    .stages = 1,
    .product_shares = heddle_plan_product_shares };

  self->derivation = heddle_derive (self->diagram, schedule, self->sizes, &options, cancellable, error);
  return self->derivation != NULL
         && heddle_plan_check_derivation (self->diagram, self, self->derivation, error);
}

/* Derives the best of all ways to cut the diagram. Returns FALSE with @error set if it is no plan, or if the work
 * was cancelled. */
static gboolean
derive_cut (HeddlePlan *self, const HeddleSchedule *schedule, GCancellable *cancellable, GError **error)
{
  self->derivation = derive_searched (self, schedule, NULL, cancellable);
  take_laid (self);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (self->derivation == NULL)
    g_set_error_literal (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
        _ ("no way to cut the diagram gives kernels that can be made"));
  return self->derivation != NULL;
}

/* Takes @other (transfer full, nullable) in the place of the derivation where that is faster. */
static void
take_if_faster (HeddlePlan *self, const HeddleDeriveOptions *options, HeddleDerivation *other)
{
  if (heddle_plan_price (self->diagram, self->sizes, options, other)
      < heddle_plan_price (self->diagram, self->sizes, options, self->derivation))
    {
      heddle_derivation_free (self->derivation);
      self->derivation = g_steal_pointer (&other);
    }
  g_clear_pointer (&other, heddle_derivation_free);
}

/* Derives the kernels of the schedule, each as fast as it is with a plan's labels or with those that are suggested:
 * who wrote them chose among many tiles, and lays out what passes between them as they want it. */
static gboolean
derive_regions (HeddlePlan *self, const HeddleSchedule *schedule, GCancellable *cancellable, GError **error)
{
  const HeddleDeriveOptions options = { .machine = self->machine,
    .dtype = self->dtype,
    .objective = HEDDLE_OBJECTIVE_TIME,
    .stages = 1,
    .search_cache = self->search_cache,
    .product_shares = heddle_plan_shares_of (self) };
  HeddleDerivation *suggested;
  HeddleSchedule *own, *labelled, *better;

  self->derivation = heddle_plan_derive_regions (self->diagram, schedule, self, cancellable, error);
  if (self->derivation == NULL)
    return FALSE;
  suggested = heddle_plan_suggest (self->diagram, schedule, self->sizes, &options, cancellable, NULL);
  if (suggested == NULL || suggested->illegal)
    {
      g_clear_pointer (&suggested, heddle_derivation_free);
      return TRUE;
    }
  own = schedule_of (self, self->derivation);
  labelled = schedule_of (self, suggested);
  better = heddle_plan_take_better (self->diagram, self->sizes, &options,
      &(HeddlePlanCut){ own, self->derivation }, &(HeddlePlanCut){ labelled, suggested });
  if (better != NULL)
    take_if_faster (
        self, &options, heddle_derive (self->diagram, better, self->sizes, &options, cancellable, NULL));
  take_if_faster (self, &options, suggested);
  take_laid (self);
  g_clear_pointer (&better, heddle_schedule_free);
  heddle_schedule_free (own);
  heddle_schedule_free (labelled);
  return TRUE;
}

typedef enum
{
  PLAN_QUICK,
  PLAN_THOROUGH,
  PLAN_QUICK_PRICED, /* as a quick one, to be priced only */
  PLAN_THOROUGH_PRICED, /* only what a search finds, to be priced only */
  PLAN_GIVEN,
  PLAN_APART,
} PlanHow;

/* Returns whether the plan is only to be priced: it has no texts. */
static gboolean
is_priced (PlanHow how)
{
  return how == PLAN_QUICK_PRICED || how == PLAN_THOROUGH_PRICED;
}

static gboolean
derive_how (
    HeddlePlan *self, PlanHow how, const HeddleSchedule *schedule, GCancellable *cancellable, GError **error)
{
  switch (how)
    {
    case PLAN_GIVEN:
      return derive_given (self, schedule, cancellable, error);
    case PLAN_APART:
      if (schedule != NULL)
        return derive_regions (self, schedule, cancellable, error);
      self->derivation = heddle_plan_derive_apart (self->diagram, NULL, self, cancellable, error);
      return self->derivation != NULL;
    case PLAN_THOROUGH_PRICED:
      return derive_cut (self, schedule, cancellable, error);
    default:
      return derive_plan (self, schedule, cancellable, error);
    }
}

static double
sum_seconds (const HeddleDerivation *derivation)
{
  double seconds = 0;

  for (guint i = 0; i < derivation->kernels->len; i++)
    seconds += ((const HeddleKernel *) g_ptr_array_index (derivation->kernels, i))->expected_s;
  return seconds;
}

/* The factor beyond which what is known besides the rates of units says that they led the search astray. */
#define ASTRAY 2.

/* Prices the kernels that were found again by all that is known; they stay the same. Returns whether that is
 * far more than what the search believed. */
static gboolean
price_whole (HeddlePlan *self, GCancellable *cancellable)
{
  HeddleSchedule *schedule = heddle_plan_get_schedule (self);
  HeddleDerivation *found = g_steal_pointer (&self->derivation);

  self->by_units = FALSE;
  if (derive_given (self, schedule, cancellable, NULL)
      && self->derivation->kernels->len == found->kernels->len)
    {
      gboolean is_astray = sum_seconds (self->derivation) > ASTRAY * sum_seconds (found);

      heddle_schedule_free (schedule);
      heddle_derivation_free (found);
      return is_astray;
    }
  heddle_schedule_free (schedule);
  g_clear_pointer (&self->derivation, heddle_derivation_free);
  self->derivation = found;
  return FALSE;
}

/* Makes a plan for a machine. Takes @machine. @by_units: the search goes by the rates of units alone;
 * @is_astray (optional) receives whether that led it astray. */
static HeddlePlan *
make_plan (const HeddleDiagram *diagram, const HeddleSchedule *schedule, HeddleMachine *machine,
    HeddleDtype dtype, HeddleFamily family, GHashTable *sizes, PlanHow how, gboolean by_units,
    HeddleSearchCache *search_cache, gboolean *is_astray, GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddlePlan) self = g_new0 (HeddlePlan, 1);
  gboolean bare = schedule == NULL || schedule->regions->len == 0;
  /* Nobody has said which kernels there are, nor how they are made. */
  gboolean laid = bare && family == HEDDLE_FAMILY_AUTO && how != PLAN_GIVEN && how != PLAN_APART;

  self->machine = machine;

  self->dtype = dtype;
  self->family = family;
  self->thorough = (how == PLAN_THOROUGH || how == PLAN_THOROUGH_PRICED) && bare;
  /* Kernels of others to compare with are not threads of ours. */
  self->by_units = how == PLAN_APART ? !bare : by_units && bare && how != PLAN_GIVEN;
  self->search_cache
      = search_cache != NULL ? heddle_search_cache_ref (search_cache) : heddle_search_cache_new ();
  if (self->dtype == HEDDLE_DTYPE_UNSET)
    self->dtype = schedule && schedule->dtype ? schedule->dtype : HEDDLE_DTYPE_F16;
  if (schedule != NULL && heddle_schedule_is_sharded (schedule, machine))
    {
      g_set_error_literal (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
          _ ("axes are grouped above GMEM, and one GPU alone has not all of any array: “heddle export -o "
             "FILE.cu” "
             "writes what each GPU does with NCCL’s calls between, to be built with -lnccl and called from a "
             "process "
             "for each (from Python by ctypes, on torch.distributed’s ranks); “heddle verify --on model” and "
             "“--on cpu” "
             "run all GPUs here. Without the labels above GMEM it is a program of one GPU"));
      return NULL;
    }
  if (!heddle_derive_check_work (diagram, error) || !heddle_derive_check_count (diagram, error)
      || (self->sizes = heddle_sizes_new (diagram, sizes, error)) == NULL)
    return NULL;
  self->diagram = bare ? NULL : heddle_schedule_lay_out (schedule, diagram, NULL);
  if (self->diagram == NULL)
    self->diagram = heddle_diagram_copy (diagram);
  heddle_diagram_put_in_order (self->diagram);
  if (family != HEDDLE_FAMILY_GENERAL && bare && how != PLAN_APART)
    {
      g_autoptr (GArray) joined = heddle_ids_new ();

      g_array_unref (heddle_diagram_split_products (self->diagram, &self->sizes, self->dtype, joined));
    }
  heddle_plan_hoist_views (self, schedule); /* with those of parameters whose axes were joined */
  if (laid)
    heddle_plan_put_batches_first (self->diagram);
  if (!derive_how (self, how, schedule, cancellable, error))
    return NULL;
  if (laid)
    heddle_plan_lay_out (
        self, is_priced (how) ? HEDDLE_PLAN_COPY_INPUTS : HEDDLE_PLAN_COPY_FOR_EACH, cancellable);
  if (self->by_units && !is_priced (how) && how != PLAN_APART)
    *is_astray = price_whole (self, cancellable);
  heddle_plan_return_views (self);
  if (how == PLAN_APART || is_priced (how))
    return g_steal_pointer (&self);
  heddle_plan_widen_merging (self);
  self->texts = heddle_codegen_emit_all (
      self->diagram, self->derivation, self->sizes, self->machine, self->dtype, family, NULL, error);
  return self->texts ? g_steal_pointer (&self) : NULL;
}

/* Makes a plan for a machine; a thorough one by all that is known, where the rates of units alone led the search
 * astray. Takes @machine. */
static HeddlePlan *
plan_new_on (const HeddleDiagram *diagram, const HeddleSchedule *schedule, HeddleMachine *machine,
    HeddleDtype dtype, HeddleFamily family, GHashTable *sizes, PlanHow how, HeddleSearchCache *search_cache,
    GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleMachine) own = heddle_machine_copy (machine);
  gboolean is_astray = FALSE;
  g_autoptr (HeddlePlan) plan = make_plan (diagram, schedule, machine, dtype, family, sizes, how, TRUE,
      search_cache, &is_astray, cancellable, error);
  g_autoptr (HeddlePlan) other = NULL;

  if (plan == NULL || !is_astray || how != PLAN_THOROUGH)
    return g_steal_pointer (&plan);
  other = make_plan (diagram, schedule, g_steal_pointer (&own), dtype, family, sizes, how, FALSE,
      search_cache, &is_astray, cancellable, NULL);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return other != NULL && sum_seconds (other->derivation) < sum_seconds (plan->derivation)
             ? g_steal_pointer (&other)
             : g_steal_pointer (&plan);
}

static HeddlePlan *
plan_new (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *gpu, HeddleDtype dtype,
    HeddleFamily family, GHashTable *sizes, PlanHow how, HeddleSearchCache *search_cache,
    GCancellable *cancellable, GError **error)
{
  HeddleMachine *machine = find_machine (schedule, gpu, error);

  return machine != NULL ? plan_new_on (
             diagram, schedule, machine, dtype, family, sizes, how, search_cache, cancellable, error)
                         : NULL;
}

HeddlePlan *
heddle_plan_new_on (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleMachine *machine, HeddleDtype dtype, HeddleFamily family, GHashTable *sizes,
    GCancellable *cancellable, GError **error)
{
  return plan_new_on (diagram, schedule, heddle_machine_copy (machine), dtype, family, sizes, PLAN_QUICK,
      NULL, cancellable, error);
}

HeddlePlan *
heddle_plan_new (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *gpu,
    HeddleDtype dtype, HeddleFamily family, GHashTable *sizes, GCancellable *cancellable, GError **error)
{
  return plan_new (diagram, schedule, gpu, dtype, family, sizes, PLAN_QUICK, NULL, cancellable, error);
}

HeddlePlan *
heddle_plan_new_thorough (const HeddleDiagram *diagram, const char *gpu, HeddleDtype dtype,
    HeddleFamily family, HeddleSearchCache *search_cache, GCancellable *cancellable, GError **error)
{
  return plan_new (diagram, NULL, gpu, dtype, family, NULL, PLAN_THOROUGH, search_cache, cancellable, error);
}

HeddlePlan *
heddle_plan_new_priced (const HeddleDiagram *diagram, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, gboolean thorough, GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) overrides = heddle_sizes_get_overrides (sizes, diagram);

  return plan_new_on (diagram, NULL, heddle_machine_copy (options->machine), options->dtype,
      HEDDLE_FAMILY_AUTO, overrides, thorough ? PLAN_THOROUGH_PRICED : PLAN_QUICK_PRICED,
      options->search_cache, cancellable, error);
}

HeddlePlan *
heddle_plan_new_given (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *gpu,
    HeddleDtype dtype, HeddleFamily family, GHashTable *sizes, GCancellable *cancellable, GError **error)
{
  return plan_new (diagram, schedule, gpu, dtype, family, sizes, PLAN_GIVEN, NULL, cancellable, error);
}

HeddlePlan *
heddle_plan_new_apart (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *gpu,
    HeddleDtype dtype, HeddleFamily family, HeddleSearchCache *search_cache, GCancellable *cancellable,
    GError **error)
{
  return plan_new (diagram, schedule, gpu, dtype, family, NULL, PLAN_APART, search_cache, cancellable, error);
}

double
heddle_plan_kernel_seconds (const HeddlePlan *self, const HeddleKernel *kernel)
{
  double seconds = heddle_plan_price_of (self, self->diagram, kernel);

  return seconds < HEDDLE_PLAN_NEVER ? seconds : kernel->expected_s;
}

/**
 * heddle_plan_get_schedule:
 *
 * Returns: (transfer full): what its kernels are and all their labels, of which heddle_plan_new_given() makes the same plan
 */
HeddleSchedule *
heddle_plan_get_schedule (const HeddlePlan *self)
{
  return schedule_of (self, self->derivation);
}
