/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"

G_BEGIN_DECLS

/* The changes that a person makes, each one named undo step, wherever it was asked for (canvas, inspector, palette, menu). Where one
 * fails and @error is NULL the editor says why in a message. */

gboolean heddle_edits_rename (HeddleEditor *editor, const char *id, const char *name, GError **error);
/* Of a note, a block or a bundle. */
gboolean heddle_edits_set_text (HeddleEditor *editor, const char *id, const char *text, GError **error);
gboolean heddle_edits_set_size (HeddleEditor *editor, const char *axis, const char *size, GError **error);
gboolean heddle_edits_set_dtype (HeddleEditor *editor, const char *value, HeddleDtype dtype);
gboolean heddle_edits_set_body (
    HeddleEditor *editor, const char *operation, const char *text, GError **error);
/* What is typed into a label: "x", "x = 4096", "\\bar x = ", of an array "Q" or "Q[y=4096, k=128]". Renames and resizes in one step. */
gboolean heddle_edits_apply_label (HeddleEditor *editor, const char *id, const char *text, GError **error);
/* What is typed into the label of a map: "S = $0 * 2" names what it makes too, "S" only does that, and "$0 * 2" is its function alone. One step. */
gboolean heddle_edits_apply_function (
    HeddleEditor *editor, const char *operation, const char *text, GError **error);
/* Inserts after @value on the wire @axis (may be NULL where the kind needs none) and selects the new operation. */
gboolean heddle_edits_insert (HeddleEditor *editor, const HeddleOperationKind *kind, const char *body,
    const char *value, const char *axis, GError **error);
/* Whether a text is that of an array, such as "Q[y=4096, k=128]"; adds it as an input ("param W[k, f]": a parameter) and selects it. Axes of a name that is there are those. */
gboolean heddle_edits_is_array (const char *text);
gboolean heddle_edits_add_array (HeddleEditor *editor, const char *text, GError **error);
/* The same of one with two axes of its own, under the first names that are free. */
gboolean heddle_edits_add_new_array (HeddleEditor *editor, GError **error);
/* Calls a @value and its axes so, and gives them the sizes that are told. An axis of a name that is there is that one from then on. */
gboolean heddle_edits_call_array (HeddleEditor *editor, const char *value, const char *text, GError **error);
/* Adds @kind where the selection says: after what is selected, else at the end; what joins two arrays joins those selected. NULL: a new array. */
gboolean heddle_edits_add (
    HeddleEditor *editor, const HeddleOperationKind *kind, const char *body, GError **error);
gboolean heddle_edits_can_add (
    HeddleEditor *editor, const HeddleOperationKind *kind, const char *body, GError **error);
/* Whether it makes one array of two: a contraction, or a map that reads $1. */
gboolean heddle_edits_joins_two (const HeddleOperationKind *kind, const char *body);
gboolean heddle_edits_join_selected (
    HeddleEditor *editor, const HeddleOperationKind *kind, const char *body, GError **error);
gboolean heddle_edits_can_join_selected (
    HeddleEditor *editor, const HeddleOperationKind *kind, GError **error);
/* Ids of the arrays that the one selected can be joined with by such a @kind: contracted over the last axis that both have, or entry by
 * entry where one has all axes of the other. */
GArray *heddle_edits_find_partners (HeddleEditor *editor, const HeddleOperationKind *kind);
char *heddle_edits_contraction_title (
    HeddleEditor *editor, const char *partner); /* for a menu; newly allocated */
gboolean heddle_edits_join_with (HeddleEditor *editor, const HeddleOperationKind *kind, const char *body,
    const char *partner, GError **error);
/* A contraction with new weights, beside what reads the array already, into the axis given or (NULL) a new one: see
 * heddle_edit_add_linear (). On the wire selected, or the one given. */
gboolean heddle_edits_add_linear (HeddleEditor *editor, const char *into, GError **error);
gboolean heddle_edits_can_add_linear (HeddleEditor *editor, GError **error);
gboolean heddle_edits_add_linear_on (
    HeddleEditor *editor, const char *value, const char *axis, const char *into, GError **error);
/* Ids of the axes that such a map can lead into: those that the array has not. */
GArray *heddle_edits_find_features (HeddleEditor *editor);
/* Whether @kind works on an axis, which has to be said. */
gboolean heddle_edits_needs_axis (const HeddleOperationKind *kind);
/* Whether, and on which axis, @kind may go onto the wires of @value; @axis is the wire pointed at, replaced by NULL for maps. */
gboolean heddle_edits_can_insert (HeddleEditor *editor, const HeddleOperationKind *kind, const char *value,
    const char **axis, GError **error);
gboolean heddle_edits_connect (HeddleEditor *editor, const char *left_value, const char *left_axis,
    const char *right_value, const char *right_axis, GError **error);
gboolean heddle_edits_unify (HeddleEditor *editor, const char *from, const char *into, GError **error);
/* The operations that are selected, as a document of their own; NULL: none are. Transfer full. */
HeddleSnapshot *heddle_edits_extract_selection (HeddleEditor *editor);
/* Puts a document's diagram into the one shown as one step called @name, and selects what was made: see heddle_edit_paste (). */
gboolean heddle_edits_paste (
    HeddleEditor *editor, const HeddleSnapshot *clip, const char *name, GError **error);
void heddle_edits_select_all (HeddleEditor *editor);
void heddle_edits_delete_selection (HeddleEditor *editor);
/* What moving the selection moves: operations, those of blocks too, and notes. Transfer full. */
GArray *heddle_edits_list_moved (HeddleEditor *editor);
/* The presentation of the diagram shown as it would be then. Transfer full. */
HeddlePresentation *heddle_edits_dup_moved_presentation (HeddleEditor *editor, double dx, double dy);
/* Moves the selected operations; repeated moves are one undo step. */
void heddle_edits_nudge_selection (HeddleEditor *editor, double dx, double dy, const char *merge_key);
/* What was moved by hand goes back: of what is selected, else all; notes stay. FALSE: there is nothing of the kind. */
gboolean heddle_edits_tidy (HeddleEditor *editor);
/* @diagram (taken) in place of the one shown, as the equations say. */
void heddle_edits_replace (HeddleEditor *editor, const HeddleSnapshot *read);

G_END_DECLS
