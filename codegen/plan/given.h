/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "derive/program/loop-program.h"
#include "diagram/document/schedule.h"

/* Which bands of a loop program a plan is free to choose the size of. */

G_BEGIN_DECLS

/* Whether a label of the person says how long the tiles of a band are. */
gboolean heddle_plan_is_given (const HeddleRegion *region, const HeddleNode *band);

/* Into how many parts an axis is split, the derivation says: it knows what merging them takes. */
gboolean heddle_plan_is_part (const HeddleLoopProgram *program, const HeddleNode *band);

G_END_DECLS
