/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* Drops a reference, from any thread; the last one frees the operation. */
void heddle_operation_unref (HeddleOperation *operation);
/* Makes an operation without operands and core axes whose options have their defaults. @result must be
 * interned. The caller owns it, and it has no id yet. */
HeddleOperation *heddle_operation_new (const HeddleOperationKind *kind, const char *result);
/* Returns a copy with the same id and result, which the caller owns; expressions are shared. */
HeddleOperation *heddle_operation_copy (const HeddleOperation *self);
/* Gives @self, an operation of the same kind without details of its own, all that @from has besides its
 * ids: this is the one place that knows what that is. @replace (optional): as of heddle_expr_substitute(),
 * for the leaves of their expressions. */
void heddle_operation_copy_details (
    HeddleOperation *self, const HeddleOperation *from, HeddleExprReplace replace, gpointer data);
/* Visits every node of the operation's expressions, until @visit returns FALSE. */
void heddle_operation_walk (const HeddleOperation *self, HeddleExprVisit visit, gpointer data);
/* Returns how many values an operation makes: its result and those after it. */
guint heddle_operation_n_results (const HeddleOperation *operation);
/* Returns the id of the value that it makes as number @i, from 0; @i must be less than
 * heddle_operation_n_results(). */
const char *heddle_operation_get_result (const HeddleOperation *operation, guint i);
/* Returns the axis that a CALL is scanned along; NULL for a call that is not, and for all that is no call. */
const char *heddle_call_scan_axis (const HeddleOperation *operation);
/* Returns the axis of a CONCAT's operand that the result has not, along which it is laid end to end; NULL if
 * there is none. */
const char *heddle_concat_own_axis (const HeddleValue *result, const HeddleValue *operand);
