/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"
#include "figure/layout/layout.h"

G_BEGIN_DECLS

/* rotary.c: the axis of the pairs that the operation turns, and the two values that are drawn within it; or NULL */
const char *heddle_layout_turns (
    const HeddleLayout *self, const HeddleOperation *operation, const char *within[2]);

G_END_DECLS
