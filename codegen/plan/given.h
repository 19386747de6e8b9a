/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "derive/program/loop-program.h"
#include "diagram/document/schedule.h"

/* This file finds the bands of a loop program whose size a plan is free to choose. */

/* Returns whether a label that a person gave fixes the tiles of a band. */
gboolean heddle_plan_is_given (const HeddleRegion *region, const HeddleNode *band);

/* Returns whether the band splits an axis into parts. The derivation decides how many: it knows what merging
 * them takes. */
gboolean heddle_plan_is_part (const HeddleLoopProgram *program, const HeddleNode *band);
