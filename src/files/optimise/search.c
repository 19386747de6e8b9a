/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "codegen/base/codegen.h"
#include "codegen/plan/derive.h"
#include "codegen/plan/expand.h"
#include "codegen/plan/explain.h"
#include "codegen/plan/plan.h"
#include "codegen/plan/tiles.h"
#include "codegen/plan/suggestion.h"
#include "derive/derivation/expand-oversized.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/search-cache.h"
#include "derive/region/view.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram-compare.h"
#include "diagram/graph/operation-table.h"
#include "diagram/rewrite/rewrite.h"
#include "files/optimise/cost.h"
#include "files/optimise/search.h"

/* The fastest kernels of a piece by the model. Each rewrite is tried on what was best before it, and stays
 * where it makes that faster. */

#define MOST_RULES 3

/* The rules, in the order in which they are tried. One that only tidies stays even if it changes no price. */
static const struct
{
  const char *title;
  const char *rules[MOST_RULES];
  gboolean tidies;
} candidates[] = {
  { N_ ("Values computed twice are computed once"), { "common-subexpressions" }, TRUE },
  { N_ ("Operations that change nothing are removed"), { "remove-identity", "dead-code" }, TRUE },
  { N_ ("Softmax is recovered from its operations"), { "collapse-softmax" }, TRUE },
  { N_ ("The logarithm of a softmax becomes the difference to the log-sum-exp"), { "log-softmax" }, TRUE },
  { N_ ("Norms are recovered from their operations"), { "collapse-norms" }, TRUE },
  { N_ ("Transposes become part of what reads them"), { "absorb-transposes" }, TRUE },
  { N_ ("Parts of parts of arrays, as heads of what is split in three, are read at once"), { "join-reads" },
      TRUE },
  { N_ ("Sums over heads that were put one behind the other go over heads and what they have"),
      { "split-sums" }, FALSE },
  { N_ ("What is joined of parts of arrays, as rotated halves, becomes a choice of what is read"),
      { "join-reads", "choose-joined" }, FALSE },
  { N_ ("Kronecker deltas go"), { "remove-units" }, TRUE },
  { N_ ("Products in the cheapest order"), { "merge-contractions", "split-contractions" }, FALSE },
  { N_ ("Values that are the same along an axis are computed once"), { "slide-broadcasts" }, FALSE },
  { N_ ("Values of one array under two names of its axis are computed under one"), { "slide-renames" },
      FALSE },
  { N_ ("Products are computed before they are read at indices"), { "slide-reads" }, FALSE },
  { N_ ("Products and maps that are read at chosen indices are computed only there"),
      { "read-maps", "read-products" }, FALSE },
  /* a difference alone may take longer: it stores logits that nobody else reads */
  { N_ ("The logarithm of a softmax becomes a difference, computed only where it is read"),
      { "log-softmax", "read-maps", "read-products" }, FALSE },
  { N_ ("Maps one after the other become one"), { "fuse-maps" }, FALSE },
};

static double
seconds_of (const HeddlePlan *plan)
{
  double seconds = 0;

  for (guint i = 0; plan != NULL && i < plan->derivation->kernels->len; i++)
    seconds += heddle_plan_kernel_seconds (plan, g_ptr_array_index (plan->derivation->kernels, i));
  return plan != NULL ? seconds : INFINITY;
}

/* Returns a copy in which values between operations have no names, which rules would keep for the reader. */
static HeddleDiagram *
without_names (const HeddleDiagram *diagram)
{
  HeddleDiagram *copy = heddle_diagram_copy (diagram);

  for (guint i = 0; i < copy->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (copy->values, i);

      if (value->role == HEDDLE_ROLE_INTERMEDIATE && value->name != NULL
          && !heddle_diagram_is_output (copy, value->id))
        g_clear_pointer (&heddle_diagram_edit_value (copy, value->id)->name, g_free);
    }
  return copy;
}

