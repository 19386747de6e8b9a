/* SPDX-License-Identifier: MIT */
#include "codegen/cuda/axes.h"
#include "codegen/verify/reads.h"
#include "codegen/verify/shrink.h"
#include "codegen/verify/sizes.h"
#include "codegen/verify/suit.h"
#include "derive/program/guard.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"

/* This file finds sizes at which the very kernels of a plan are quick to check. */

/* Returns the greatest part of the axis, by which every kernel has whole parts; 0 if none has parts of it. Of
 * chunks it counts two, so that a third one, the ragged one, comes into the place of the first. */
static gint64
largest_part (const HeddlePlan *plan, const char *axis)
{
  static const struct
  {
    HeddleBandKind kind;
    gint64 parts;
  } rows[] = { { HEDDLE_BAND_GROUP, 1 }, { HEDDLE_BAND_STREAM, 2 } };
  gint64 largest = 0;

  for (guint i = 0; i < plan->derivation->kernels->len; i++)
    for (guint k = 0; k < G_N_ELEMENTS (rows); k++)
      {
        const HeddleKernel *kernel = g_ptr_array_index (plan->derivation->kernels, i);
        const HeddleNode *band = heddle_loop_program_get_band (kernel->program, axis, rows[k].kind);

        if (band != NULL)
          largest = MAX (largest, band->size * rows[k].parts);
      }
  return largest;
}

/* Returns the guard of a kernel's stream; NULL if every step runs. */
static const HeddleExpr *
guard_of (const HeddleNode *node)
{
  const HeddleExpr *guard = node->guard;

  for (guint i = 0; guard == NULL && i < node->children->len; i++)
    guard = guard_of (g_ptr_array_index (node->children, i));
  return guard;
}

/* Returns the largest part of any axis that a mask compares with this one: the sizes are in proportion, so
 * that steps are skipped. */
static gint64
compared_part (const HeddlePlan *plan, const HeddleDiagram *diagram, const char *axis)
{
  gint64 largest = 0;

  for (guint i = 0; i < plan->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (plan->derivation->kernels, i);
      const HeddleExpr *guard = guard_of (kernel->program->root);

      if (guard == NULL || !heddle_guard_uses (guard, axis))
        continue;
      for (guint k = 0; k < diagram->axes->len; k++)
        {
          const char *other = ((const HeddleAxis *) g_ptr_array_index (diagram->axes, k))->id;

          if (heddle_guard_uses (guard, other))
            largest = MAX (largest, largest_part (plan, other));
        }
    }
  return largest;
}

/* The number of rows of a table that is read at indices that are enough. */
#define FEW_ROWS 7

/* Returns whether a kernel reads along the axis at indices alone, however long it is. */
static gboolean
is_gathered (const HeddlePlan *plan, const char *axis)
{
  for (guint i = 0; i < plan->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (plan->derivation->kernels, i);

      if (heddle_cuda_axis_at_run_time (kernel->program, axis))
        return TRUE;
    }
  return FALSE;
}

/* Returns whether kernels go through no axis of this size, but through others whose sizes are computed from
 * it and are arguments. */
static gboolean
is_base (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleAxis *axis)
{
  gboolean found = FALSE;

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *other = g_ptr_array_index (diagram->axes, i);

      if (!heddle_verify_goes_with (diagram, other, axis->id))
        continue;
      if (heddle_verify_is_constant (plan, other->id))
        return FALSE;
      found |= largest_part (plan, other->id) > 0;
    }
  return found;
}

/* Returns the size of one whole part and a ragged one; 0 if the axis keeps its size. */
static gint64
small_size (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleAxis *axis)
{
  gint64 size = heddle_sizes_get (plan->sizes, axis->id), part = largest_part (plan, axis->id);

  part = part > 0 ? MAX (part, compared_part (plan, diagram, axis->id)) : 0;

  if (heddle_verify_is_constant (plan, axis->id) || heddle_axis_depends (axis))
    return 0;
  if (part == 0 && is_base (plan, diagram, axis))
    return size;
  if (heddle_verify_is_read_by_places (diagram, axis->id))
    return 0;
  if (part == 0)
    return plan->texts->len == 0 || is_gathered (plan, axis->id) ? MIN (size, FEW_ROWS) : 0;
  return MIN (size, part + MAX (1, part / 3));
}

