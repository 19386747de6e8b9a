/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "diagram/graph/diagram.h"

/* Reads @value_id with @axis_id under another name, @into_id or (NULL) a new axis of the same size: one array
 * at two positions, as self-attention has it. Such a reading that is there already is taken. Returns the id
 * of the array read so, or NULL with @error. */
const char *heddle_edit_read_at (
    HeddleDiagram *diagram, const char *value_id, const char *axis_id, const char *into_id, GError **error);
