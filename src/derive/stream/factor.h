/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/stream/factor-private.h"
#include "derive/stream/stream.h"
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

HeddleReads heddle_stream_plan_reads (const HeddleStreamPlan *plan, const HeddleExpr *body);
/* Whether what waits is of a size to go on with. */
gboolean heddle_parts_are_small (const GPtrArray *parts);
/* Takes @body apart into a sum of parts, of HeddleSummand; see factor.c. NULL: a reduction does not come out. */
GPtrArray *heddle_factor (HeddleStreamPlan *plan, HeddleExpr *body);

G_END_DECLS
