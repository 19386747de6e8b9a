/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/region/region.h"
#include "derive/stream/stream.h"
#include "diagram/expression/expr.h"

/* Returns the product of the sizes of axes. */
HeddleExpr *heddle_sizes_product (const GArray *axes);
/* Adds a definition that is reduced as @like is, but of @kept, and without the axes that @kept does not vary
 * along; returns it. */
HeddleDefinition *heddle_stream_plan_add (
    HeddleStreamPlan *plan, const HeddleDefinition *like, HeddleExpr *kept);
/* Adds a definition that computes @kept before the loop, or an input if that is NULL. Takes both. Returns its
 * number. */
guint heddle_stream_plan_add_before (HeddleStreamPlan *plan, HeddleDefinition *definition, HeddleExpr *kept);
/* Makes definition @i of parts. Takes @parts. */
void heddle_stream_plan_split (HeddleStreamPlan *plan, guint i, GPtrArray *parts, HeddleStreaming *streaming);
