/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* The backward diagram: reverse mode, from a diagram to a diagram. @wrt: names (char *) of inputs and parameters. */
HeddleDiagram *heddle_diagram_differentiate (const HeddleDiagram *diagram, GPtrArray *wrt, GError **error);
/* What the cotangent of a value called @name is called where no other name is in the way: "dO" of "O", "d_{\\bar x}" of
 * "\\bar x". Newly allocated. */
char *heddle_cotangent_name (const char *name);

G_END_DECLS
