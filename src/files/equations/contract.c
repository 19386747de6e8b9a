/* SPDX-License-Identifier: MIT */
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/contract.h"
#include "files/equations/elaborate.h"
#include "files/equations/private.h"
#include "files/equations/scope.h"
#include "files/equations/tree.h"

/* --- sums of products ---------------------------------------------------------------- */

typedef enum
{
  FACTOR_AFTER, /* a scalar, or a divisor that does not depend on what is summed over: once, after the sum */
  FACTOR_OPERAND, /* contracted */
  FACTOR_INVERSE, /* contracted, as 1 / itself */
} FactorRole;

static guint64
bound_bits (HeddleEqScope *scope, const HeddleEqNode *sum)
{
  guint64 bits = 0;

  for (guint i = 0; i < sum->n_axes; i++)
    bits |= heddle_eq_scope_bit (scope, sum->axes[i].name, sum->axes[i].column);
  return bits;
}

static FactorRole
factor_role (const HeddleEqNode *product, guint i, guint64 bound)
{
  const HeddleEqNode *factor = product->children[i];

  if (!factor->has_array && factor->free == 0)
    return FACTOR_AFTER;
  if (!product->marks[i])
    return FACTOR_OPERAND;
  return factor->free & bound ? FACTOR_INVERSE : FACTOR_AFTER;
}

gboolean
heddle_eq_is_contraction (HeddleEqScope *scope, const HeddleEqNode *sum)
{
  const HeddleEqNode *product = sum->children[0];
  guint64 bound = bound_bits (scope, sum), once = 0, twice = 0;
  guint n_operands = 0;

  if (!g_str_equal (sum->operation->id, "sum") || product->kind != HEDDLE_EQ_PRODUCT)
    return FALSE;
  for (guint i = 0; i < product->n_children; i++)
    {
      if (factor_role (product, i, bound) == FACTOR_AFTER)
        continue;
      n_operands++;
      twice |= once & product->children[i]->free;
      once |= product->children[i]->free;
    }
  return n_operands > 1 && (twice & bound) == bound;
}

static HeddleEqTree *
inverse_tree (HeddleEqScope *scope, const HeddleEqNode *factor)
{
  HeddleEqMap map = { scope, heddle_eq_trees_new () };
  HeddleExpr *inside = heddle_eq_expr_of (&map, factor);

  return heddle_eq_map_tree (
      &map, inside != NULL ? heddle_expr_binary (HEDDLE_EXPR_DIV, heddle_expr_number (1.), inside) : NULL);
}

void
heddle_eq_set_over (HeddleEqScope *scope, HeddleEqTree *tree, const HeddleEqNode *node)
{
  for (guint i = 0; i < node->n_axes; i++)
    heddle_ids_append (tree->over, g_hash_table_lookup (scope->names->axes, node->axes[i].name));
}

static HeddleEqTree *
contraction_tree (HeddleEqScope *scope, const HeddleEqNode *sum)
{
  g_autoptr (HeddleEqTree) self = heddle_eq_tree_new (heddle_operation_kind ("contract"));
  const HeddleEqNode *product = sum->children[0];
  guint64 bound = bound_bits (scope, sum);

  heddle_eq_set_over (scope, self, sum);
  for (guint i = 0; i < product->n_children; i++)
    {
      FactorRole role = factor_role (product, i, bound);
      HeddleEqTree *operand;

      if (role == FACTOR_AFTER)
        continue;
      operand = role == FACTOR_OPERAND ? heddle_eq_tree_of (scope, product->children[i])
                                       : inverse_tree (scope, product->children[i]);
      if (operand == NULL)
        return NULL;
      g_ptr_array_add (self->operands, operand);
      for (guint j = 0; j < operand->axes->len; j++)
        if (!heddle_ids_contain (self->over, heddle_ids_index (operand->axes, j)))
          heddle_eq_add_missing (self->axes, heddle_ids_index (operand->axes, j));
    }
  return g_steal_pointer (&self);
}

HeddleExpr *
heddle_eq_contraction_expr (HeddleEqMap *map, const HeddleEqNode *sum)
{
  const HeddleEqNode *product = sum->children[0];
  guint64 bound = bound_bits (map->scope, sum);
  HeddleExpr *chain = NULL, *contraction = heddle_eq_operand_expr (map, contraction_tree (map->scope, sum));

  if (contraction == NULL)
    return NULL;
  for (guint i = 0; i < product->n_children; i++)
    {
      gboolean after = factor_role (product, i, bound) == FACTOR_AFTER;
      HeddleExpr *factor
          = after ? heddle_eq_expr_of (map, product->children[i]) : g_steal_pointer (&contraction);

      if (factor != NULL && chain != NULL)
        chain = heddle_expr_binary (
            after && product->marks[i] ? HEDDLE_EXPR_DIV : HEDDLE_EXPR_MUL, chain, factor);
      else if (factor != NULL)
        chain = factor;
      else if (after)
        {
          g_clear_pointer (&chain, heddle_expr_unref);
          g_clear_pointer (&contraction, heddle_expr_unref);
          return NULL;
        }
    }
  return chain;
}
