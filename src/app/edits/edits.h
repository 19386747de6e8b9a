/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "diagram/document/document.h"
#include "diagram/graph/operation-table.h"

/* The changes that a person makes, each one named undo step, wherever it was asked for (canvas, inspector, palette, menu). Where one
 * fails and @error is NULL the editor says why in a message. */

/* Inserts after @value on the wire @axis (may be NULL where the kind needs none) and selects the new operation. */
gboolean heddle_edits_insert (HeddleEditor *editor, const HeddleOperationKind *kind, const char *body,
    const char *value, const char *axis, GError **error);
/* Returns whether @kind works on an axis, which has to be said. */
gboolean heddle_edits_needs_axis (const HeddleOperationKind *kind);
/* Returns whether, and on which axis, @kind may go onto the wires of @value; @axis is the wire pointed at,
 * replaced by NULL for maps. */
gboolean heddle_edits_can_insert (HeddleEditor *editor, const HeddleOperationKind *kind, const char *value,
    const char **axis, GError **error);
/* Makes the axis @from the same as @into wherever it occurs, as one undo step. Returns FALSE with @error
 * where that cannot be. */
gboolean heddle_edits_unify (HeddleEditor *editor, const char *from, const char *into, GError **error);
/* Makes @left_axis the same as @right_axis, then contracts the two arrays over it, as one undo step named "Contract over" it, and
 * selects the new operation. Returns FALSE with @error where either cannot be; nothing has changed then. */
gboolean heddle_edits_unify_and_connect (HeddleEditor *editor, const char *left_value, const char *left_axis,
    const char *right_value, const char *right_axis, GError **error);
/* Puts @diagram (taken) in place of the one shown, as the equations say. */
void heddle_edits_replace (HeddleEditor *editor, const HeddleSnapshot *read);
