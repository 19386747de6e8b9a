/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* Makes a definition called @name of the operations (ids) and calls it in their place: what they read from
 * elsewhere becomes its inputs, in order, and what is read elsewhere its outputs. Returns the id of the
 * call; NULL with %HEDDLE_DIAGRAM_ERROR_INVALID where something that is not among them lies between them.
 * */
const char *heddle_edit_group (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *operations,
    const char *name, GError **error);
/* Renames the diagram that a call of @diagram calls, wherever it is called. FALSE comes with
 * %HEDDLE_DIAGRAM_ERROR_INVALID where something else has that name, or nothing can have it. */
gboolean heddle_edit_rename_definition (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *call_id, const char *name, GError **error);
/* Puts the operations of the callee in the place of one call; calls within it stay. FALSE comes with the
 * error of heddle_snapshot_flatten(), or with _INVALID where @call_id is no call. */
gboolean heddle_edit_ungroup (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *call_id, GError **error);
