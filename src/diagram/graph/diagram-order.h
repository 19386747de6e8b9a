/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

/* An order of operations and values that the drawing has no say in. */

void heddle_diagram_put_in_order (HeddleDiagram *self);