/* Gives what still exists its former name. */
static void
return_names (HeddleDiagram *diagram, const HeddleDiagram *from)
{
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const char *id = ((const HeddleValue *) g_ptr_array_index (diagram->values, i))->id;
      const HeddleValue *before = heddle_diagram_get_value (from, id);

      if (before != NULL && before->name != NULL && heddle_diagram_get_value (diagram, id)->name == NULL)
        heddle_diagram_edit_value (diagram, id)->name = g_strdup (before->name);
    }
}

static HeddleDiagram *
rewritten (const HeddleDiagram *diagram, guint candidate, guint *places)
{
  HeddleDiagram *made = without_names (diagram);

  *places = 0;
  for (guint i = 0; i < MOST_RULES && candidates[candidate].rules[i] != NULL; i++)
    *places += heddle_diagram_rewrite (made, heddle_rewrite_rule (candidates[candidate].rules[i]));
  return_names (made, diagram);
  return made;
}

typedef struct
{
  HeddleOptimisedPiece *piece;
  const HeddleOptimiseOptions *options;
  HeddleSearchCache *search_cache;
  GCancellable *cancellable;
  guint64 begin, share; /* steps of the search: before the piece, and of it */
  HeddleDiagram *best; /* of which the piece's plan is */
  gboolean is_rewritten; /* the best is not as the piece was given */
  double seconds;
} Search;

/* Returns a plan; a quick one where the piece has no share of the search. */
static HeddlePlan *
plan_of (const Search *self, const HeddleDiagram *diagram, GError **error)
{
  const HeddleOptimiseOptions *options = self->options;

  self->piece->searched++;
  if (self->share == 0)
    return heddle_plan_new (
        diagram, NULL, options->gpu, options->dtype, options->family, NULL, self->cancellable, error);
  return heddle_plan_new_thorough (
      diagram, options->gpu, options->dtype, options->family, self->search_cache, self->cancellable, error);
}

/* Counts a way to make the kernels. Returns whether it may be tried: after its share of the search a piece stays with
 * the best that was found; quick plans are made of all. */
static gboolean
may_try (Search *self)
{
  self->piece->ways++;
  return self->share == 0
         || heddle_search_cache_get_searched (self->search_cache) - self->begin < self->share;
}

/* Returns whether a duration in seconds is shorter than another by more than rounding. */
static gboolean
is_less (double one, double other)
{
  return one < other * (1 - 1e-9);
}

static double
dram_bytes_of (const HeddlePlan *plan)
{
  double bytes = 0;

  for (guint i = 0; i < plan->derivation->kernels->len; i++)
    bytes += ((const HeddleKernel *) g_ptr_array_index (plan->derivation->kernels, i))->dram_bytes;
  return bytes;
}

/* The factor by which a plan may take longer that moves less than half as much. */
#define LONGER 1.05

/* Returns whether @plan takes about as long as the best so far, in no more kernels, and moves less: what is not
 * stored needs no memory either. */
static gboolean
moves_less (const Search *self, const HeddlePlan *plan, double seconds)
{
  double bytes, before;

  if (self->piece->plan == NULL || seconds >= LONGER * self->seconds
      || plan->derivation->kernels->len > self->piece->plan->derivation->kernels->len)
    return FALSE;
  bytes = dram_bytes_of (plan);
  before = dram_bytes_of (self->piece->plan);
  return bytes < before / 2
         || (seconds < HEDDLE_PLAN_ALIKE * self->seconds && bytes < before / HEDDLE_PLAN_ALIKE);
}

static void
try_candidate (Search *self, guint candidate)
{
  guint places;
  g_autoptr (HeddleDiagram) diagram = rewritten (self->best, candidate, &places);
  g_autoptr (HeddlePlan) plan = NULL;
  HeddleOptimiseStep *step;

  if (places == 0 || heddle_diagram_isomorphic (diagram, self->best, NULL) || !may_try (self))
    return;
  plan = plan_of (self, diagram, NULL);
  step = g_new (HeddleOptimiseStep, 1);
  *step = (HeddleOptimiseStep){ candidates[candidate].title, places, self->seconds, seconds_of (plan) };
  step->kept = plan != NULL
               && (is_less (step->after_s, step->before_s) || moves_less (self, plan, step->after_s)
                   || (candidates[candidate].tidies && !is_less (step->before_s, step->after_s)));
  g_ptr_array_add (self->piece->steps, step);
  if (!step->kept)
    return;
  heddle_plan_free (self->piece->plan);
  self->piece->plan = g_steal_pointer (&plan);
  heddle_diagram_free (self->best);
  self->best = g_steal_pointer (&diagram);
  self->is_rewritten = TRUE;
  self->seconds = step->after_s;
}

