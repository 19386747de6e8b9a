/* SPDX-License-Identifier: MIT */
#include "codegen/plan/batches.h"
#include "diagram/graph/axes-order.h"
#include "diagram/graph/operation-table.h"

/* This file guesses layouts before kernels are chosen: a block of a product has one of a batch's axis, or of
 * the heads, so that the axis is best the first one. What the kernels really want is found once they are
 * known (layouts.c); but their operations are chosen by prices, and those must be of arrays that can be read
 * well. */

/* Returns the axes that all factors and the result have. */
static GArray *
batches_of (const HeddleDiagram *diagram, const HeddleOperation *product)
{
  const GArray *all = heddle_diagram_get_value (diagram, product->result)->axes;
  GArray *batches = heddle_ids_new ();

  for (guint i = 0; i < all->len; i++)
    {
      gboolean everywhere = TRUE;

      for (guint k = 0; k < product->operands->len; k++)
        everywhere &= heddle_ids_contain (
            heddle_diagram_get_value (diagram, heddle_ids_index (product->operands, k))->axes,
            heddle_ids_index (all, i));
      if (everywhere)
        heddle_ids_append (batches, heddle_ids_index (all, i));
    }
  return batches;
}

/* Returns @axes with those of @first in front, both parts in their order. */
static GArray *
with_first (const GArray *axes, const GArray *first)
{
  GArray *order = heddle_ids_new ();

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < axes->len; i++)
      if (heddle_ids_contain (first, heddle_ids_index (axes, i)) == (pass == 0))
        heddle_ids_append (order, heddle_ids_index (axes, i));
  return order;
}

static void
lay (HeddleDiagram *diagram, const char *value, const GArray *first)
{
  const GArray *own = heddle_diagram_get_value (diagram, value)->axes;
  g_autoptr (GArray) order = with_first (own, first);

  if (heddle_diagram_is_internal (diagram, value) && !heddle_ids_equal (own, order))
    heddle_diagram_reorder_axes (diagram, value, order);
}

/* Returns whether the operation makes one element of its result of each element of a value. */
static gboolean
keeps_axes (const HeddleOperation *operation)
{
  return operation->kind->form == HEDDLE_FORM_MAP || operation->kind->form == HEDDLE_FORM_NORMALISE;
}

/* Orders the result's axes as those of the first operand that has the same axes. */
static void
follow (HeddleDiagram *diagram, const HeddleOperation *operation)
{
  const GArray *own = heddle_diagram_get_value (diagram, operation->result)->axes;

  for (guint i = 0; i < operation->operands->len; i++)
    {
      const char *operand = heddle_ids_index (operation->operands, i);
      g_autoptr (GArray) axes = heddle_ids_copy (heddle_diagram_get_value (diagram, operand)->axes);
      guint shared = 0;

      for (guint k = 0; k < axes->len; k++)
        shared += heddle_ids_contain (own, heddle_ids_index (axes, k));
      if (axes->len != own->len || shared != own->len || !heddle_diagram_is_internal (diagram, operand))
        continue;
      if (heddle_diagram_is_internal (diagram, operation->result) && !heddle_ids_equal (own, axes))
        heddle_diagram_reorder_axes (diagram, operation->result, axes);
      return;
    }
}

void
heddle_plan_put_batches_first (HeddleDiagram *diagram)
{
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      g_autoptr (GArray) batches = NULL;

      if (keeps_axes (operation))
        follow (diagram, operation);
      if (operation->kind->form != HEDDLE_FORM_CONTRACT || operation->axes->len == 0)
        continue;
      batches = batches_of (diagram, operation);
      lay (diagram, operation->result, batches);
      for (guint k = 0; k < operation->operands->len; k++)
        lay (diagram, heddle_ids_index (operation->operands, k), batches);
    }
}
