/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* Puts the first diagram of @clip, with what it calls, into @diagram and appends the ids of the new
 * operations to @made. Axes of equal name and size are joined. FALSE comes with
 * %HEDDLE_DIAGRAM_ERROR_INVALID or _TYPE. */
gboolean heddle_edit_paste (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const HeddleSnapshot *clip,
    GArray *made, GError **error);
