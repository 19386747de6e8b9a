/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"
#include "figure/layout/layout.h"

/* A rotary embedding turns pairs of values by an angle. It is recognised by its expression and drawn as one glyph,
 * with the values that make up the pairs within it. */

/* Returns the axis of the pairs that the operation turns, as a rotary embedding does, and gives the ids of the two
 * values that are drawn @within it; NULL means that it turns none. The diagram owns the ids. */
const char *heddle_layout_turns (
    const HeddleLayout *self, const HeddleOperation *operation, const char *within[2]);