/* Returns whether the axes computed from the axis still have whole parts. */
static gboolean
has_whole_parts (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleSizes *sizes, const char *base)
{
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      gint64 part = MIN (largest_part (plan, axis->id), heddle_sizes_get (plan->sizes, axis->id));

      if (heddle_verify_goes_with (diagram, axis, base) && heddle_sizes_get (sizes, axis->id) < part)
        return FALSE;
    }
  return TRUE;
}

/* Halves a size from which others are computed, as long as those have whole parts. */
static void
shrink_base (const HeddlePlan *plan, const HeddleDiagram *diagram, GHashTable *small, const HeddleAxis *axis)
{
  gint64 *size = g_hash_table_lookup (small, axis->id);

  while (size != NULL && *size > 2)
    {
      const gint64 before = *size;
      g_autoptr (HeddleSizes) sizes = NULL;

      *size /= 2;
      sizes = heddle_verify_complete_sizes (plan, small);
      if (sizes != NULL && has_whole_parts (plan, diagram, sizes, axis->id))
        continue;
      *size = before;
      return;
    }
}

HeddleSizes *
heddle_plan_small_sizes (const HeddlePlan *plan)
{
  const HeddleDiagram *diagram = plan->diagram;
  g_autoptr (GHashTable) small = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (HeddleSizes) sizes = NULL, inside = NULL;

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      gint64 size = small_size (plan, diagram, axis);

      if (size > 0)
        g_hash_table_insert (small, (gpointer) axis->id, g_memdup2 (&size, sizeof size));
    }
  while (heddle_verify_agree (plan, small))
    ;
  heddle_verify_keep_what_suits (plan, small);
  for (guint i = 0; i < diagram->axes->len; i++)
    if (is_base (plan, diagram, g_ptr_array_index (diagram->axes, i)))
      shrink_base (plan, diagram, small, g_ptr_array_index (diagram->axes, i));
  heddle_verify_shrink (plan, small);
  sizes = heddle_verify_complete_sizes (plan, small);
  if (sizes == NULL || !heddle_verify_suits (plan, sizes))
    return heddle_sizes_ref (plan->sizes);
  inside = heddle_verify_reach_inside (plan, sizes, 1);
  return heddle_verify_suits (plan, inside) ? g_steal_pointer (&inside) : g_steal_pointer (&sizes);
}

/* Returns whether all kernels have a loop program; one that has none says why. */
static gboolean
have_programs (const HeddleDerivation *derivation)
{
  for (guint i = 0; i < derivation->kernels->len; i++)
    if (((const HeddleKernel *) g_ptr_array_index (derivation->kernels, i))->program == NULL)
      return FALSE;
  return TRUE;
}

HeddleSizes *
heddle_derivation_small_sizes (const HeddleDiagram *diagram, HeddleDerivation *derivation, HeddleSizes *sizes)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  const HeddlePlan plan
      = { .diagram = (HeddleDiagram *) diagram, .sizes = sizes, .derivation = derivation, .texts = none };

  if (!have_programs (derivation))
    return heddle_sizes_ref (sizes);
  return heddle_plan_small_sizes (&plan);
}

/* Returns whether an array's rows lie along the axis. */
static gboolean
is_of_rows (const HeddleDiagram *diagram, const char *axis)
{
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const GArray *axes = ((const HeddleValue *) g_ptr_array_index (diagram->values, i))->axes;

      if (axes->len > 0 && heddle_ids_index (axes, axes->len - 1) == axis)
        return TRUE;
    }
  return FALSE;
}

HeddleSizes *
heddle_plan_aligned_sizes (const HeddlePlan *plan, const HeddleSizes *sizes)
{
  const HeddleDiagram *diagram = plan->diagram;
  g_autoptr (GHashTable) overrides = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (HeddleSizes) aligned = NULL, inside = NULL;
  gboolean changed = FALSE;

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      gint64 own = heddle_sizes_get (sizes, axis->id);
      gboolean rounded = is_of_rows (diagram, axis->id) && !heddle_verify_is_constant (plan, axis->id);
      gint64 size = rounded ? (own + 7) / 8 * 8 : own;

      changed |= size != own;
      if (!heddle_axis_depends (axis))
        g_hash_table_insert (overrides, axis->name, g_memdup2 (&size, sizeof size));
    }
  aligned = changed ? heddle_sizes_new (diagram, overrides, NULL) : NULL;
  inside = aligned != NULL ? heddle_verify_reach_inside (plan, aligned, 8) : NULL;
  return inside != NULL && heddle_verify_suits (plan, inside) ? g_steal_pointer (&inside) : NULL;
}
