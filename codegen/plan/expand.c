/* SPDX-License-Identifier: MIT */
#include "codegen/plan/derive.h"
#include "codegen/plan/expand.h"
#include "codegen/plan/joined-axes.h"
#include "codegen/plan/plan.h"
#include "codegen/plan/tiles.h"
#include "codegen/tile/mma.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/expand-oversized.h"
#include "derive/index/saturate.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/region/view.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/operation-table.h"
#include "diagram/rewrite/rewrite.h"
#include "diagram/rewrite/tools.h"

/* This file rewrites operations before kernels are made of them: softmaxes and norms that fit no memory; sums over
 * products of three arrays, which are no product of two tiles until they are split; sums over axes that lie side by
 * side, which become one; and sums over three axes, of which the tensor core adds up two. */

static gboolean
has_tiles (const HeddleKernel *kernel, gpointer plan)
{
  return heddle_plan_has_tiles (plan, ((const HeddlePlan *) plan)->diagram, kernel);
}

gboolean
heddle_plan_expand (HeddlePlan *plan, const HeddleSchedule *schedule, GCancellable *cancellable)
{
  HeddleDerivation *derivation = heddle_plan_derive_apart (plan->diagram, schedule, plan, cancellable, NULL);
  g_autoptr (GArray) values = derivation != NULL ? heddle_derivation_expand_oversized (
                                  derivation, plan->diagram, schedule, has_tiles, plan)
                                                 : heddle_ids_new ();

  g_clear_pointer (&derivation, heddle_derivation_free);
  return values->len > 0;
}

/* --- products of three arrays --- */

static void
split_products_of_three (HeddleDiagram *diagram, GArray *values)
{
  const HeddleRewriteRule *rule = heddle_rewrite_rule ("split-contractions");
  g_autoptr (GArray) products = heddle_ids_new ();

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (operation->kind->form == HEDDLE_FORM_CONTRACT && operation->operands->len > 2
          && operation->axes->len > 0)
        heddle_ids_append (products, operation->id);
    }
  for (guint i = 0; i < products->len; i++)
    {
      const char *id = heddle_ids_index (products, i);
      const char *value = heddle_diagram_get_operation (diagram, id)->result;

      if (heddle_diagram_rewrite_at (diagram, rule, id))
        heddle_ids_append (values, value);
      while (heddle_diagram_rewrite_at (diagram, rule, id))
        ;
    }
}

/* --- sums over three axes --- */

/* The least number of terms of a sum over the other axes, and of rows and columns, so that what the tensor core
 * saves is more than storing the sums apart and adding them up takes. */
#define LEAST_TERMS 64
#define LEAST_SIDE 16

/* Returns whether a factor is read at the product's own indices, and not in windows. */
static gboolean
is_plain_factor (const HeddleDiagram *diagram, const HeddleSizes *sizes, const char *value)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (diagram, value);

  return producer == NULL || producer->kind->form != HEDDLE_FORM_REINDEX
         || heddle_view_is (diagram, sizes, NULL, producer);
}

/* Returns the number of the factor's elements along axes that the other one does not have. */
static gint64
side_of (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleOperation *sum, guint i)
{
  const GArray *own = heddle_diagram_get_value (diagram, heddle_ids_index (sum->operands, i))->axes,
               *other = heddle_diagram_get_value (diagram, heddle_ids_index (sum->operands, 1 - i))->axes;
  gint64 n = 1;

  for (guint k = 0; k < own->len; k++)
    if (!heddle_ids_contain (other, heddle_ids_index (own, k)))
      n = heddle_saturating_multiply (n, heddle_sizes_get (sizes, heddle_ids_index (own, k)));
  return n;
}

/* Returns whether the operation is a sum over several axes of a product of two arrays that the tensor core multiplies,
 * both with many rows. */
static gboolean
is_large_product (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, HeddleDtype dtype, const HeddleOperation *sum)
{
  if (sum->kind->form != HEDDLE_FORM_CONTRACT || sum->operands->len != 2 || sum->axes->len < 2
      || heddle_ids_index (sum->operands, 0) == heddle_ids_index (sum->operands, 1))
    return FALSE;
  for (guint i = 0; i < 2; i++)
    if (heddle_mma_get (heddle_diagram_dtype (diagram, heddle_ids_index (sum->operands, i), dtype)) == NULL
        || side_of (diagram, sizes, sum, i) < LEAST_SIDE)
      return FALSE;
  return TRUE;
}

