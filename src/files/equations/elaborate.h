/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

/* A scalar expression being put together, and what it reads. */
typedef struct
{
  HeddleEqScope *scope;
  GPtrArray *operands; /* of HeddleEqTree */
} HeddleEqMap;

void heddle_eq_add_missing (GArray *ids, const char *id);

/* The operation whose result a node is. */
HeddleEqTree *heddle_eq_tree_of (HeddleEqScope *scope, const HeddleEqNode *node);
/* What a call is given: the array itself, or the operations that make it with the axes in this order. */
HeddleEqTree *heddle_eq_argument_tree (HeddleEqScope *scope, const HeddleEqNode *node, const GArray *axes);
/* What a node is as a part of a function. */
HeddleExpr *heddle_eq_expr_of (HeddleEqMap *map, const HeddleEqNode *node);
/* The operand's place; the same value read at the same indices is one operand. Takes the tree. */
HeddleExpr *heddle_eq_operand_expr (HeddleEqMap *map, HeddleEqTree *tree);
/* The function; takes the body and the operands. NULL without a body. */
HeddleEqTree *heddle_eq_map_tree (HeddleEqMap *map, HeddleExpr *body);

/* The free indices of a scoped expression, as axis ids in the order in which they occur. */
GArray *heddle_eq_free_axes (const HeddleEqScope *scope, const HeddleEqNode *node);
/* The operations that a scoped expression means, the last with the axes @left (ids). NULL: an error was reported. */
HeddleEqTree *heddle_eq_elaborate (HeddleEqScope *scope, const HeddleEqNode *root, const GArray *left);

G_END_DECLS
