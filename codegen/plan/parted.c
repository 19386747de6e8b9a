/* SPDX-License-Identifier: MIT */
#include "codegen/plan/derive.h"
#include "codegen/plan/parted.h"
#include "derive/derivation/derive.h"

/* This file takes the better kernels of two cuts. The search prices a kernel by what its units do; as it would be
 * emitted, a kernel of several statements may take longer than a kernel for each of them: it has one tile for all, and
 * what only one of them needs is held by every block. A kernel whose labels a plan chose may be faster with those
 * that are suggested for it. So operations that are whole kernels in both cuts are compared: the fewest kernels of the
 * one that do the same as kernels of the other. */

typedef struct
{
  const HeddlePlan *plan;
  const HeddleDiagram *diagram;
  const HeddlePlanCut *cuts[2]; /* what is there, and what may be better */
  GHashTable *kernels[2]; /* operation id -> HeddleKernel of the cut */
} Parting;

/* Kernels of both cuts that do the same. */
typedef struct
{
  GPtrArray *kernels[2];
  gboolean whole; /* none of them does a part of something else */
} Joint;

static void
joint_clear (Joint *self)
{
  g_ptr_array_unref (self->kernels[0]);
  g_ptr_array_unref (self->kernels[1]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Joint, joint_clear)

/* Returns whether the kernel is of the diagram, and computes nothing that another one computes too. */
static gboolean
is_whole (const HeddleDerivation *derivation, const HeddleKernel *kernel)
{
  return !heddle_derivation_is_inserted (derivation, kernel) && kernel->again->len == 0;
}

static GHashTable *
list_kernels (const HeddleDerivation *derivation)
{
  GHashTable *kernels = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      for (guint k = 0; is_whole (derivation, kernel) && k < kernel->operations->len; k++)
        g_hash_table_insert (kernels, (gpointer) heddle_ids_index (kernel->operations, k), kernel);
    }
  return kernels;
}

/* Adds a kernel of cut number @cut, and the kernels of the other one that do the same. */
static void
grow (const Parting *self, Joint *joint, guint cut, HeddleKernel *kernel)
{
  if (g_ptr_array_find (joint->kernels[cut], kernel, NULL))
    return;
  g_ptr_array_add (joint->kernels[cut], kernel);
  for (guint i = 0; joint->whole && i < kernel->operations->len; i++)
    {
      HeddleKernel *other
          = g_hash_table_lookup (self->kernels[1 - cut], heddle_ids_index (kernel->operations, i));

      joint->whole = other != NULL;
      if (other != NULL)
        grow (self, joint, 1 - cut, other);
    }
}

static double
price_all (const Parting *self, const Joint *joint, guint cut)
{
  const HeddleDiagram *diagram = heddle_derivation_diagram (self->cuts[cut]->derivation, self->diagram);
  double seconds = 0;

  for (guint i = 0; i < joint->kernels[cut]->len; i++)
    seconds += heddle_plan_price_of (self->plan, diagram, g_ptr_array_index (joint->kernels[cut], i));
  return seconds;
}

static HeddleRegion *
region_of (const HeddleSchedule *schedule, const HeddleKernel *kernel)
{
  return heddle_schedule_region_of (schedule, heddle_ids_index (kernel->operations, 0));
}

/* Puts the regions of the second cut into the schedule in place of those of the first one. */
static void
replace (const Parting *self, HeddleSchedule *schedule, const Joint *joint)
{
  for (guint i = 0; i < joint->kernels[0]->len; i++)
    g_ptr_array_remove (schedule->regions, region_of (schedule, g_ptr_array_index (joint->kernels[0], i)));
  for (guint i = 0; i < joint->kernels[1]->len; i++)
    {
      const HeddleRegion *from
          = region_of (self->cuts[1]->schedule, g_ptr_array_index (joint->kernels[1], i));
      HeddleRegion *region = heddle_schedule_add_region (schedule);

      g_array_append_vals (region->operations, from->operations->data, from->operations->len);
      for (guint k = 0; k < from->labels->len; k++)
        g_ptr_array_add (region->labels, heddle_label_copy (g_ptr_array_index (from->labels, k)));
    }
}

HeddleSchedule *
heddle_plan_take_better (const HeddleDiagram *diagram, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, const HeddlePlanCut *cut, const HeddlePlanCut *other)
{
  const HeddlePlan plan = heddle_plan_of_options (sizes, options);
  g_autoptr (GHashTable) first = list_kernels (cut->derivation), second = list_kernels (other->derivation);
  const Parting self = { &plan, diagram, { cut, other }, { first, second } };
  HeddleSchedule *schedule = NULL;

  for (guint i = 0; i < cut->derivation->kernels->len; i++)
    {
      HeddleKernel *kernel = g_ptr_array_index (cut->derivation->kernels, i);
      g_auto (Joint) joint
          = { { g_ptr_array_new (), g_ptr_array_new () }, is_whole (cut->derivation, kernel) };

      if (joint.whole && g_hash_table_lookup (first, heddle_ids_index (kernel->operations, 0)) == kernel)
        grow (&self, &joint, 0, kernel);
      else
        continue;
      for (guint k = 0; k < joint.kernels[0]->len; k++)
        {
          const HeddleKernel *done = g_ptr_array_index (joint.kernels[0], k);

          for (guint n = 0; n < done->operations->len; n++)
            g_hash_table_remove (first, heddle_ids_index (done->operations, n));
        }
      if (!joint.whole || price_all (&self, &joint, 1) >= price_all (&self, &joint, 0))
        continue;
      if (schedule == NULL)
        schedule = heddle_schedule_copy (cut->schedule);
      replace (&self, schedule, &joint);
    }
  return schedule;
}
