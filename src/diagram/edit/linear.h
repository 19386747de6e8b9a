/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* Adds a contraction of @value_id over @axis_id with new weights at the end, into the given axis or (NULL) a
 * new one. */
const char *heddle_edit_add_linear (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value_id,
    const char *axis_id, const char *into_id, GError **error);

/* Adds Y[..., f] = X[..., d] W[d, f] at the end: a contraction of the array @value_id over all axes of
 * @core (ids) at once with weights W, a parameter, into all axes of @into, which the array has not; if that
 * is empty, into a new axis f of the size of the last of @core until another is given. Names are free ones,
 * and what reads @value_id goes on reading it. Returns the id of the new contraction; NULL with
 * %HEDDLE_DIAGRAM_ERROR_INVALID. */
const char *heddle_edit_add_layer (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value_id,
    const GArray *core, const GArray *into, GError **error);

/* Returns the first of "W", "W_2", "W_3" … that no array and no axis of @diagram is called, newly allocated. */
char *heddle_edit_dup_weights_name (const HeddleDiagram *diagram);
