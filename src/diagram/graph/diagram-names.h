/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

/* Returns the name of an axis, its id if it has none or is not in the diagram, "?" if @axis_id is NULL.
 * The text is not the caller's. */
const char *heddle_axis_name (const HeddleDiagram *diagram, const char *axis_id);
/* Returns the names as "x, y", or "no axis" if there is none. Unknown ids are shown as they are. Newly
 * allocated. */
char *heddle_axes_to_string (const HeddleDiagram *diagram, const GArray *axes);
