/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* The whole diagram once for each point of an axis: heads, or a batch. */

/* Has each input but the parameters, and all that is made of them, begin with a new axis of that size. Returns the id of the axis, or NULL with
 * @error. */
const char *heddle_edit_add_batch (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *name, gint64 size, GError **error);
/* Returns whether the size of another axis follows from that of @axis, as that of an image after pooling does. */
gboolean heddle_edit_sizes_others (const HeddleDiagram *diagram, const char *axis);
/* Returns whether each input but the parameters has the axis, no parameter has it, nothing acts along it, and no size follows from its size: it can be deleted
 * again. */
gboolean heddle_edit_is_batch (const HeddleDiagram *diagram, const char *axis);
