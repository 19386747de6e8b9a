/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Makes a definition of operations, and calls it; takes one call apart. */
const char *heddle_edit_group (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *operations,
    const char *name, GError **error);
/* Renames the diagram that a call of @diagram calls, wherever it is called. */
gboolean heddle_edit_rename_definition (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *call_id, const char *name, GError **error);
/* Puts the operations of the callee in the place of one call; calls within it stay. FALSE comes with the
 * error of heddle_snapshot_flatten(), or with _INVALID where @call_id is no call. */
gboolean heddle_edit_ungroup (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *call_id, GError **error);

G_END_DECLS