/* --- what is suggested --- */

/* Returns the schedule that Suggest would give a document if nothing were to be computed again; NULL if there is
 * none. @diagram: a copy, in which sums are split, axes joined and norms that fit no memory written out as Suggest
 * does. */
static HeddleSchedule *
find_suggested (const Search *self, HeddleDiagram *diagram)
{
  const HeddlePlan *plan = self->piece->plan;
  const HeddleDeriveOptions options = { .machine = plan->machine,
    .dtype = plan->dtype,
    .objective = HEDDLE_OBJECTIVE_TIME,
    .stages = 1,
    .suggest = TRUE,
    .stores_all = TRUE, /* a plan computes nothing again */
    .search_cache = self->search_cache,
    .product_shares = heddle_plan_product_shares };
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, NULL);
  g_autoptr (GArray) joined = heddle_ids_new ();
  g_auto (HeddlePlanSuggestion) found = { 0 };

  if (sizes == NULL)
    return NULL;
  g_array_unref (heddle_diagram_split_products (diagram, &sizes, plan->dtype, joined));
  if (!heddle_plan_suggestion_init (&found, diagram, NULL, sizes, &options, self->cancellable, NULL))
    return NULL;
  if (!heddle_derivation_fits (found.derivation))
    {
      g_autoptr (GArray) written = heddle_diagram_expand_oversized (diagram, NULL, sizes, &options);

      heddle_plan_suggestion_clear (&found);
      if (written->len == 0
          || !heddle_plan_suggestion_init (&found, diagram, NULL, sizes, &options, self->cancellable, NULL))
        return NULL;
    }
  return heddle_plan_applied (diagram, found.schedule, found.derivation, plan->machine, plan->dtype);
}

/* Returns whether the plan takes less time than the best so far; much less where it moves twice as much, since plans that
 * move half as much may take longer. */
static gboolean
is_better (const Search *self, const HeddlePlan *plan)
{
  double seconds = seconds_of (plan);

  if (!is_less (seconds, self->seconds))
    return FALSE;
  return dram_bytes_of (plan) < 2 * dram_bytes_of (self->piece->plan) || LONGER * seconds < self->seconds;
}

/* Tries what Suggest finds for the operations of @original, which evaluates kernels in another way and may find better
 * ones. */
static void
try_suggested (Search *self, const HeddleDiagram *original)
{
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_copy (original);
  HeddleSchedule *schedule = find_suggested (self, diagram);
  HeddlePlan *plan = schedule != NULL ? heddle_plan_new_given (diagram, schedule, self->options->gpu,
                         self->options->dtype, self->options->family, NULL, self->cancellable, NULL)
                                      : NULL;
  HeddleOptimiseStep *step;

  self->piece->searched++;
  g_clear_pointer (&schedule, heddle_schedule_free);
  if (!is_better (self, plan))
    {
      g_clear_pointer (&plan, heddle_plan_free);
      return;
    }
  step = g_new (HeddleOptimiseStep, 1);
  *step = (HeddleOptimiseStep){ N_ ("Kernels are fused and labelled as Suggest does"),
    plan->derivation->kernels->len, self->seconds, seconds_of (plan), TRUE };
  g_ptr_array_add (self->piece->steps, step);
  heddle_plan_free (self->piece->plan);
  self->piece->plan = plan;
  self->seconds = step->after_s;
}

static gboolean
has_several_sums (const GPtrArray *operations)
{
  guint n = 0;

  for (guint i = 0; i < operations->len; i++)
    {
      HeddleOperationForm form = ((const HeddleOperation *) operations->pdata[i])->kind->form;

      n += form == HEDDLE_FORM_CONTRACT || form == HEDDLE_FORM_REDUCE || form == HEDDLE_FORM_NORMALISE;
    }
  return n > 1;
}

