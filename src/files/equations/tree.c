/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation.h"
#include "files/equations/tree.h"

GPtrArray *
heddle_eq_trees_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_eq_tree_free);
}

HeddleEqTree *
heddle_eq_tree_new (const HeddleOperationKind *kind)
{
  HeddleEqTree *self = g_new0 (HeddleEqTree, 1);

  self->kind = kind;
  self->axes = heddle_ids_new ();
  self->over = heddle_ids_new ();
  self->operands = heddle_eq_trees_new ();
  for (guint i = 0; kind != NULL && i < HEDDLE_MAX_OPTIONS; i++)
    self->options[i] = kind->options[i].value;
  return self;
}

HeddleEqTree *
heddle_eq_tree_value (const HeddleValue *value)
{
  HeddleEqTree *self = heddle_eq_tree_new (NULL);

  self->value = value->id;
  g_array_unref (self->axes);
  self->axes = heddle_ids_copy (value->axes);
  return self;
}

void
heddle_eq_tree_free (HeddleEqTree *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->axes);
  g_array_unref (self->over);
  g_clear_pointer (&self->body, heddle_expr_unref);
  g_clear_pointer (&self->indices, g_ptr_array_unref);
  g_clear_pointer (&self->more_axes, g_ptr_array_unref);
  g_clear_pointer (&self->sizes, g_ptr_array_unref);
  g_clear_pointer (&self->repeat, heddle_expr_unref);
  g_ptr_array_unref (self->operands);
  g_free (self);
}

static gpointer
ref_expr (gconstpointer expr, gpointer data)
{
  return heddle_expr_ref ((HeddleExpr *) expr);
}

static GPtrArray *
copy_exprs (GPtrArray *exprs)
{
  GPtrArray *copy = exprs != NULL ? g_ptr_array_copy (exprs, ref_expr, NULL) : NULL;

  if (copy != NULL)
    g_ptr_array_set_free_func (copy, (GDestroyNotify) heddle_expr_unref);
  return copy;
}

void
heddle_eq_tree_add_result (HeddleEqTree *self, const GArray *axes)
{
  if (self->more_axes == NULL)
    self->more_axes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_ptr_array_add (self->more_axes, heddle_ids_copy (axes));
}

/* --- functions in one form ----------------------------------------------------------- */

/* The operands of a function as reading finds them: in the order of their first use, each value once. */
typedef struct
{
  GPtrArray *operands; /* of HeddleEqTree, as they were */
  GArray *places; /* of int: where each goes; -1: not used so far */
  GPtrArray *ordered;
  guint first; /* operands before it are not shared */
} Ordering;

static int
place_of (Ordering *self, guint operand)
{
  const HeddleEqTree *tree = g_ptr_array_index (self->operands, operand);

  for (guint i = self->first; tree->kind == NULL && i < self->ordered->len; i++)
    {
      const HeddleEqTree *other = g_ptr_array_index (self->ordered, i);
      if (other->kind == NULL && other->value == tree->value)
        return (int) i;
    }
  g_ptr_array_add (self->ordered, (gpointer) tree);
  return (int) self->ordered->len - 1;
}

static gboolean
order_argument (const HeddleExpr *node, gpointer data)
{
  Ordering *self = data;

  if (heddle_expr_get_kind (node) == HEDDLE_EXPR_ARGUMENT
      && heddle_expr_get_operand (node) < self->operands->len)
    {
      int *place = &g_array_index (self->places, int, heddle_expr_get_operand (node));
      if (*place < 0)
        *place = place_of (self, heddle_expr_get_operand (node));
    }
  return TRUE;
}

static HeddleExpr *
renumber (const HeddleExpr *leaf, gpointer data)
{
  Ordering *self = data;
  guint operand;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_ARGUMENT)
    return NULL;
  operand = heddle_expr_get_operand (leaf);
  return operand < self->places->len ? heddle_expr_argument (g_array_index (self->places, int, operand))
                                     : NULL;
}

static void
renumber_in (HeddleExpr **expr, Ordering *ordering)
{
  HeddleExpr *renumbered = heddle_expr_substitute (*expr, renumber, ordering);

  heddle_expr_unref (*expr);
  *expr = renumbered;
}

/* Orders the operands of a gather: what it reads stays in front. */
static void
order_gather (HeddleEqTree *self, Ordering *ordering)
{
  g_ptr_array_add (ordering->ordered, g_ptr_array_index (self->operands, 0));
  g_array_index (ordering->places, int, 0) = 0;
  for (guint i = 0; i < self->indices->len; i++)
    heddle_expr_walk (g_ptr_array_index (self->indices, i), order_argument, ordering);
  for (guint i = 0; i < self->indices->len; i++)
    renumber_in ((HeddleExpr **) &g_ptr_array_index (self->indices, i), ordering);
}

static void
order_operands (HeddleEqTree *self)
{
  Ordering ordering = { self->operands, g_array_new (FALSE, FALSE, sizeof (int)), heddle_eq_trees_new (),
    self->body == NULL ? 1 : 0 };
  const int unused = -1;

  for (guint i = 0; i < self->operands->len; i++)
    g_array_append_vals (ordering.places, &unused, 1);
  if (self->body == NULL)
    order_gather (self, &ordering);
  else
    {
      heddle_expr_walk (self->body, order_argument, &ordering);
      renumber_in (&self->body, &ordering);
    }
  g_ptr_array_set_free_func (self->operands, NULL);
  for (guint i = 0; i < self->operands->len; i++)
    if (!g_ptr_array_find (ordering.ordered, g_ptr_array_index (self->operands, i), NULL))
      heddle_eq_tree_free (g_ptr_array_index (self->operands, i));
  g_ptr_array_unref (self->operands);
  self->operands = ordering.ordered;
  g_array_unref (ordering.places);
}

