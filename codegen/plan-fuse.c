/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "codegen/plan-private.h"
#include "derive/kernel.h"

/* Which statements to fuse where nobody says it, and one kernel for all would have its products done without the tensor core. Each group of
 * operations is derived on its own, so that a model of a hundred layers takes a hundred times as long as one layer. */

/* More kernels are left apart: each is tried with the one before it. */
#define MOST_KERNELS 2000
/* How many times slower than the arithmetic units could be the general family is: it reads both factors from shared memory. */
#define GENERAL_LOSS 8.
/* Of what fits no memory: whatever does is faster. */
#define NEVER 1e9

/* What merging the parts of a split axis takes: states of 4 bytes are written and read again, by a kernel of their own, which has to fit. */
static double
merging_seconds (const HeddlePlan *plan, const HeddleKernel *kernel)
{
  const HeddleLoopProgram *program = kernel->program, *combine = program != NULL ? program->combine : NULL;
  const HeddleMachine *machine = plan->machine;
  int global = heddle_machine_find_level (machine, "gmem"),
      shared = heddle_machine_find_level (machine, "smem");
  g_autoptr (HeddleSizes) sizes = NULL;
  double bytes = 0;

  if (combine == NULL || global < 0 || shared < 0)
    return 0;
  sizes = heddle_loop_program_own_sizes (program, plan->sizes);
  if (heddle_loop_program_shared_bytes (combine, sizes)
      > ((const HeddleLevel *) g_ptr_array_index (machine->levels, shared))->capacity_bytes)
    return NEVER;
  for (guint i = 0; i < combine->inputs->len; i++)
    bytes += 4.
             * (double) heddle_sizes_elements (
                 sizes, heddle_diagram_get_value (combine->diagram, heddle_ids_index (combine->inputs, i)));
  return HEDDLE_KERNEL_START
         + 2 * bytes / ((const HeddleLevel *) g_ptr_array_index (machine->levels, global))->bandwidth;
}

double
heddle_plan_seconds_of (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  double seconds = heddle_plan_tile_seconds (plan, diagram, kernel);

  if (seconds == 0 && !kernel->fits)
    return NEVER;
  if (seconds == 0)
    seconds = MAX (kernel->expected_s, kernel->tensor_flops * GENERAL_LOSS / plan->machine->fp32_flops);
  return seconds + HEDDLE_KERNEL_START + merging_seconds (plan, kernel);
}

double
heddle_plan_seconds (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation)
{
  double seconds = 0;

  for (guint i = 0; derivation != NULL && i < derivation->kernels->len; i++)
    seconds += heddle_plan_seconds_of (plan, diagram, g_ptr_array_index (derivation->kernels, i));
  return derivation != NULL ? seconds : INFINITY;
}

gboolean
heddle_plan_is_bound (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation)
{
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      if (kernel->tensor_flops > 0 && !heddle_plan_has_tiles (plan, diagram, kernel))
        return FALSE;
    }
  return TRUE;
}

/* Of each product once. */
static double
least_flops (const HeddlePlan *plan, const HeddleDiagram *diagram)
{
  double flops = 0;

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      double terms = 2; /* a multiplication and an addition */

      if (operation->kind->form != HEDDLE_FORM_CONTRACT)
        continue;
      terms *= (double) heddle_sizes_elements (
          plan->sizes, heddle_diagram_get_value (diagram, operation->result));
      for (guint k = 0; k < operation->axes->len; k++)
        terms *= (double) heddle_sizes_get (plan->sizes, heddle_ids_index (operation->axes, k));
      flops += terms;
    }
  return flops;
}

/* How much more than each product once is as good as that. */
#define REPEATED 1.1

gboolean
heddle_plan_repeats_products (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation)
{
  double flops = 0;

  for (guint i = 0; i < derivation->kernels->len; i++)
    flops += ((const HeddleKernel *) g_ptr_array_index (derivation->kernels, i))->tensor_flops;
  return flops > REPEATED * least_flops (plan, diagram);
}

/* --- groups of operations --- */

typedef struct
{
  HeddleRegion *region; /* operations, and labels of axes that a block has one of */
  double seconds;
} Group;

static void
group_free (gpointer data)
{
  Group *self = data;

  heddle_region_free (self->region);
  g_free (self);
}

/* Prices the operations of @one and then of @two (nullable) as one kernel. */
static Group *
group_new (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const GArray *one, const GArray *two, GCancellable *cancellable)
{
  HeddleSchedule *alone
      = schedule != NULL ? heddle_schedule_copy (schedule) : heddle_schedule_new (diagram->id);
  HeddleRegion *region = heddle_schedule_add_region (alone);
  Group *self = g_new0 (Group, 1);

  g_array_append_vals (region->operations, one->data, one->len);
  if (two != NULL)
    g_array_append_vals (region->operations, two->data, two->len);
  self->seconds = heddle_plan_price_region (diagram, alone, region, plan, cancellable);
  if (!isfinite (self->seconds))
    self->seconds = NEVER;
  self->region = g_ptr_array_steal_index (alone->regions, alone->regions->len - 1);
  heddle_schedule_free (alone);
  return self;
}

