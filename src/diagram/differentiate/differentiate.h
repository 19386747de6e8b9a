/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* The backward diagram: reverse mode, from a diagram to a diagram. @wrt: names (char *) of inputs and parameters. */
HeddleDiagram *heddle_diagram_differentiate (const HeddleDiagram *diagram, GPtrArray *wrt, GError **error);

G_END_DECLS
