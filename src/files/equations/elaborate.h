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

/* Appends @id to @ids unless it is among them. */
void heddle_eq_add_missing (GArray *ids, const char *id);

/* Returns the operation whose result a scoped node is (transfer full); NULL means that an error was reported. */
HeddleEqTree *heddle_eq_tree_of (HeddleEqScope *scope, const HeddleEqNode *node);
/* Returns what a call is given: the array itself, or the operations that make it with the axes in this order
 * (transfer full). NULL means that an error was reported. */
HeddleEqTree *heddle_eq_argument_tree (HeddleEqScope *scope, const HeddleEqNode *node, const GArray *axes);
/* Returns what a node is as a part of a function (transfer full), and adds the operands that it reads to @map. NULL
 * means that an error was reported. */
HeddleExpr *heddle_eq_expr_of (HeddleEqMap *map, const HeddleEqNode *node);
/* Takes the tree as an operand and returns its argument (transfer full); the same value read at the same indices is
 * one operand. NULL stands for a NULL @tree. */
HeddleExpr *heddle_eq_operand_expr (HeddleEqMap *map, HeddleEqTree *tree);
/* Returns the elementwise function of @body (transfer full); it takes the body and the operands. A NULL @body gives
 * NULL. */
HeddleEqTree *heddle_eq_map_tree (HeddleEqMap *map, HeddleExpr *body);

/* Returns the free indices of a scoped expression, as axis ids in the order in which they occur; the caller owns the
 * array. */
GArray *heddle_eq_free_axes (const HeddleEqScope *scope, const HeddleEqNode *node);
/* Returns the operations that a scoped expression means, the last with the axes @left (ids), transfer full. NULL
 * means that an error was reported. */
HeddleEqTree *heddle_eq_elaborate (HeddleEqScope *scope, const HeddleEqNode *root, const GArray *left);

G_END_DECLS
