/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"

G_BEGIN_DECLS

/* Which steps run, where there is a guard. */
const HeddleCostSteps *heddle_cost_steps (const HeddleCost *self, const gint64 *tiles, gint64 chunk);

G_END_DECLS
