/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"
#include <glib.h>
#include "files/equations/private.h"

G_BEGIN_DECLS

/* A scalar expression being put together, and what it reads. */
typedef struct
{
  HeddleEqScope *scope;
  GPtrArray *operands; /* of HeddleEqTree */
} HeddleEqMap;

/* Returns the operation whose result a scoped node is (transfer full); NULL means that an error was reported. */
HeddleEqTree *heddle_eq_tree_of (HeddleEqScope *scope, const HeddleEqNode *node);
/* Returns what a call is given: the array itself, or the operations that make it with the axes in this order
 * (transfer full). NULL means that an error was reported. */
HeddleEqTree *heddle_eq_argument_tree (HeddleEqScope *scope, const HeddleEqNode *node, const GArray *axes);
/* Returns what a node is as a part of a function (transfer full), and adds the operands that it reads to
 * @map. NULL means that an error was reported. */
HeddleExpr *heddle_eq_expr_of (HeddleEqMap *map, const HeddleEqNode *node);
/* Takes the tree as an operand and returns its argument (transfer full); the same value read at the same
 * indices is one operand. NULL stands for a NULL @tree. */
HeddleExpr *heddle_eq_operand_expr (HeddleEqMap *map, HeddleEqTree *tree);
/* Returns the elementwise function of @body (transfer full); it takes the body and the operands. A NULL @body
 * gives NULL. */
HeddleEqTree *heddle_eq_map_tree (HeddleEqMap *map, HeddleExpr *body);

/* Returns the operations that a scoped expression means, the last with the axes @left (ids), transfer full. NULL
 * means that an error was reported. */
HeddleEqTree *heddle_eq_elaborate (HeddleEqScope *scope, const HeddleEqNode *root, const GArray *left);

/* Returns the operation of a call (transfer full). @axes are those of the result, or NULL where scoping found
 * them. NULL means that an error was reported. */
HeddleEqTree *heddle_eq_call_tree (HeddleEqScope *scope, const HeddleEqNode *node, const GArray *axes);

/* Returns whether a sum is of a product in which each index summed over is held by two factors or more. */
gboolean heddle_eq_is_contraction (HeddleEqScope *scope, const HeddleEqNode *sum);
/* Appends the ids of the axes that @node names as its core axes to those of @tree. */
void heddle_eq_set_over (HeddleEqScope *scope, HeddleEqTree *tree, const HeddleEqNode *node);
/* Returns the product with the contraction in the place of its first factor, and what is multiplied or
 * divided once after it. NULL means that an error was reported. */
HeddleExpr *heddle_eq_contraction_expr (HeddleEqMap *map, const HeddleEqNode *sum);

/* Returns a reindexing of @operand, which it takes; its indices and axes are yet to come. */
HeddleEqTree *heddle_eq_reindex_new (HeddleEqTree *operand);
/* Returns the array read, or a reindexing of it: a gather where indices are values (transfer full). NULL
 * means that an error was reported. */
HeddleEqTree *heddle_eq_read_tree (HeddleEqScope *scope, const HeddleEqNode *node);

G_END_DECLS
