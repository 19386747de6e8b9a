/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* This file lays values out in memory for kernels. A diagram draws the axes of a value in the order in which
 * they are read best; kernels may want another one. Nobody else sees it: inputs and outputs have the order in
 * which they are drawn, and an input that kernels want in another order is copied first, by an operation and
 * a kernel of their own. That operation is no part of the document: it and its value have ids only in the
 * diagram that is laid out. */

/* Returns whether the layout is possible: the diagram makes the value or is given it, it is no output, and
 * the axes are the value's. */
gboolean heddle_value_layout_is_for (const HeddleValueLayout *self, const HeddleDiagram *diagram);

/* Returns a copy of the diagram in which values are laid out as the schedule (nullable) says, which the
 * caller owns; NULL if they are already. Impossible layouts are left out. @whole: (out) (optional) (transfer
 * full): the schedule with a region for each operation that copies an input, and the labels of that region;
 * NULL if no input is copied. */
HeddleDiagram *heddle_schedule_lay_out (
    const HeddleSchedule *self, const HeddleDiagram *diagram, HeddleSchedule **whole);

/* Makes the schedule say how values of @diagram are laid out in @laid, a diagram that
 * heddle_diagram_reorder_axes () and heddle_diagram_copy_in_order () made of it; views of parameters may be
 * inputs there. The copies have no labels yet. */
void heddle_schedule_take_layouts (
    HeddleSchedule *self, const HeddleDiagram *diagram, const HeddleDiagram *laid);

/* Returns the layout of the schedule, which owns it, that has @operation copy an input in @laid; NULL where
 * the operation is none such. */
HeddleValueLayout *heddle_schedule_get_copied (
    HeddleSchedule *self, const HeddleDiagram *laid, const char *operation);
