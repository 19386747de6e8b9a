/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

/* Some operations of a diagram as a diagram of their own. */

/* Returns a new diagram, to be freed, of all axes of @self and of its @values and @operations alone, in the
 * order of these lists; it takes as long as they are, however much else there is. Outputs and arguments of
 * @self that are among them are those of the part. */
HeddleDiagram *heddle_diagram_part (
    const HeddleDiagram *self, const GPtrArray *values, const GPtrArray *operations);
