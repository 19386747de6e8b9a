/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Places a value at a level, in the form of the command line: "VALUE@LEVEL", where it is made and in every
 * column that has no place of its own; or "VALUE:READER@LEVEL", where the statement of READER, a value,
 * reads it. Returns %FALSE with %HEDDLE_DERIVE_ERROR_LABEL if @text names no such value, reader or level.
 * */
gboolean heddle_schedule_add_place_text (HeddleSchedule *schedule, const HeddleDiagram *diagram,
    const HeddleMachine *machine, const char *text, GError **error);
/* Sets that a value is computed again, in the form of the command line, "VALUE:READER": the kernel of
 * READER computes VALUE again instead of reading it, also if it needs it only for what it computes again.
 * Returns %FALSE with %HEDDLE_DERIVE_ERROR_LABEL if @text names no such value or reader. */
gboolean heddle_schedule_add_recompute_text (
    HeddleSchedule *schedule, const HeddleDiagram *diagram, const char *text, GError **error);
