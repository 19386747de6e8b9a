/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

HeddleEqNode *heddle_eq_node (
    HeddleEqArena *arena, HeddleEqKind kind, guint column, HeddleEqNode *const *children, guint n_children);
HeddleEqNode *heddle_eq_number (HeddleEqArena *arena, guint column, double number);
HeddleEqNode *heddle_eq_leaf (HeddleEqArena *arena, HeddleEqKind kind, guint column, const char *name);
HeddleEqNode *heddle_eq_apply (HeddleEqArena *arena, HeddleExprKind apply, guint column,
    HeddleEqNode *const *children, guint n_children);
HeddleEqNode *heddle_eq_reduce (
    HeddleEqArena *arena, const HeddleOperationKind *operation, guint column, HeddleEqNode *child);
/* Of several operands: a concatenation, a recurrence. */
HeddleEqNode *heddle_eq_reduce_all (HeddleEqArena *arena, const HeddleOperationKind *operation, guint column,
    HeddleEqNode *const *children, guint n);
/* `0 + 1 - 2 …`, `0 * 1 / 2 …` of a sum or product: the scalar expression of already translated children (taken). */
HeddleExpr *heddle_eq_chain (HeddleEqKind kind, const guint8 *marks, HeddleExpr **children, guint n);

G_END_DECLS
