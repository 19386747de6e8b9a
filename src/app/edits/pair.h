/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"
#include "diagram/graph/operation-table.h"

G_BEGIN_DECLS

/* Whether it makes one array of two: a contraction, or a map that reads $1. */
gboolean heddle_edits_joins_two (const HeddleOperationKind *kind, const char *body);
gboolean heddle_edits_can_join_selected (
    HeddleEditor *editor, const HeddleOperationKind *kind, GError **error);
gboolean heddle_edits_join_selected (
    HeddleEditor *editor, const HeddleOperationKind *kind, const char *body, GError **error);
/* Ids of the arrays that the one selected can be joined with by such a @kind: contracted over the last axis that both have, or entry by
 * entry where one has all axes of the other. */
GArray *heddle_edits_find_partners (HeddleEditor *editor, const HeddleOperationKind *kind);
char *heddle_edits_contraction_title (
    HeddleEditor *editor, const char *partner); /* for a menu; newly allocated */
gboolean heddle_edits_join_with (HeddleEditor *editor, const HeddleOperationKind *kind, const char *body,
    const char *partner, GError **error);

G_END_DECLS
