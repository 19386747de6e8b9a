/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Places a value at a level, in the form of the command line: "VALUE@LEVEL", or "VALUE:READER@LEVEL" for one
 * column of it. Returns %FALSE with an error if @text names no such value, reader or level. */
gboolean heddle_schedule_add_place_text (HeddleSchedule *schedule, const HeddleDiagram *diagram,
    const HeddleMachine *machine, const char *text, GError **error);
/* Sets that a value is computed again, in the form of the command line: "VALUE:READER". Returns %FALSE with
 * an error if @text names no such value or reader. */
gboolean heddle_schedule_add_recompute_text (
    HeddleSchedule *schedule, const HeddleDiagram *diagram, const char *text, GError **error);

G_END_DECLS
