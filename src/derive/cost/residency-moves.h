/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/context.h"
#include "derive/program/loop-program.h"

G_BEGIN_DECLS

/* What crosses the links above global memory for @program: of HeddleMove. */
GArray *heddle_residency_moves (const HeddleDeriveContext *self, const HeddleLoopProgram *program);
/* All of a value, as it is stored. */
gint64 heddle_residency_value_bytes (const HeddleDeriveContext *self, const char *value);
/* Per level above that some of the program's own moves go to or come from: of HeddleLevelCost. */
GPtrArray *heddle_residency_levels (const HeddleDeriveContext *self, const HeddleLoopProgram *program);

G_END_DECLS
