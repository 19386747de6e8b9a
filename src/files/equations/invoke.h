/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"
#include "files/equations/parser.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

/* Reads what follows a definition's name, @token, as a call. NULL means that an error was reported. */
HeddleEqNode *heddle_eq_parse_invocation (HeddleEqParser *self, const HeddleEqToken *token);
/* Returns the ids of the callee's values and axes for which a call's arguments stand, in the order in which they are
 * written; the caller owns the array. */
GArray *heddle_eq_callee_slots (const HeddleDiagram *callee);
/* Finds what a call's arguments mean and, unless it is a statement's @root, which axes its result has. FALSE means
 * that errors were reported. */
gboolean heddle_eq_scope_call (HeddleEqScope *self, HeddleEqNode *node, gboolean root);
/* Returns the operation of a call (transfer full). @axes are those of the result, or NULL where scoping found them.
 * NULL means that an error was reported. */
HeddleEqTree *heddle_eq_call_tree (HeddleEqScope *scope, const HeddleEqNode *node, const GArray *axes);

G_END_DECLS
