/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Returns the backward diagram of a diagram in reverse mode. @wrt holds names (char *) of inputs and
 * parameters. */
HeddleDiagram *heddle_diagram_differentiate (const HeddleDiagram *diagram, GPtrArray *wrt, GError **error);

G_END_DECLS
