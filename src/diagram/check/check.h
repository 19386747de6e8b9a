/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/problem.h"
#include "diagram/check/private.h"
#include "diagram/graph/diagram.h"

/* Returns every problem of a diagram, not only the first, in a fixed order: shapes of operands and results
 * against the rows' signatures, unknown axes, cycles, sizes that are missing or disagree, unused things
 * (warnings). It never crashes, however wrong the diagram is. Calls are checked only as far as possible
 * without the diagrams they call; heddle_check_snapshot () does the rest. The caller owns the array of
 * HeddleProblem. */
GPtrArray *heddle_check_diagram (const HeddleDiagram *diagram);

/* Returns the ids of the axes that a value has or whose size something uses. Transfer full. */
GHashTable *heddle_diagram_used_axes (const HeddleDiagram *diagram);
/* Returns the problems of a diagram by itself. */
GPtrArray *heddle_check_as (const HeddleDiagram *diagram, gboolean open_sizes);
/* Returns whether the problem is a size that is not given: it may still be. */
gboolean heddle_check_is_open_size (const HeddleDiagram *diagram, const HeddleProblem *problem);
