/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "diagram/graph/diagram.h"

/* Returns how many indices a buffer holds at most along its axis @i, whatever its extent: what memory is laid
 * out for. */
gint64 heddle_buffer_most (
    const HeddleLoopProgram *program, const HeddleSizes *sizes, const HeddleBuffer *buffer, guint i);
/* Makes windows that no label moves and that have all of their axis full extents. */
void heddle_loop_program_settle_windows (HeddleLoopProgram *self, const HeddleSizes *sizes);
