/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/machine/derive-options.h"
#include "diagram/document/schedule.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* This file writes costs as formulas over the names of axes: beside the numbers, and in their place where sizes are not
 * given. */

/* Returns an expression of costs with the axes' names; NULL if it is NULL. Newly allocated. */
char *heddle_costs_symbolic (const HeddleDiagram *diagram, const HeddleExpr *expr);
/* Returns what each kernel moves, and holds where it has labels, as formulas, a line for each of the first @most kernels,
 * newly allocated; NULL where sizes are missing for another reason than that they are not given. @overrides as of
 * heddle_sizes_new (). Axes without a size are taken to be larger than any label. */
char *heddle_prices_symbolic (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    GHashTable *overrides, const HeddleDeriveOptions *options, guint most);
