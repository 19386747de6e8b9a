/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/stream/stream.h"
#include "diagram/expression/expr.h"

/* Splits @reduced into @centre + @rest: a state near to it, which is known from the first chunk on and does
 * not move, and the rest, which is known once the loop is done. Works only for an affine expression of one
 * sum over the axis; else returns FALSE. Both belong to @plan. */
gboolean heddle_stream_plan_centre (
    HeddleStreamPlan *plan, HeddleExpr *reduced, HeddleExpr **centre, HeddleExpr **rest);
