/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Puts a value at a level, in the form of the command line: "VALUE@LEVEL", or "VALUE:READER@LEVEL" for one column of it. */
gboolean heddle_schedule_add_place_text (HeddleSchedule *schedule, const HeddleDiagram *diagram,
    const HeddleMachine *machine, const char *text, GError **error);
/* Has values worked out again, in the form of the command line: "VALUE:READER". */
gboolean heddle_schedule_add_recompute_text (
    HeddleSchedule *schedule, const HeddleDiagram *diagram, const char *text, GError **error);

G_END_DECLS
