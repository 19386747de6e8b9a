/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"
#include "diagram/graph/operation-table.h"

/* Some operations make one array of two: contractions, and maps that read two operands. */

/* Returns whether it makes one array of two: a contraction, or a map that reads $1. */
gboolean heddle_edits_joins_two (const HeddleOperationKind *kind, const char *body);
/* Returns whether the two selected arrays can be joined by @kind; FALSE with @error, which says why not. */
gboolean heddle_edits_can_join_selected (
    HeddleEditor *editor, const HeddleOperationKind *kind, GError **error);
/* Joins the two selected arrays by @kind, with @body for a map, as one undo step. Returns FALSE with @error
 * where they cannot be joined. */
gboolean heddle_edits_join_selected (
    HeddleEditor *editor, const HeddleOperationKind *kind, const char *body, GError **error);
/* Ids of the arrays that the one selected can be joined with by such a @kind: contracted over the last axis that both have, or entry by
 * entry where one has all axes of the other. */
GArray *heddle_edits_find_partners (HeddleEditor *editor, const HeddleOperationKind *kind);
/* Returns the id of the array that is selected, as such or as what an operation makes, and the last axis that it has in common with
 * @partner (NULL: nothing is looked for). NULL: none is selected, or several. */
const char *heddle_edits_find_common (HeddleEditor *editor, const char *partner, const char **axis);
char *heddle_edits_contraction_title (
    HeddleEditor *editor, const char *partner); /* for a menu; newly allocated */
/* Adds an operation of @kind, which applies @body to each pair of elements where it is a map, of the selected value and the value @partner
 * (an id). It is one undo step. FALSE: it cannot be made, and @error says why. */
gboolean heddle_edits_join_with (HeddleEditor *editor, const HeddleOperationKind *kind, const char *body,
    const char *partner, GError **error);
