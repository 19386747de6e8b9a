/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* What a person does with definitions: each change is one named undo step, and where it fails the editor says why in a message. */

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
/* A HeddleInspectorApply: another name for what a call calls. */
gboolean heddle_definitions_rename (HeddleEditor *editor, const char *call, const char *name, GError **error);
/* A HeddleInspectorApply: how often a call is repeated; "" or "1": once. */
gboolean heddle_definitions_set_repeat (
    HeddleEditor *editor, const char *call, const char *times, GError **error);
/* Has all repetitions of @call use the same parameters, or each its own, as one undo step. Returns TRUE
 * without a change where the call is not repeated; FALSE with @error where it cannot be. */
gboolean heddle_definitions_set_shared (
    HeddleEditor *editor, const char *call, gboolean shared, GError **error);
/* The diagram that a call calls; NULL: it is gone. */
const HeddleDiagram *heddle_definitions_get_callee (HeddleEditor *editor, const HeddleOperation *call);

G_END_DECLS