/* Makes one axis of those that lie side by side in both factors of a sum. */
static void
join_axes (HeddleDiagram *diagram, HeddleSizes **sizes, HeddleDtype dtype, GArray *values)
{
  g_autoptr (GArray) sums = heddle_ids_new ();

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (is_large_product (diagram, *sizes, dtype, operation))
        heddle_ids_append (sums, operation->id);
    }
  for (guint i = 0; i < sums->len; i++)
    {
      const char *sum = heddle_ids_index (sums, i);

      if (!heddle_plan_join_axes (diagram, sizes, sum))
        continue;
      heddle_ids_append (values, heddle_diagram_get_operation (diagram, sum)->result);
      while (heddle_plan_join_axes (diagram, sizes, sum))
        ;
    }
}

/* Returns the shortest axis of a sum over three axes or more that no tensor core adds up in one; NULL where the
 * operation is none such, or small. */
static const char *
axis_to_split (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, HeddleDtype dtype, const HeddleOperation *sum)
{
  const char *shortest = NULL;
  gint64 terms = 1;
  guint n = 0;

  if (sum->axes->len < 3 || !is_large_product (diagram, sizes, dtype, sum))
    return NULL;
  for (guint i = 0; i < 2; i++)
    {
      const char *value = heddle_ids_index (sum->operands, i);

      if (!is_plain_factor (diagram, sizes, value)
          || !heddle_rewrite_contain_all (heddle_diagram_get_value (diagram, value)->axes, sum->axes))
        return NULL;
    }
  for (guint i = 0; i < sum->axes->len; i++)
    {
      const char *axis = heddle_ids_index (sum->axes, i);
      gint64 size = heddle_sizes_get (sizes, axis);

      n += size > 1;
      terms = heddle_saturating_multiply (terms, size);
      if (size > 1 && (shortest == NULL || size < heddle_sizes_get (sizes, shortest)))
        shortest = axis;
    }
  return n >= 3 && terms / heddle_sizes_get (sizes, shortest) >= LEAST_TERMS ? shortest : NULL;
}

/* Makes the sum one of sums for each index of @axis, which stay in f32; its own type stays what it was. Returns the id of
 * the operation that makes those. */
static const char *
split_sum (HeddleDiagram *diagram, HeddleDtype dtype, const char *id, const char *axis)
{
  const HeddleOperation *sum = heddle_diagram_get_operation (diagram, id);
  g_autoptr (GArray) factors = heddle_ids_copy (sum->operands), rest = heddle_ids_copy (sum->axes),
                     outer = heddle_ids_new (), axes = heddle_ids_new (), parts = heddle_ids_new ();
  const GArray *own = heddle_diagram_get_value (diagram, sum->result)->axes;
  const HeddleOperation *part;

  heddle_diagram_edit_value (diagram, sum->result)->dtype
      = heddle_diagram_dtype (diagram, sum->result, dtype);
  g_array_remove_index (rest, (guint) heddle_ids_find (rest, axis));
  heddle_ids_append (outer, axis);
  heddle_ids_append (axes, axis);
  for (guint i = 0; i < own->len; i++)
    heddle_ids_append (axes, heddle_ids_index (own, i));
  part = heddle_rewrite_add (diagram, id, "contract", factors, axes, rest);
  heddle_diagram_edit_value (diagram, part->result)->dtype = HEDDLE_DTYPE_F32;
  heddle_ids_append (parts, part->result);
  heddle_rewrite_become (diagram, id, "sum", parts, outer, NULL, NULL);
  return part->id;
}

static void
split_sums_over_three (HeddleDiagram *diagram, const HeddleSizes *sizes, HeddleDtype dtype, GArray *values)
{
  g_autoptr (GArray) sums = heddle_ids_new ();

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (axis_to_split (diagram, sizes, dtype, operation) != NULL)
        heddle_ids_append (sums, operation->id);
    }
  for (guint i = 0; i < sums->len; i++)
    {
      const char *id = heddle_ids_index (sums, i), *axis;

      heddle_ids_append (values, heddle_diagram_get_operation (diagram, id)->result);
      while (
          (axis = axis_to_split (diagram, sizes, dtype, heddle_diagram_get_operation (diagram, id))) != NULL)
        id = split_sum (diagram, dtype, id, axis);
    }
}

GArray *
heddle_diagram_split_products (HeddleDiagram *diagram, HeddleSizes **sizes, HeddleDtype dtype, GArray *joined)
{
  GArray *values = heddle_ids_new ();

  if (dtype == HEDDLE_DTYPE_UNSET)
    dtype = HEDDLE_DTYPE_F16;
  split_products_of_three (diagram, values);
  join_axes (diagram, sizes, dtype, joined);
  split_sums_over_three (diagram, *sizes, dtype, values);
  return values;
}
