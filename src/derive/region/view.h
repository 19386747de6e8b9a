/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* A layer's part of what all layers' parameters are kept in is read where it lies: no kernel copies it. */

/* Returns how many of its operand's first axes an operation reads at one place, a number each, if it reads
 * all of the others in their order, so that what it reads lies in one piece. Returns 0 if it is no such
 * operation. */
guint heddle_view_places (const HeddleDiagram *diagram, const HeddleOperation *operation);
/* Returns whether the operation says no more than where in a parameter something lies, and no kernel runs for
 * it: it is in no region of @schedule (nullable), is no output, changes no type, and reads all of one place,
 * which is inside. */
gboolean heddle_view_is (const HeddleDiagram *diagram, const HeddleSizes *sizes,
    const HeddleSchedule *schedule, const HeddleOperation *operation);
/* Takes the views out of @diagram: their results become parameters. Returns the ids of the operations that are
 * gone, in their order; the caller owns the array. */
GArray *heddle_diagram_hoist_views (
    HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleSchedule *schedule);
