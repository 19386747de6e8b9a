/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

const char *heddle_axis_name (const HeddleDiagram *diagram, const char *axis_id);
/* "x, y"; "no axis" when there is none. Unknown ids are shown as they are. Newly allocated. */
char *heddle_axes_to_string (const HeddleDiagram *diagram, const GArray *axes);

G_END_DECLS
