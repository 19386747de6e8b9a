/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/region/region.h"
#include "derive/stream/stream.h"
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* The product of the sizes of axes. */
HeddleExpr *heddle_sizes_product (const GArray *axes);
/* One more definition: what @like is, reduced as it is, but of @kept, and without what @kept does not vary along. */
HeddleDefinition *heddle_stream_plan_add (
    HeddleStreamPlan *plan, const HeddleDefinition *like, HeddleExpr *kept);
/* One more definition, worked out before the loop as @kept, or an input (NULL). Takes both. Returns its number. */
guint heddle_stream_plan_add_before (HeddleStreamPlan *plan, HeddleDefinition *definition, HeddleExpr *kept);
/* Makes definition @i of parts. Takes @parts. */
void heddle_stream_plan_split (HeddleStreamPlan *plan, guint i, GPtrArray *parts, HeddleStreaming *streaming);

G_END_DECLS