static const Group *
group_at (GPtrArray *groups, guint i)
{
  return g_ptr_array_index (groups, i);
}

/* @n groups from @first on as one kernel: taken where it is legal and faster. */
static gboolean
try_together (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    GPtrArray *groups, guint first, guint n, GCancellable *cancellable)
{
  g_autoptr (GArray) operations = heddle_ids_new ();
  double apart = 0;
  Group *all;

  for (guint i = first; i < first + n; i++)
    {
      const GArray *own = group_at (groups, i)->region->operations;

      g_array_append_vals (operations, own->data, own->len);
      apart += group_at (groups, i)->seconds;
    }
  all = group_new (plan, diagram, schedule, operations, NULL, cancellable);
  if (all->seconds >= NEVER || all->seconds >= apart)
    {
      group_free (all);
      return FALSE;
    }
  g_ptr_array_remove_range (groups, first + 1, n - 1);
  group_free (groups->pdata[first]);
  groups->pdata[first] = all;
  return TRUE;
}

/* Whether one of the groups has a product. */
static gboolean
has_products (const HeddleDiagram *diagram, GPtrArray *groups, guint first, guint n)
{
  for (guint i = first; i < first + n; i++)
    {
      const GArray *operations = group_at (groups, i)->region->operations;

      for (guint k = 0; k < operations->len; k++)
        if (heddle_diagram_get_operation (diagram, heddle_ids_index (operations, k))->kind->form
            == HEDDLE_FORM_CONTRACT)
          return TRUE;
    }
  return FALSE;
}

/* Two groups, or three, the first of which is @first: what stands between two products may go with both of them and with none alone. */
static gboolean
try_next (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    GPtrArray *groups, guint first, GCancellable *cancellable)
{
  return try_together (plan, diagram, schedule, groups, first, 2, cancellable)
         || (first + 2 < groups->len && has_products (diagram, groups, first, 1)
             && !has_products (diagram, groups, first + 1, 1) && has_products (diagram, groups, first + 2, 1)
             && try_together (plan, diagram, schedule, groups, first, 3, cancellable));
}

/* Whether a product reads what another operation of the kernel makes: that is worked out for each of its tiles, and may be better off in the kernel
 * before. */
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

/* The kernel as a group; one for each of its operations where it has products that it cannot do on the tensor core, or makes their factors, and is
 * slower than those. */
static void
add_groups (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleKernel *kernel, GPtrArray *groups, GCancellable *cancellable)
{
  Group *whole = group_new (plan, diagram, schedule, kernel->operations, NULL, cancellable);
  guint first = groups->len;
  double apart = 0;

  if (kernel->operations->len == 1 || kernel->tensor_flops == 0
      || (heddle_plan_has_tiles (plan, diagram, kernel) && !works_before_products (diagram, kernel)))
    {
      g_ptr_array_add (groups, whole);
      return;
    }
  for (guint i = 0; i < kernel->operations->len; i++)
    {
      g_autoptr (GArray) one = heddle_ids_new ();
      Group *part;

      heddle_ids_append (one, heddle_ids_index (kernel->operations, i));
      part = group_new (plan, diagram, schedule, one, NULL, cancellable);
      apart += part->seconds;
      g_ptr_array_add (groups, part);
    }
  if (whole->seconds < apart)
    {
      g_ptr_array_set_size (groups, (gint) first);
      g_ptr_array_add (groups, whole);
      return;
    }
  group_free (whole);
}

static HeddleSchedule *
schedule_of (const HeddleDiagram *diagram, const HeddleSchedule *schedule, GPtrArray *groups)
{
  HeddleSchedule *made
      = schedule != NULL ? heddle_schedule_copy (schedule) : heddle_schedule_new (diagram->id);

  for (guint i = 0; i < groups->len; i++)
    {
      const HeddleRegion *from = group_at (groups, i)->region;
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
 * Begins with a kernel for each statement, or with those of @cut, and lets each go with those before it where that is faster by the model.
 *
 * Returns: (transfer full) (nullable): the derivation; %NULL: some kernel cannot be made
 */
HeddleDerivation *
heddle_plan_fuse (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddleSchedule *cut,
    const HeddlePlan *plan, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (group_free);
  HeddleDerivation *derivation
      = heddle_plan_derive_apart (diagram, cut != NULL ? cut : schedule, plan, cancellable, NULL);
  HeddleSchedule *made;

  for (guint i = 0; derivation != NULL && i < derivation->kernels->len; i++)
    add_groups (plan, diagram, schedule, g_ptr_array_index (derivation->kernels, i), groups, cancellable);
  if (derivation == NULL)
    return NULL;
  heddle_derivation_free (derivation);
  for (guint first = 0;
       groups->len <= MOST_KERNELS && first + 1 < groups->len && !g_cancellable_is_cancelled (cancellable);)
    if (!try_next (plan, diagram, schedule, groups, first, cancellable))
      first++;
    else if (first > 0)
      first--; /* the one before may go with what there is now */
  made = schedule_of (diagram, schedule, groups);
  derivation = heddle_plan_derive (diagram, made, NULL, plan, cancellable, NULL);
  heddle_schedule_free (made);
  return derivation;
}
