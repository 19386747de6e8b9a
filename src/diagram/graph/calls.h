/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "diagram/graph/diagram.h"

/* This file finds what a diagram is to those that call it, and whether it calls others itself. */

/* Returns what a call of the diagram reads: its inputs, then the parameters among its arguments. Value ids,
 * transfer container. */
GArray *heddle_diagram_get_formals (const HeddleDiagram *self);

/* Returns whether one of the operations is a CALL. */
gboolean heddle_diagram_has_calls (const HeddleDiagram *self);

/* Returns whether the diagram is a box: a definition without operations, whose outputs nothing makes. A call
 * of it has known types only. */
gboolean heddle_diagram_is_box (const HeddleDiagram *self);

/* Returns whether there are no calls. FALSE comes with %HEDDLE_DIAGRAM_ERROR_UNSUPPORTED, which names the
 * result of the first call and what it calls. */
gboolean heddle_diagram_is_flat (const HeddleDiagram *self, GError **error);
