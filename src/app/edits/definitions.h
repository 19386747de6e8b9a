/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "diagram/graph/diagram.h"
#include "diagram/expression/expr.h"

/* A person changes definitions here: each change is one named undo step, and where it fails the editor says
 * why in a message. */

/* Makes a definition of the selected operations and selects its call. */
gboolean heddle_definitions_group (HeddleEditor *editor);
/* Returns whether an operation is selected, of which a definition can be made. */
gboolean heddle_definitions_can_group (HeddleEditor *editor);
/* Puts the operations of what the selected call calls in its place. */
gboolean heddle_definitions_ungroup (HeddleEditor *editor);
/* The one call that is selected; NULL: none. */
const HeddleOperation *heddle_definitions_selected_call (HeddleEditor *editor);
/* Shows the definition that the selected call, else the first call of the diagram shown, calls. */
void heddle_definitions_open (HeddleEditor *editor);
/* Returns whether there is a call whose definition can be shown: the one selected, else the first one. */
gboolean heddle_definitions_can_open (HeddleEditor *editor);
/* Is a HeddleInspectorApply: renames what a call calls. */
gboolean heddle_definitions_rename (HeddleEditor *editor, const char *call, const char *name, GError **error);
/* Is a HeddleInspectorApply: sets how often a call is repeated; "" or "1" is once. */
gboolean heddle_definitions_set_repeat (
    HeddleEditor *editor, const char *call, const char *times, GError **error);
/* Has all repetitions of @call use the same parameters, or each its own, as one undo step. Returns TRUE
 * without a change where the call is not repeated; FALSE with @error where it cannot be. */
gboolean heddle_definitions_set_shared (
    HeddleEditor *editor, const char *call, gboolean shared, GError **error);
/* Returns the diagram that a call calls; NULL means that it is gone. */
const HeddleDiagram *heddle_definitions_get_callee (HeddleEditor *editor, const HeddleOperation *call);

/* The diagram in words, for tooltips, the outline and the screen reader. All newly allocated. */

/* Returns a value's type: "f16[q=4096, d=128] = 1 MiB"; sizes and bytes as far as they are known. */
char *heddle_describe_type (HeddleEditor *editor, const HeddleValue *value);
/* Returns what becomes of a value: "input, then summed over x into O". */
char *heddle_describe_path (HeddleEditor *editor, const HeddleValue *value);
/* Returns an operation in words: "Contraction over k of Q and K, result S y by x". */
char *heddle_describe_operation (HeddleEditor *editor, const HeddleOperation *operation);
/* Returns the kind of an operation: "Contraction", or for a map its function: "relu". */
char *heddle_describe_kind (HeddleEditor *editor, const HeddleOperation *operation);
/* Returns the name of an axis, value or operation in a sentence: "axis x", "Q", "Softmax over x". */
char *heddle_describe_object (HeddleEditor *editor, const char *id);
/* Returns names joined as in a sentence: "K, S, P and V"; @names of char *, none taken. */
char *heddle_describe_list (GPtrArray *names);
/* Returns a type or a quantity, which is taken, so that it stands as it is also among words written from
 * right to left. */
char *heddle_describe_isolated (char *text);

/* Returns the text of a size as given, "4096", "64*2^i", or NULL. */
char *heddle_describe_size (const HeddleDiagram *diagram, const HeddleAxis *axis);
/* Returns an expression over sizes as the person types it. */
char *heddle_describe_expr (const HeddleDiagram *diagram, const HeddleExpr *expr);
/* Returns the body of a map as the person types it: "$0" for the operand, axis names for sizes. */
char *heddle_describe_body (const HeddleDiagram *diagram, const HeddleOperation *operation);
