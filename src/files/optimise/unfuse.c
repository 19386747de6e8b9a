/* SPDX-License-Identifier: MIT */
#include "codegen/base/codegen.h"
#include "codegen/plan/priced-region.h"
#include "codegen/plan/plan.h"
#include "codegen/verify/apart.h"
#include "codegen/verify/plan.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "files/optimise/unfuse.h"

/* This file takes a bad kernel of a piece apart and leaves the others as they are: one that a compiler refuses
 * is no reason to lose what was found for the rest of a model. */

void
heddle_optimise_unfused_free (gpointer unfused)
{
  HeddleOptimiseUnfused *self = unfused;

  g_array_unref (self->operations);
  g_free (self->values);
  g_free (self->reason);
  g_free (self);
}

static void
add_unfused (HeddleOptimisedPiece *self, const HeddleKernel *kernel, const GError *why)
{
  HeddleOptimiseUnfused *unfused = g_new (HeddleOptimiseUnfused, 1);

  *unfused = (HeddleOptimiseUnfused){ g_array_ref (kernel->operations), g_strdup (kernel->title),
    g_strchomp (g_strndup (why->message, strcspn (why->message, "\n"))) };
  g_ptr_array_add (self->unfused, unfused);
}

/* Returns whether an operation of the kernel was in one that was taken apart. */
static gboolean
was_apart (const HeddleOptimisedPiece *self, const HeddleKernel *kernel)
{
  for (guint i = 0; i < self->unfused->len; i++)
    for (guint k = 0; k < kernel->operations->len; k++)
      if (heddle_ids_contain (
              ((const HeddleOptimiseUnfused *) g_ptr_array_index (self->unfused, i))->operations,
              heddle_ids_index (kernel->operations, k)))
        return TRUE;
  return FALSE;
}

/* Returns the operations of the kernel that are of the statement that makes @value, in order. */
static GArray *
operations_of (const HeddlePlan *plan, const HeddleKernel *kernel, const char *value)
{
  GArray *operations = heddle_ids_new ();

  for (guint i = 0; i < kernel->operations->len; i++)
    {
      const char *id = heddle_ids_index (kernel->operations, i);

      if (heddle_diagram_statement_of (plan->diagram, id) == value)
        heddle_ids_append (operations, id);
    }
  return operations;
}

/* Adds a kernel of the operations with the labels that a plan gives it alone. */
static gboolean
add_statement (
    HeddleSchedule *schedule, const HeddlePlan *plan, const GArray *operations, GCancellable *cancellable)
{
  g_autoptr (HeddleDerivation) alone
      = heddle_plan_derive_alone (plan->diagram, operations, plan, cancellable);
  HeddleRegion *region;
  const HeddleKernel *kernel;

  if (alone == NULL || alone->kernels->len != 1)
    return FALSE;
  kernel = g_ptr_array_index (alone->kernels, 0);
  region = heddle_schedule_add_region (schedule);
  g_array_append_vals (region->operations, operations->data, operations->len);
  for (guint i = 0; i < kernel->labels->len; i++)
    g_ptr_array_add (region->labels, heddle_label_copy (g_ptr_array_index (kernel->labels, i)));
  return TRUE;
}

/* Adds a kernel for each statement of @kernel, in order. */
static gboolean
add_statements (
    HeddleSchedule *schedule, const HeddlePlan *plan, const HeddleKernel *kernel, GCancellable *cancellable)
{
  g_autoptr (GHashTable) done = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < kernel->operations->len; i++)
    {
      const char *value
          = heddle_diagram_statement_of (plan->diagram, heddle_ids_index (kernel->operations, i));
      g_autoptr (GArray) operations = operations_of (plan, kernel, value);

      if (g_hash_table_add (done, (gpointer) value)
          && !add_statement (schedule, plan, operations, cancellable))
        return FALSE;
    }
  return TRUE;
}

static void
add_as_is (HeddleSchedule *schedule, const HeddleKernel *kernel)
{
  HeddleRegion *region = heddle_schedule_add_region (schedule);

  g_array_append_vals (region->operations, kernel->operations->data, kernel->operations->len);
  for (guint i = 0; i < kernel->labels->len; i++)
    g_ptr_array_add (region->labels, heddle_label_copy (g_ptr_array_index (kernel->labels, i)));
}

/* Returns whether the kernel is @bad, or the same but for its names. */
static gboolean
is_same (const HeddlePlan *plan, const HeddleKernel *kernel, const HeddleKernel *bad)
{
  int same = kernel == bad ? -1 : heddle_plan_find_duplicated (plan, kernel);

  return kernel == bad || (same >= 0 && g_ptr_array_index (plan->derivation->kernels, same) == bad);
}

/* Returns the schedule of the plan with @bad, and those that are the same, taken apart; NULL if a statement of
 * them is no kernel. */
static HeddleSchedule *
take_apart (const HeddlePlan *plan, const HeddleKernel *bad, GCancellable *cancellable)
{
  HeddleSchedule *schedule = heddle_plan_get_schedule (plan);
  gboolean good = TRUE;

  g_ptr_array_set_size (schedule->regions, 0);
  for (guint i = 0; good && i < plan->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (plan->derivation->kernels, i);

      if (is_same (plan, kernel, bad))
        good = add_statements (schedule, plan, kernel, cancellable);
      else
        add_as_is (schedule, kernel);
    }
  if (!good)
    g_clear_pointer (&schedule, heddle_schedule_free);
  return schedule;
}

gboolean
heddle_piece_unfuse (
    HeddleOptimisedPiece *self, const HeddleOptimiseOptions *options, GCancellable *cancellable)
{
  const GPtrArray *kernels = self->plan->derivation->kernels;
  g_autoptr (GError) why = NULL;
  const HeddleKernel *bad
      = kernels->len > 1 ? heddle_plan_find_bad (self->plan, options->seed, cancellable, &why) : NULL;
  HeddleSchedule *schedule
      = bad != NULL && !was_apart (self, bad) ? take_apart (self->plan, bad, cancellable) : NULL;
  HeddlePlan *plan = schedule != NULL ? heddle_plan_new_given (self->plan->whole, schedule, options->gpu,
                         self->plan->dtype, options->family, NULL, cancellable, NULL)
                                      : NULL;

  g_clear_pointer (&schedule, heddle_schedule_free);
  if (plan == NULL)
    return FALSE;
  for (guint i = 0; i < kernels->len; i++)
    if (is_same (self->plan, g_ptr_array_index (kernels, i), bad))
      add_unfused (self, g_ptr_array_index (kernels, i), why);
  heddle_plan_free (self->plan);
  self->plan = plan;
  g_clear_pointer (&self->verification, g_free);
  return TRUE;
}
