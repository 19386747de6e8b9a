/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Makes one region of @operations, in the diagram's order: they leave those they were in, whose labels it
 * takes. */
HeddleRegion *heddle_schedule_fuse_operations (
    HeddleSchedule *schedule, const HeddleDiagram *diagram, const GArray *operations);
/* Fuses as `--fuse` says: "all", "none", "file" (as the schedule has it), or names of values "S,P,O" whose
 * statements become one kernel. Returns a new schedule. */
HeddleSchedule *heddle_schedule_fuse (
    const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *how, GError **error);
/* Adds a label in the form of the command line: "[REGION/]axis:group|stream|divisor|order@level=n". REGION: a
 * region id or value name; without one, every region that has the axis. */
gboolean heddle_schedule_add_label_text (HeddleSchedule *schedule, const HeddleDiagram *diagram,
    const HeddleMachine *machine, const char *text, GError **error);

G_END_DECLS
