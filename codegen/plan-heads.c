/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "codegen/plan-private.h"

/* Axes that go through a kernel from its arrays to its result, heads of attention or batches: a block that has all of one can have one of it as
 * well, which leaves its rows to another axis. */

/* More kernels, or tries, are not worth the time that planning takes. */
#define MOST_KERNELS 8
#define MOST_TRIES 8

/* The kernels of a derivation as regions without labels. */
static HeddleSchedule *
regions_of (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddleDerivation *derivation)
{
  HeddleSchedule *made
      = schedule != NULL ? heddle_schedule_copy (schedule) : heddle_schedule_new (diagram->id);

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);
      HeddleRegion *region = heddle_schedule_add_region (made);

      for (guint k = 0; k < kernel->operations->len; k++)
        heddle_ids_append (region->operations, heddle_ids_index (kernel->operations, k));
    }
  return made;
}

/* The axes of a kernel's results that a block has all of, but for the contiguous one. */
static GArray *
whole_axes (const HeddlePlan *plan, const HeddleKernel *kernel)
{
  GArray *axes = heddle_ids_new ();

  for (guint i = 0; kernel->program != NULL && kernel->tensor_flops > 0 && i < kernel->program->buffers->len;
       i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (kernel->program, i);

      for (guint k = 0; buffer->value != NULL && heddle_ids_contain (kernel->program->outputs, buffer->value)
                        && k + 1 < buffer->axes->len;
           k++)
        {
          const char *axis = heddle_ids_index (buffer->axes, k);

          if (g_array_index (buffer->extents, HeddleExtent, k) == HEDDLE_EXTENT_FULL
              && heddle_sizes_get (plan->sizes, axis) > 1 && !heddle_ids_contain (axes, axis))
            heddle_ids_append (axes, axis);
        }
    }
  return axes;
}

/* Takes the derivation with one of @axis in a block of kernel @i, where that is legal and faster. */
static gboolean
try_axis (const HeddlePlan *plan, const HeddleDiagram *diagram, HeddleSchedule *schedule, guint i,
    const char *axis, HeddleDerivation **best, GCancellable *cancellable)
{
  HeddleRegion *region = g_ptr_array_index (schedule->regions, i);
  HeddleDerivation *derivation;

  g_ptr_array_add (region->labels, heddle_label_new (axis, "smem", HEDDLE_LABEL_GROUP, 1));
  derivation = heddle_plan_derive (diagram, schedule, plan, cancellable, NULL);
  if (derivation != NULL && derivation->kernels->len == (*best)->kernels->len
      && heddle_plan_seconds (plan, diagram, derivation) < heddle_plan_seconds (plan, diagram, *best))
    {
      heddle_derivation_free (*best);
      *best = derivation;
      return TRUE;
    }
  g_clear_pointer (&derivation, heddle_derivation_free);
  g_ptr_array_set_size (region->labels, region->labels->len - 1);
  return FALSE;
}

HeddleDerivation *
heddle_plan_group_heads (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddlePlan *plan,
    HeddleDerivation *derivation, GCancellable *cancellable)
{
  HeddleSchedule *made;
  guint tries = 0;

  if (derivation == NULL || derivation->kernels->len > MOST_KERNELS || plan->family == HEDDLE_FAMILY_GENERAL)
    return derivation;
  made = regions_of (diagram, schedule, derivation);
  for (guint i = 0; i < made->regions->len; i++)
    {
      g_autoptr (GArray) axes = whole_axes (plan, g_ptr_array_index (derivation->kernels, i));

      for (guint k = 0; k < axes->len && tries++ < MOST_TRIES; k++)
        try_axis (plan, diagram, made, i, heddle_ids_index (axes, k), &derivation, cancellable);
    }
  heddle_schedule_free (made);
  return derivation;
}
