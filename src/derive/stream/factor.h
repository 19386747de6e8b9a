/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/stream/factor-private.h"
#include "derive/stream/stream.h"
#include "diagram/expression/expr.h"

/* Returns whether the expressions of the parts are small enough to go on with. */
gboolean heddle_parts_are_small (const GPtrArray *parts);
/* Takes @body apart, without taking the reference, into a new sum of parts, each what a loop keeps times a
 * factor that is applied after it. NULL means that a reduction does not come out as a factor. */
GPtrArray *heddle_factor (HeddleStreamPlan *plan, HeddleExpr *body);
