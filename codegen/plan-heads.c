/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "codegen/plan-private.h"

/* Axes that go through a kernel from its arrays to its result, heads of attention or batches: a block that has all of one can have one of it as
 * well, which leaves its rows to another axis. */

/* More tries are not worth the time that planning takes. */
#define MOST_TRIES 8

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

/* Keeps the label of one of @axis in a block where that is legal and faster than @seconds. */
static void
try_axis (const HeddlePlan *plan, const HeddleDiagram *diagram, HeddleSchedule *schedule,
    HeddleRegion *region, const char *axis, double *seconds, GCancellable *cancellable)
{
  HeddleDerivation *derivation;
  double own;

  g_ptr_array_add (region->labels, heddle_label_new (axis, "smem", HEDDLE_LABEL_GROUP, 1));
  derivation = heddle_plan_derive (diagram, schedule, region, plan, cancellable, NULL);
  own = heddle_plan_seconds (plan, diagram, derivation);
  if (derivation != NULL && derivation->kernels->len == 1 && own < *seconds)
    *seconds = own;
  else
    g_ptr_array_set_size (region->labels, region->labels->len - 1);
  g_clear_pointer (&derivation, heddle_derivation_free);
}

double
heddle_plan_price_region (const HeddleDiagram *diagram, HeddleSchedule *schedule, HeddleRegion *region,
    const HeddlePlan *plan, GCancellable *cancellable)
{
  HeddleDerivation *derivation = heddle_plan_derive (diagram, schedule, region, plan, cancellable, NULL);
  double seconds = heddle_plan_seconds (plan, diagram, derivation);
  g_autoptr (GArray) axes = NULL;

  if (derivation == NULL)
    return seconds;
  if (plan->family != HEDDLE_FAMILY_GENERAL && derivation->kernels->len == 1)
    axes = whole_axes (plan, g_ptr_array_index (derivation->kernels, 0));
  heddle_derivation_free (derivation);
  for (guint k = 0; axes != NULL && k < MIN (axes->len, MOST_TRIES); k++)
    try_axis (plan, diagram, schedule, region, heddle_ids_index (axes, k), &seconds, cancellable);
  return seconds;
}
