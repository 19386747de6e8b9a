/* SPDX-License-Identifier: MIT */
#include "codegen/verify/shrink.h"
#include "codegen/verify/suit.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"

/* This file estimates how much work a check is, and finds sizes at which it is little. */

gboolean
heddle_verify_goes_with (const HeddleDiagram *diagram, const HeddleAxis *axis, const char *base)
{
  if (axis->size == NULL)
    return FALSE;
  if (heddle_expr_uses (axis->size, HEDDLE_EXPR_SIZE, base))
    return TRUE;
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *between = g_ptr_array_index (diagram->axes, i);

      if (heddle_expr_uses (axis->size, HEDDLE_EXPR_SIZE, between->id)
          && heddle_verify_goes_with (diagram, between, base))
        return TRUE;
    }
  return FALSE;
}

/* Returns whether groups of some kernel go through parts of the axis, which another kernel merges. */
static gboolean
is_split (const HeddlePlan *plan, const char *axis)
{
  for (guint i = 0; i < plan->derivation->kernels->len; i++)
    {
      const HeddleLoopProgram *program
          = ((const HeddleKernel *) g_ptr_array_index (plan->derivation->kernels, i))->program;

      if (program->combine != NULL && heddle_loop_program_get_band (program, axis, HEDDLE_BAND_GROUP) != NULL
          && heddle_loop_program_get_band (program, axis, HEDDLE_BAND_STREAM) != NULL)
        return TRUE;
    }
  return FALSE;
}

/* The greatest number of terms that one operation goes through: an interpreter does some ten million in a
 * second. For loop programs alone it is that of all operations. It is more where an axis is split: of less
 * than a part there is nothing to merge. */
#define MOST_WORK 8e6
#define MOST_WORK_SPLIT 32e6
/* The factor on the limit beyond which fewer than two of an axis are gone through. */
#define FAR_TOO_MUCH 2.5

/* Returns the work of the diagram; @hardest (out) receives the operation that goes through most terms. */
static double
work_of (const HeddleDiagram *diagram, const HeddlePlan *plan, const HeddleSizes *sizes,
    const HeddleOperation **hardest)
{
  double most = 0, all = 0;

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      const HeddleValue *result = heddle_diagram_get_value (diagram, operation->result);
      double work = 1;

      for (guint k = 0; k < result->axes->len; k++)
        work *= (double) heddle_sizes_get (sizes, heddle_ids_index (result->axes, k));
      for (guint k = 0; k < operation->axes->len; k++)
        if (!heddle_ids_contain (result->axes, heddle_ids_index (operation->axes, k)))
          work *= (double) heddle_sizes_get (sizes, heddle_ids_index (operation->axes, k));
      if (work > most)
        *hardest = operation;
      most = MAX (most, work);
      all += work;
    }
  return plan->texts->len > 0 ? most : all;
}

/* Returns whether the operation goes through the axis, or one whose size is computed from it. */
static gboolean
goes_through (const HeddleDiagram *diagram, const HeddleOperation *operation, const char *axis)
{
  const GArray *own = heddle_diagram_get_value (diagram, operation->result)->axes;

  if (heddle_ids_contain (operation->axes, axis) || heddle_ids_contain (own, axis))
    return TRUE;
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *other = g_ptr_array_index (diagram->axes, i);

      if ((heddle_ids_contain (operation->axes, other->id) || heddle_ids_contain (own, other->id))
          && heddle_verify_goes_with (diagram, other, axis))
        return TRUE;
    }
  return FALSE;
}

/* The axes that are shrunk, and how far. */
typedef struct
{
  gboolean split; /* those that are split, or those that are not */
  gint64 least; /* so many elements are left of each */
} Shrinking;

/* Returns the largest size below @below of an axis that the operation goes through, or the least. */
static gint64
largest_below (
    const HeddlePlan *plan, const HeddleOperation *operation, GHashTable *small, Shrinking how, gint64 below)
{
  GHashTableIter iter;
  gpointer axis, size;
  gint64 largest = how.least;

  g_hash_table_iter_init (&iter, small);
  while (g_hash_table_iter_next (&iter, &axis, &size))
    if (*(gint64 *) size < below && goes_through (plan->diagram, operation, axis)
        && is_split (plan, axis) == how.split)
      largest = MAX (largest, *(gint64 *) size);
  return largest;
}

/* Halves all sizes that are @size. Returns %FALSE if the result is not consistent, as when constants are
 * joined to an axis that long; they then stay. */
static gboolean
halve (const HeddlePlan *plan, GHashTable *small, gint64 size)
{
  g_autoptr (GPtrArray) halved = g_ptr_array_new ();
  g_autoptr (HeddleSizes) sizes = NULL;
  GHashTableIter iter;
  gpointer own;

  g_hash_table_iter_init (&iter, small);
  while (g_hash_table_iter_next (&iter, NULL, &own))
    if (*(gint64 *) own == size)
      {
        *(gint64 *) own = (size + 1) / 2;
        g_ptr_array_add (halved, own);
      }
  sizes = heddle_verify_complete_sizes (plan, small);
  for (guint i = 0; sizes == NULL && i < halved->len; i++)
    *(gint64 *) g_ptr_array_index (halved, i) = size;
  return sizes != NULL;
}

/* Halves the largest of the sizes that the operation goes through, and all that are equal to it; returns
 * %FALSE if there is nothing to halve. */
static gboolean
shrink_some (const HeddlePlan *plan, const HeddleOperation *operation, GHashTable *small, Shrinking how)
{
  gint64 largest = largest_below (plan, operation, small, how, G_MAXINT64);

  while (largest > how.least && !halve (plan, small, largest))
    largest = largest_below (plan, operation, small, how, largest);
  return largest > how.least;
}

static double
most_work (const HeddlePlan *plan)
{
  for (guint i = 0; i < plan->diagram->axes->len; i++)
    if (is_split (plan, ((const HeddleAxis *) g_ptr_array_index (plan->diagram->axes, i))->id))
      return MOST_WORK_SPLIT;
  return MOST_WORK;
}

/* Shrinks split axes last. Where two of each are far too many still, since a kernel has the lengths of its
 * rows in it, one of some has to do: a reference of 2 x 2 masked scores of 4,096 x 4,096 holds 3.5 GB. */
static gboolean
shrink (const HeddlePlan *plan, const HeddleOperation *operation, GHashTable *small, double work)
{
  return shrink_some (plan, operation, small, (Shrinking){ FALSE, 2 })
         || shrink_some (plan, operation, small, (Shrinking){ TRUE, 2 })
         || (work > FAR_TOO_MUCH * most_work (plan)
             && shrink_some (plan, operation, small, (Shrinking){ FALSE, 1 }));
}

/* Returns the work where it is too much, and 0 where it is not. */
static double
excess (const HeddlePlan *plan, GHashTable *small, const HeddleOperation **hardest)
{
  g_autoptr (HeddleSizes) sizes = heddle_verify_complete_sizes (plan, small);
  double work = sizes != NULL ? work_of (plan->diagram, plan, sizes, hardest) : 0.;

  return work > most_work (plan) ? work : 0.;
}

void
heddle_verify_shrink (const HeddlePlan *plan, GHashTable *small)
{
  const HeddleOperation *hardest = NULL;
  double work;

  while ((work = excess (plan, small, &hardest)) > 0. && shrink (plan, hardest, small, work))
    ;
}
