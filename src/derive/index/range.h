/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

/* Returns whether index @i of a REINDEX may leave its axis of the operand, over whole axes; an index that is
 * read from an array may. */
gboolean heddle_index_may_leave (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleOperation *operation, guint i);
/* Returns the greatest element that index @i of a REINDEX reaches, over whole axes; infinity if it is not
 * known. */
double heddle_index_last (const HeddleSizes *sizes, const HeddleOperation *operation, guint i);