/* --- from a diagram and into one ----------------------------------------------------- */

HeddleEqTree *
heddle_eq_tree_from_diagram (
    const HeddleDiagram *diagram, const char *value_id, HeddleEqIsOwn is_own, gpointer data)
{
  const HeddleOperation *operation = heddle_diagram_get_producer (diagram, value_id);
  const HeddleValue *value = heddle_diagram_get_value (diagram, value_id);
  HeddleEqTree *self = heddle_eq_tree_new (operation->kind);

  self->value = value_id;
  g_array_append_vals (self->axes, value->axes->data, value->axes->len);
  g_array_append_vals (self->over, operation->axes->data, operation->axes->len);
  self->body = operation->body != NULL ? heddle_expr_ref (operation->body) : NULL;
  self->indices = copy_exprs (operation->indices);
  memcpy (self->options, operation->options, sizeof self->options);
  self->callee = operation->callee;
  self->sizes = copy_exprs (operation->sizes);
  self->repeat = operation->repeat != NULL ? heddle_expr_ref (operation->repeat) : NULL;
  self->shared = operation->shared;
  for (guint i = 1; i < heddle_operation_n_results (operation); i++)
    heddle_eq_tree_add_result (
        self, heddle_diagram_get_value (diagram, heddle_operation_get_result (operation, i))->axes);
  for (guint i = 0; i < operation->operands->len; i++)
    {
      const char *operand = heddle_ids_index (operation->operands, i);

      g_ptr_array_add (self->operands,
          is_own (diagram, operand, data) ? heddle_eq_tree_value (heddle_diagram_get_value (diagram, operand))
                                          : heddle_eq_tree_from_diagram (diagram, operand, is_own, data));
    }
  if (self->body != NULL || (self->indices != NULL && self->operands->len > 1))
    order_operands (self);
  return self;
}

HeddleValue *
heddle_eq_tree_emit (const HeddleEqTree *self, HeddleDiagram *diagram, const char *name, HeddleDtype dtype)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  HeddleOperation *operation;
  HeddleValue *value;

  for (guint i = 0; i < self->operands->len; i++)
    {
      const HeddleEqTree *operand = g_ptr_array_index (self->operands, i);

      heddle_ids_append (operands,
          operand->kind == NULL ? operand->value
                                : heddle_eq_tree_emit (operand, diagram, NULL, HEDDLE_DTYPE_UNSET)->id);
    }
  value = heddle_diagram_add_value (diagram, NULL, name, HEDDLE_ROLE_INTERMEDIATE, dtype, self->axes);
  operation = heddle_diagram_add_operation (diagram, NULL, self->kind, operands, value->id, self->over, -1);
  operation->body = self->body != NULL ? heddle_expr_ref (self->body) : NULL;
  operation->indices = copy_exprs (self->indices);
  memcpy (operation->options, self->options, sizeof operation->options);
  operation->callee = self->callee;
  operation->sizes = copy_exprs (self->sizes);
  operation->repeat = self->repeat != NULL ? heddle_expr_ref (self->repeat) : NULL;
  operation->shared = self->shared;
  for (guint i = 0; self->more_axes != NULL && i < self->more_axes->len; i++)
    heddle_diagram_add_result (diagram, operation,
        heddle_diagram_add_value (diagram, NULL, NULL, HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_UNSET,
            g_ptr_array_index (self->more_axes, i))
            ->id);
  return value;
}

/* --- comparing ----------------------------------------------------------------------- */

static gboolean
equal_exprs (const HeddleExpr *a, const HeddleExpr *b)
{
  return a == b || (a != NULL && b != NULL && heddle_expr_equal (a, b));
}

static gboolean
equal_indices (GPtrArray *a, GPtrArray *b)
{
  if (a == NULL || b == NULL || a->len != b->len)
    return a == b;
  for (guint i = 0; i < a->len; i++)
    if (!heddle_expr_equal (g_ptr_array_index (a, i), g_ptr_array_index (b, i)))
      return FALSE;
  return TRUE;
}

static gboolean
equal_results (GPtrArray *a, GPtrArray *b)
{
  if (a == NULL || b == NULL || a->len != b->len)
    return a == b;
  for (guint i = 0; i < a->len; i++)
    if (!heddle_ids_equal (g_ptr_array_index (a, i), g_ptr_array_index (b, i)))
      return FALSE;
  return TRUE;
}

static gboolean
equal_calls (const HeddleEqTree *a, const HeddleEqTree *b)
{
  return a->callee == b->callee && a->shared == b->shared && equal_exprs (a->repeat, b->repeat)
         && equal_indices (a->sizes, b->sizes) && equal_results (a->more_axes, b->more_axes);
}

static gboolean
equal_alone (const HeddleEqTree *a, const HeddleEqTree *b)
{
  if (a->kind != b->kind || (a->kind == NULL && a->value != b->value))
    return FALSE;
  return heddle_ids_equal (a->axes, b->axes) && heddle_ids_equal (a->over, b->over) && equal_calls (a, b)
         && equal_exprs (a->body, b->body) && equal_indices (a->indices, b->indices)
         && a->operands->len == b->operands->len && memcmp (a->options, b->options, sizeof a->options) == 0;
}

const HeddleEqTree *
heddle_eq_tree_difference (const HeddleEqTree *self, const HeddleEqTree *other)
{
  if (!equal_alone (self, other))
    return self;
  for (guint i = 0; i < self->operands->len; i++)
    {
      const HeddleEqTree *difference = heddle_eq_tree_difference (
          g_ptr_array_index (self->operands, i), g_ptr_array_index (other->operands, i));

      if (difference != NULL)
        return difference;
    }
  return NULL;
}
