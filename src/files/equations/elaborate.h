/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/equations/private.h"

G_BEGIN_DECLS

/* A scalar expression being put together, and what it reads. */
typedef struct
{
  HeddleEqScope *scope;
  GPtrArray *operands; /* of HeddleEqTree */
} HeddleEqMap;

void heddle_eq_add_missing (GArray *ids, const char *id);

/* --- equations-elaborate.c --- */
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

/* --- equations-gather.c --- */
/* A reindexing of @operand, its indices and axes yet to come. */
HeddleEqTree *heddle_eq_reindex_new (HeddleEqTree *operand);
/* The array read, or a reindexing of it: a gather where indices are values. NULL: an error was reported. */
HeddleEqTree *heddle_eq_read_tree (HeddleEqScope *scope, const HeddleEqNode *node);

/* --- equations-contract.c --- */
void heddle_eq_set_over (HeddleEqScope *scope, HeddleEqTree *tree, const HeddleEqNode *node);
/* Whether a sum is of a product, each index summed over held by two factors or more. */
gboolean heddle_eq_is_contraction (HeddleEqScope *scope, const HeddleEqNode *sum);
/* The contraction in the place of its first factor, and what is multiplied or divided once, after it. */
HeddleExpr *heddle_eq_contraction_expr (HeddleEqMap *map, const HeddleEqNode *sum);

G_END_DECLS
