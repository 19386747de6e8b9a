/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "codegen/plan/derive.h"
#include "codegen/plan/fuse.h"
#include "codegen/plan/groups.h"
#include "codegen/plan/plan.h"
#include "codegen/plan/tiles.h"
#include "derive/derivation/derive.h"
#include "diagram/graph/operation-table.h"

/* This file decides which statements to fuse if nobody says it, and one kernel for all would compute its
 * products without the tensor core. Each group of operations is derived by itself, so that a model of a
 * hundred layers takes a hundred times as long as one layer. */

/* The number of kernels beyond which they are left apart: each is tried with those before it. */
#define MOST_KERNELS 2000

/* --- groups of operations --- */

/* Returns whether a product reads what another operation of the kernel makes: that is computed for each of
 * its tiles, and may be better in the kernel before. */
static gboolean
works_before_products (const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  for (guint i = 0; i < kernel->operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (diagram, heddle_ids_index (kernel->operations, i));

      for (guint k = 0; operation->kind->form == HEDDLE_FORM_CONTRACT && k < operation->operands->len; k++)
        {
          const HeddleOperation *maker
              = heddle_diagram_get_producer (diagram, heddle_ids_index (operation->operands, k));

          if (maker != NULL && heddle_ids_contain (kernel->operations, maker->id))
            return TRUE;
        }
    }
  return FALSE;
}

/* Returns the operation of the kernel that is computed of what the operation reads at indices, if one other reads
 * it; else itself. As a kernel of its own it would store each element as often as it is read, as the windows of a
 * convolution are. What is read where another array says is gathered by a kernel before. */
static const char *
reader_of (const HeddleDiagram *diagram, const HeddleKernel *kernel, const char *id)
{
  for (;;)
    {
      const HeddleOperation *read = heddle_diagram_get_operation (diagram, id);
      g_autoptr (GPtrArray) readers = NULL;

      if (read->kind->form != HEDDLE_FORM_REINDEX || read->operands->len > 1
          || heddle_diagram_is_output (diagram, read->result))
        return id;
      readers = heddle_diagram_get_readers (diagram, read->result);
      if (readers->len != 1
          || !heddle_ids_contain (kernel->operations, ((const HeddleOperation *) readers->pdata[0])->id))
        return id;
      id = ((const HeddleOperation *) readers->pdata[0])->id;
    }
}

/* Returns the operations of the kernel that belong to @id, a reader, in order. */
static GArray *
operations_of (const HeddleDiagram *diagram, const HeddleKernel *kernel, const char *id)
{
  GArray *operations = heddle_ids_new ();

  for (guint i = 0; i < kernel->operations->len; i++)
    if (reader_of (diagram, kernel, heddle_ids_index (kernel->operations, i)) == id)
      heddle_ids_append (operations, heddle_ids_index (kernel->operations, i));
  return operations;
}

/* Adds the kernel as a group. If it has products that it cannot compute on the tensor core, or makes their
 * factors, and is slower than its operations apart, adds a group for each of them, with what only reads for it. */
static void
add_groups (HeddleGrouping *self, const HeddleKernel *kernel)
{
  HeddleGroup *whole = heddle_group_new (self, kernel->operations);
  guint first = self->groups->len;
  double apart = 0;

  if (kernel->operations->len == 1 || kernel->tensor_flops == 0
      || (heddle_plan_has_tiles (self->plan, self->diagram, kernel)
          && !works_before_products (self->diagram, kernel)))
    {
      g_ptr_array_add (self->groups, whole);
      return;
    }
  for (guint i = 0; i < kernel->operations->len; i++)
    {
      g_autoptr (GArray) one
          = operations_of (self->diagram, kernel, heddle_ids_index (kernel->operations, i));
      HeddleGroup *part;

      if (one->len == 0)
        continue;
      part = heddle_group_new (self, one);
      apart += part->seconds;
      g_ptr_array_add (self->groups, part);
    }
  if (whole->seconds < apart)
    {
      g_ptr_array_set_size (self->groups, (gint) first);
      g_ptr_array_add (self->groups, whole);
      return;
    }
  heddle_group_free (whole);
}

static HeddleSchedule *
schedule_of (const HeddleGrouping *self)
{
  HeddleSchedule *made = self->schedule != NULL ? heddle_schedule_copy (self->schedule)
                                                : heddle_schedule_new (self->diagram->id);

  for (guint i = 0; i < self->groups->len; i++)
    {
      const HeddleRegion *from = ((const HeddleGroup *) g_ptr_array_index (self->groups, i))->region;
      HeddleRegion *region = heddle_schedule_add_region (made);

      g_array_append_vals (region->operations, from->operations->data, from->operations->len);
      for (guint k = 0; k < from->labels->len; k++)
        g_ptr_array_add (region->labels, heddle_label_copy (g_ptr_array_index (from->labels, k)));
    }
  return made;
}

/**
 * heddle_plan_fuse:
 * @schedule: (nullable): without regions
 * @cut: (nullable): a schedule with regions to begin with
 *
 * Begins with a kernel for each statement, or with those of @cut, and fuses each with others that
 * it is connected with if that is faster by the model.
 *
 * Returns: (transfer full) (nullable): the derivation; %NULL: some kernel cannot be made
 */
HeddleDerivation *
heddle_plan_fuse (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddleSchedule *cut,
    const HeddlePlan *plan, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_group_free);
  g_autoptr (GHashTable) tried
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  g_autoptr (GHashTable) priced = heddle_priced_groups_new ();
  HeddleGrouping grouping = { plan, diagram, schedule, cancellable, groups, priced, tried };
  HeddleDerivation *derivation
      = heddle_plan_derive_apart (diagram, cut != NULL ? cut : schedule, plan, cancellable, NULL);
  HeddleSchedule *made;

  for (guint i = 0; derivation != NULL && i < derivation->kernels->len; i++)
    add_groups (&grouping, g_ptr_array_index (derivation->kernels, i));
  if (derivation == NULL)
    return NULL;
  heddle_derivation_free (derivation);
  if (groups->len <= MOST_KERNELS)
    heddle_grouping_fuse (&grouping);
  made = schedule_of (&grouping);
  derivation = heddle_plan_derive (diagram, made, NULL, plan, cancellable, NULL);
  heddle_schedule_free (made);
  return derivation;
}

HeddleDerivation *
heddle_plan_derive_regions (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddlePlan *plan, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_group_free);
  g_autoptr (GHashTable) priced = heddle_priced_groups_new ();
  const HeddleGrouping grouping = { plan, diagram, NULL, cancellable, groups, priced, NULL };
  HeddleSchedule *labelled;
  HeddleDerivation *derivation;

  for (guint i = 0; i < schedule->regions->len; i++)
    g_ptr_array_add (groups,
        heddle_group_new (&grouping, ((const HeddleRegion *) schedule->regions->pdata[i])->operations));
  labelled = schedule_of (&grouping);
  derivation = heddle_plan_derive_apart (diagram, labelled, plan, cancellable, error);
  heddle_schedule_free (labelled);
  return derivation;
}
