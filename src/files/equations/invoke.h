/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"
#include "files/equations/parser.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

/* A definition's name was read; what follows it is a call. */
HeddleEqNode *heddle_eq_parse_invocation (HeddleEqParser *self, const HeddleEqToken *token);
/* What the arguments of a call are, in the order in which they are written: of the callee's values and axes. */
GArray *heddle_eq_callee_slots (const HeddleDiagram *callee);
/* Finds what a call's arguments mean and, unless it is a statement's @root, which axes its result has. */
gboolean heddle_eq_scope_call (HeddleEqScope *self, HeddleEqNode *node, gboolean root);
/* The operation; @axes: of the result, or NULL where scoping found them. */
HeddleEqTree *heddle_eq_call_tree (HeddleEqScope *scope, const HeddleEqNode *node, const GArray *axes);

G_END_DECLS
