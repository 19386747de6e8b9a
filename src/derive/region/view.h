/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* A layer's part of what all layers' parameters are kept in is read where it lies, and so is a parameter whose axes
 * are read as several, or several as one: no kernel copies it. */

/* Tells where in its operand the piece lies that an operation reads. */
typedef struct
{
  guint places; /* so many of the first axes are read at one place, a number each */
  gint64 first; /* the place of the axis behind them at which it begins */
  gboolean cut; /* of that axis it reads a part; else all of what is behind the places */
  gboolean regrouped; /* axes are read as others that go through the same elements in the same order */
} HeddleView;

/* Returns how many of its operand's first axes an operation reads at one place, a number each, if it reads
 * all of the others in their order, so that what it reads lies in one piece. Returns 0 if it is no such
 * operation. */
guint heddle_view_places (const HeddleDiagram *diagram, const HeddleOperation *operation);
/* Returns whether what the operation reads lies in one piece of its operand, inside it and in order, and where. */
gboolean heddle_view_find (const HeddleDiagram *diagram, const HeddleSizes *sizes,
    const HeddleOperation *operation, HeddleView *view);
/* Returns whether the operation says no more than where in a parameter something lies, and no kernel runs for
 * it: it is in no region of @schedule (nullable), is no output, and changes no type. */
gboolean heddle_view_is (const HeddleDiagram *diagram, const HeddleSizes *sizes,
    const HeddleSchedule *schedule, const HeddleOperation *operation);
/* Takes the views out of @diagram: their results become parameters. Returns the ids of the operations that are
 * gone, in their order; the caller owns the array. */
GArray *heddle_diagram_hoist_views (
    HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleSchedule *schedule);
