/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/private.h"

/* Returns a new node with those children, which may be NULL where they are to come; the arena owns it.
 * @column is in characters, from 1; sums and products get a mark for each child. */
HeddleEqNode *heddle_eq_node (
    HeddleEqArena *arena, HeddleEqKind kind, guint column, HeddleEqNode *const *children, guint n_children);
/* Returns a node that is a number; the arena owns it. */
HeddleEqNode *heddle_eq_number (HeddleEqArena *arena, guint column, double number);
/* Returns a node without children, such as a name, a size or an index; the arena owns it, and @name must be
 * of the arena or live as long. */
HeddleEqNode *heddle_eq_leaf (HeddleEqArena *arena, HeddleEqKind kind, guint column, const char *name);
/* Returns a node that applies a scalar function of kind @apply to its children; the arena owns it. */
HeddleEqNode *heddle_eq_apply (HeddleEqArena *arena, HeddleExprKind apply, guint column,
    HeddleEqNode *const *children, guint n_children);
/* Returns a node that applies an operation over axes to one operand, with the operation's usual options; the
 * arena owns it. */
HeddleEqNode *heddle_eq_reduce (
    HeddleEqArena *arena, const HeddleOperationKind *operation, guint column, HeddleEqNode *child);
/* Returns a node that applies an operation over axes to several operands, such as a concatenation or a
 * recurrence; the arena owns it. */
HeddleEqNode *heddle_eq_reduce_all (HeddleEqArena *arena, const HeddleOperationKind *operation, guint column,
    HeddleEqNode *const *children, guint n);
/* Returns whether the index along the axis called @name stands in @node by itself, not in the brackets of an
 * array. */
gboolean heddle_eq_node_tells_index (const HeddleEqNode *node, const char *name);
/* Returns `0 + 1 - 2 …` or `0 * 1 / 2 …` as a scalar expression of children that are translated already and are
 * taken; marks say which are subtracted or divided by. */
HeddleExpr *heddle_eq_chain (HeddleEqKind kind, const guint8 *marks, HeddleExpr **children, guint n);
