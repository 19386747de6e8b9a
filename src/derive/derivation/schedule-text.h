/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Makes one region of @operations, in the diagram's order: they leave those they were in, whose labels it
 * takes. */
HeddleRegion *heddle_schedule_fuse_operations (
    HeddleSchedule *schedule, const HeddleDiagram *diagram, const GArray *operations);
/* Fuses as `--fuse` says: "all", "none", "file" (as the schedule has it), or names of values "S,P,O" whose
 * statements become one kernel. Returns a new schedule, or %NULL with %HEDDLE_DERIVE_ERROR_REGION for a
 * name that is none. */
HeddleSchedule *heddle_schedule_fuse (
    const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *how, GError **error);
/* Adds a label or changes its size, in the form of the command line:
 * "[REGION/]axis:group|stream|divisor|order@level=n". REGION is a region's id or the name of a value it
 * makes; without one, every region that has the axis takes the label. Without "@level" it is the first
 * level that takes labels; a level goes by the beginning of its name, too, where that is no other's: "reg".
 * Statements that are in no region become regions of their own. Returns %FALSE with
 * %HEDDLE_DERIVE_ERROR_LABEL if @text is no such label. */
gboolean heddle_schedule_add_label_text (HeddleSchedule *schedule, const HeddleDiagram *diagram,
    const HeddleMachine *machine, const char *text, GError **error);
