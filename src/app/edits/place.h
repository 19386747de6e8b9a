/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"
#include "diagram/graph/operation-table.h"

/* Finds the wire picked, else the innermost of the first array that has any, among what is selected or else comes out. Returns FALSE with
 * @error where there is none. */
gboolean heddle_edits_find_wire (HeddleEditor *editor, const char **value, const char **axis, GError **error);
/* Returns whether a wire is selected that a linear layer can go on; FALSE with @error, which says why not. */
gboolean heddle_edits_can_add_linear (HeddleEditor *editor, GError **error);
/* A contraction with new weights, beside what reads the array already, into the axis given or (NULL) a new one: see
 * heddle_edit_add_linear (). On the wire selected, or the one given. */
gboolean heddle_edits_add_linear (HeddleEditor *editor, const char *into, GError **error);
/* Does the same into the axes that @text names, "h=8, k=64": see heddle_edits_add_linear_typed (). */
gboolean heddle_edits_add_linear_to (HeddleEditor *editor, const char *text, GError **error);
/* Ids of the axes that such a map can lead into: those that the array has not. */
GArray *heddle_edits_find_features (HeddleEditor *editor);
/* Returns whether heddle_edits_add () has a place for @kind (NULL: a new array); FALSE with @error, which
 * says why not. */
gboolean heddle_edits_can_add (
    HeddleEditor *editor, const HeddleOperationKind *kind, const char *body, GError **error);
/* Adds @kind where the selection says: after what is selected, else at the end; what joins two arrays joins those selected. NULL: a new array. */
gboolean heddle_edits_add (
    HeddleEditor *editor, const HeddleOperationKind *kind, const char *body, GError **error);
