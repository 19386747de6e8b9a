/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* How values lie in memory between kernels. A diagram draws the axes of a value in the order in which they are read best; kernels may want another one.
 * Nobody else sees it: inputs and outputs always lie as they are drawn. */

/* Returns whether the layout can be had: the diagram makes the value, it is no output, and the axes are the value's. */
gboolean heddle_value_layout_is_for (const HeddleValueLayout *self, const HeddleDiagram *diagram);

/* Returns a copy of the diagram in which values lie as the schedule (nullable) says, which the caller owns; NULL where they do so already. Layouts
 * that cannot be had are left out. */
HeddleDiagram *heddle_schedule_lay_out (const HeddleSchedule *self, const HeddleDiagram *diagram);

/* Has the schedule say how internal values of @diagram lie in @laid, a diagram that heddle_diagram_reorder_axes () made of it. */
void heddle_schedule_take_layouts (
    HeddleSchedule *self, const HeddleDiagram *diagram, const HeddleDiagram *laid);

G_END_DECLS
