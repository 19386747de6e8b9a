/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/arena.h"
#include "files/equations/indices.h"
#include "files/equations/node.h"
#include "files/equations/report.h"
#include "files/equations/sums.h"

/* --- implicit sums ------------------------------------------------------------------- */

/* Returns the one child with the index; NULL if several have it. */
static HeddleEqNode **
only_child (HeddleEqNode *node, guint64 bit)
{
  HeddleEqNode **only = NULL;

  for (guint i = 0; i < node->n_children; i++)
    {
      if (!(node->children[i]->free & bit))
        continue;
      if (only != NULL)
        return NULL;
      only = &node->children[i];
    }
  return only;
}

static void
add_axis (HeddleEqScope *self, HeddleEqNode *sum, guint64 bit)
{
  HeddleEqIndex *axes = heddle_eq_alloc (self->arena, (sum->n_axes + 1) * sizeof (HeddleEqIndex));

  for (guint i = 0; i < sum->n_axes; i++)
    axes[i] = sum->axes[i];
  axes[sum->n_axes] = (HeddleEqIndex){ self->axis_names[g_bit_nth_lsf (bit, -1)], sum->column };
  sum->axes = axes;
  sum->n_axes++;
  sum->free &= ~bit;
}

static void
wrap (HeddleEqScope *self, HeddleEqNode **slot, guint64 bit)
{
  HeddleEqNode *sum = heddle_eq_reduce (self->arena, heddle_operation_kind ("sum"), (*slot)->column, *slot);

  sum->implicit = TRUE;
  sum->free = (*slot)->free;
  sum->has_array = (*slot)->has_array;
  *slot = sum;
  add_axis (self, sum, bit);
}

static gboolean
cannot_bind (HeddleEqScope *self, const HeddleEqNode *node, guint64 bit)
{
  const char *name = self->axis_names[g_bit_nth_lsf (bit, -1)];

  heddle_eq_error (self->line, node->column,
      _ ("%s is not on the left and stands in no product of two factors: expected %s on the left or "
         "sum[%s](…)"),
      name, name, name);
  return FALSE;
}

static gboolean
is_own_axis (const HeddleEqScope *self, const HeddleEqNode *node, guint64 bit)
{
  for (guint i = 0; i < node->n_axes; i++)
    if (g_str_equal (node->axes[i].name, self->axis_names[g_bit_nth_lsf (bit, -1)]))
      return TRUE;
  return FALSE;
}

/* Returns whether the node is an array, or one that is summed already over other indices that it alone
 * has. */
static gboolean
is_array (const HeddleEqNode *node)
{
  return node->kind == HEDDLE_EQ_READ
         || (node->kind == HEDDLE_EQ_REDUCE && node->implicit && node->children[0]->kind == HEDDLE_EQ_READ);
}

/* Returns whether the one child with the index is an array that multiplies another. A product is linear in
 * it, so that summing the array alone is the same as summing the product. */
static gboolean
is_summed_alone (const HeddleEqNode *node, HeddleEqNode *const *only)
{
  if (node->kind != HEDDLE_EQ_PRODUCT || only == NULL || !is_array (*only)
      || node->marks[only - node->children])
    return FALSE;
  for (guint i = 0; i < node->n_children; i++)
    if (&node->children[i] != only && node->children[i]->has_array)
      return TRUE;
  return FALSE;
}

gboolean
heddle_eq_bind_index (HeddleEqScope *self, HeddleEqNode **slot, guint64 bit)
{
  HeddleEqNode *node = *slot, **only = only_child (node, bit);
  gboolean good = TRUE;

  if (node->kind == HEDDLE_EQ_SUM)
    {
      for (guint i = 0; i < node->n_children; i++)
        if (node->children[i]->free & bit)
          good &= heddle_eq_bind_index (self, &node->children[i], bit);
    }
  else if (node->kind == HEDDLE_EQ_PRODUCT && only == NULL)
    {
      wrap (self, slot, bit);
      return TRUE;
    }
  else if (is_summed_alone (node, only))
    {
      if ((*only)->kind == HEDDLE_EQ_READ)
        wrap (self, only, bit);
      else
        add_axis (self, *only, bit);
    }
  else if (node->kind == HEDDLE_EQ_REDUCE && node->implicit && only_child (node->children[0], bit) == NULL)
    {
      add_axis (self, node, bit);
      return TRUE;
    }
  else if (node->kind == HEDDLE_EQ_READ || node->kind == HEDDLE_EQ_CALL || only == NULL
           || is_own_axis (self, node, bit)
           || (node->kind == HEDDLE_EQ_APPLY && node->apply == HEDDLE_EXPR_WHERE && only == node->children))
    return cannot_bind (self, node, bit);
  else
    good = heddle_eq_bind_index (self, only, bit);
  node->free &= ~bit;
  return good;
}

