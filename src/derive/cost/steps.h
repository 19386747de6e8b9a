/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"

/* Returns the steps of a guarded stream that run at these tiles and this chunk. The result is owned by @self
 * and holds until steps of other sizes are asked for; only a cost with a guard has one. */
const HeddleCostSteps *heddle_cost_steps (const HeddleCost *self, const gint64 *tiles, gint64 chunk);