/* Returns whether the operation only says where in an array something lies, for one reader: that reads it there, so
 * that it is no part to be made alone. */
static gboolean
is_place (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleOperation *operation)
{
  HeddleView view;

  return sizes != NULL && heddle_diagram_count_readers (diagram, operation->result) == 1
         && heddle_view_find (diagram, sizes, operation, &view);
}

HeddleDiagram *
heddle_piece_name_parts (const HeddleDiagram *diagram)
{
  HeddleDiagram *named = heddle_diagram_copy (diagram);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, NULL);

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const char *value = ((const HeddleOperation *) diagram->operations->pdata[i])->result;
      g_autoptr (GPtrArray) parts = NULL;

      if (heddle_diagram_statement_of (diagram, ((const HeddleOperation *) diagram->operations->pdata[i])->id)
          != value)
        continue;
      parts = heddle_diagram_statement_operations (diagram, value);
      for (guint k = 0; k < parts->len && has_several_sums (parts); k++)
        {
          const char *part = ((const HeddleOperation *) parts->pdata[k])->result;

          if (heddle_diagram_get_value (named, part)->name == NULL
              && !is_place (diagram, sizes, g_ptr_array_index (parts, k)))
            {
              char *label = heddle_diagram_value_label (named, part);

              heddle_diagram_edit_value (named, part)->name = label;
            }
        }
    }
  return named;
}

gboolean
heddle_piece_search (HeddleOptimisedPiece *self, const HeddleOptimiseOptions *options, guint64 share,
    HeddleSearchCache *search_cache, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) why = NULL;
  Search search = { self, options, search_cache, cancellable, heddle_search_cache_get_searched (search_cache),
    share, heddle_diagram_copy (self->before), FALSE, INFINITY };

  self->ways = share > 0 ? 1 : 2; /* a thorough plan is a way, which a quick one leaves out */
  self->searched = 0;
  self->plan = plan_of (&search, self->before, &why);
  search.seconds = seconds_of (self->plan);
  for (guint i = 0; i < G_N_ELEMENTS (candidates) && !g_cancellable_is_cancelled (cancellable); i++)
    if (heddle_rewrite_rule (candidates[i].rules[0]) != NULL)
      try_candidate (&search, i);
  if (self->plan != NULL && options->family == HEDDLE_FAMILY_AUTO)
    {
      self->ways += search.is_rewritten ? 2 : 1;
      if (share > 0)
        try_suggested (&search, search.best);
      if (share > 0 && search.is_rewritten)
        try_suggested (&search, self->before);
    }
  heddle_diagram_free (search.best);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (self->plan == NULL)
    g_propagate_error (error, g_steal_pointer (&why));
  return self->plan != NULL;
}

/* --- why not more ------------------------------------------------------------------- */

static gboolean
shares_values (const HeddleKernel *one, const HeddleKernel *two)
{
  for (guint i = 0; i < two->program->inputs->len; i++)
    {
      const char *value = heddle_ids_index (two->program->inputs, i);

      if (heddle_ids_contain (one->program->outputs, value)
          || heddle_ids_contain (one->program->inputs, value))
        return TRUE;
    }
  return FALSE;
}

void
heddle_piece_explain (HeddleOptimisedPiece *self, GCancellable *cancellable)
{
  GPtrArray *kernels = self->plan->derivation->kernels;

  for (guint i = 0; i + 1 < kernels->len && !g_cancellable_is_cancelled (cancellable); i++)
    {
      const HeddleKernel *one = g_ptr_array_index (kernels, i), *two = g_ptr_array_index (kernels, i + 1);
      HeddleOptimiseRefusal *refusal;

      if (!shares_values (one, two))
        continue;
      refusal = g_new (HeddleOptimiseRefusal, 1);
      *refusal = (HeddleOptimiseRefusal){ heddle_kernel_values (self->plan->diagram, one->operations, " "),
        heddle_kernel_values (self->plan->diagram, two->operations, " "),
        heddle_plan_explain_apart (self->plan, one, two, cancellable) };
      g_ptr_array_add (self->refusals, refusal);
    }
}