/* --- the slip ------------------------------------------------------------------------ */

/* Returns the indices that two factors of some product inside share. */
static guint64
shared_in_products (const HeddleEqNode *node)
{
  guint64 shared = 0, seen = 0;

  for (guint i = 0; i < node->n_children; i++)
    {
      const HeddleEqNode *child = node->children[i];

      if (node->kind == HEDDLE_EQ_PRODUCT)
        shared |= seen & child->free;
      seen |= child->free;
      if (child->kind != HEDDLE_EQ_READ)
        shared |= shared_in_products (child) & child->free;
    }
  return shared;
}

static void
warn (HeddleEqScope *self, const HeddleEqNode *norm, guint64 slips)
{
  const char *name = self->axis_names[g_bit_nth_lsf (slips, -1)];
  const char *over = norm->axes[0].name;

  heddle_eq_warning (self->line, norm->column,
      _ ("%s is on the left, so that %s[%s] is taken for each %s on its own; to sum over it inside, give the "
         "index another name there"),
      name, norm->operation->id, over, name);
}

/* Finds gates, as silu (X[x,m] G[m,f]) (X[x,m] U[m,f]): the sum over m is that of the whole product, and silu
 * is applied for each m, while people who think of matrices mean silu of a sum. */
static void
find_gates (HeddleEqScope *self, const HeddleEqNode *sum)
{
  const HeddleEqNode *product = sum->children[0];

  for (guint i = 0; product->kind == HEDDLE_EQ_PRODUCT && i < product->n_children; i++)
    {
      const HeddleEqNode *factor = product->children[i];
      guint64 shared = factor->kind == HEDDLE_EQ_APPLY && factor->apply != HEDDLE_EXPR_NEG
                               && factor->apply != HEDDLE_EXPR_WHERE
                           ? shared_in_products (factor)
                           : 0;

      for (guint k = 0; k < sum->n_axes; k++)
        if (shared & heddle_eq_scope_bit (self, sum->axes[k].name, 0))
          {
            const char *name = sum->axes[k].name;

            heddle_eq_warning (self->line, factor->column,
                _ ("%s is summed over the whole product, of which this factor is taken for each %s on its "
                   "own; "
                   "to sum inside, write sum[%s](…) there, and for the other factor"),
                name, name, name);
            return;
          }
    }
}

void
heddle_eq_find_slips (HeddleEqScope *self, const HeddleEqNode *node, guint64 left, guint64 outside)
{
  guint64 before = outside, after[HEDDLE_EQ_MAX_INDICES];
  guint n = MIN (node->n_children, HEDDLE_EQ_MAX_INDICES);

  if (node->kind == HEDDLE_EQ_READ || node->kind == HEDDLE_EQ_CALL)
    return;
  if (node->kind == HEDDLE_EQ_REDUCE && node->operation->form == HEDDLE_FORM_NORMALISE
      && (outside & left) != 0)
    {
      guint64 slips = shared_in_products (node->children[0]) & left & outside & node->free;

      for (guint i = 0; i < node->n_axes; i++)
        slips &= ~heddle_eq_scope_bit (self, node->axes[i].name, 0);
      if (slips != 0)
        {
          warn (self, node, slips);
          return;
        }
    }
  if (node->kind == HEDDLE_EQ_REDUCE && node->implicit)
    find_gates (self, node);
  if (n > 0)
    after[n - 1] = 0;
  for (guint i = n; i-- > 1;)
    after[i - 1] = after[i] | node->children[i]->free;
  for (guint i = 0; i < n; i++)
    {
      heddle_eq_find_slips (self, node->children[i], left, before | after[i]);
      before |= node->children[i]->free;
    }
}
