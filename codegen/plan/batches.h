/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Has the values that nobody outside of @diagram sees begin with the axes that a product goes through side by side, heads and batches: those
 * that both its factors and its result have. What maps and norms make of such a value lies as it does. */
void heddle_plan_put_batches_first (HeddleDiagram *diagram);

G_END_DECLS
