/* SPDX-License-Identifier: MIT */
#include "codegen/plan/derive.h"
#include "codegen/plan/parted.h"
#include "derive/derivation/derive.h"

/* This file takes kernels apart again that a search fused. The search prices a kernel by what its units do; as
 * it would be emitted, a kernel of several statements may take longer than a kernel for each of them: it has
 * one tile for all, and what only one of them needs is held by every block. A kernel whose labels a plan chose may be
 * faster with those that are suggested for it. */

typedef struct
{
  const HeddlePlan *plan;
  const HeddleDiagram *diagram;
  const HeddlePlanCut *parts;
} Parting;

/* Returns whether the kernel is of the diagram, and computes nothing that another one computes too. */
static gboolean
is_whole (const HeddleDerivation *derivation, const HeddleKernel *kernel)
{
  return !heddle_derivation_is_inserted (derivation, kernel) && kernel->again->len == 0;
}

static gboolean
is_within (const HeddleKernel *part, const HeddleKernel *kernel)
{
  for (guint i = 0; i < part->operations->len; i++)
    if (!heddle_ids_contain (kernel->operations, heddle_ids_index (part->operations, i)))
      return FALSE;
  return TRUE;
}

/* Returns the kernels that do what @kernel does, one with other labels or several; NULL if there are none such.
 * Transfer container. */
static GPtrArray *
find_parts (const Parting *self, const HeddleKernel *kernel)
{
  const HeddleDerivation *derivation = self->parts->derivation;
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  guint n = 0;

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      HeddleKernel *part = g_ptr_array_index (derivation->kernels, i);

      if (!is_whole (derivation, part) || !is_within (part, kernel))
        continue;
      g_ptr_array_add (found, part);
      n += part->operations->len;
    }
  return found->len > 0 && n == kernel->operations->len ? g_steal_pointer (&found) : NULL;
}

static double
price_all (const Parting *self, const GPtrArray *kernels)
{
  const HeddleDiagram *diagram = heddle_derivation_diagram (self->parts->derivation, self->diagram);
  double seconds = 0;

  for (guint i = 0; i < kernels->len; i++)
    seconds += heddle_plan_price_of (self->plan, diagram, g_ptr_array_index (kernels, i));
  return seconds;
}

/* Puts the regions of @parts into the schedule in place of the one of @kernel. */
static void
replace (const Parting *self, HeddleSchedule *schedule, const HeddleKernel *kernel, const GPtrArray *parts)
{
  HeddleRegion *fused = heddle_schedule_region_of (schedule, heddle_ids_index (kernel->operations, 0));

  g_ptr_array_remove (schedule->regions, fused);
  for (guint i = 0; i < parts->len; i++)
    {
      const HeddleKernel *part = g_ptr_array_index (parts, i);
      const HeddleRegion *from
          = heddle_schedule_region_of (self->parts->schedule, heddle_ids_index (part->operations, 0));
      HeddleRegion *region = heddle_schedule_add_region (schedule);

      g_array_append_vals (region->operations, from->operations->data, from->operations->len);
      for (guint k = 0; k < from->labels->len; k++)
        g_ptr_array_add (region->labels, heddle_label_copy (g_ptr_array_index (from->labels, k)));
    }
}

HeddleSchedule *
heddle_plan_part_kernels (const HeddleDiagram *diagram, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, const HeddlePlanCut *fused, const HeddlePlanCut *parts)
{
  const HeddlePlan plan = heddle_plan_of_options (sizes, options);
  const Parting self = { &plan, diagram, parts };
  const HeddleDiagram *laid = heddle_derivation_diagram (fused->derivation, diagram);
  HeddleSchedule *schedule = NULL;

  for (guint i = 0; i < fused->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (fused->derivation->kernels, i);
      g_autoptr (GPtrArray) found = is_whole (fused->derivation, kernel) ? find_parts (&self, kernel) : NULL;

      if (found == NULL || price_all (&self, found) >= heddle_plan_price_of (&plan, laid, kernel))
        continue;
      if (schedule == NULL)
        schedule = heddle_schedule_copy (fused->schedule);
      replace (&self, schedule, kernel, found);
    }
  return schedule;
}
