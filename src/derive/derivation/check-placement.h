/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/legality/refusal.h"
#include "derive/machine/derive-options.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* This file answers what the editor asks during a drag: whether a value can be placed at a level, and what
 * would help where a label is refused. */

/* Returns NULL if a value (id) can be placed at @level, all else being as it is: where the operation @column
 * reads it or, with @column NULL, where it is made and wherever nothing else is said. Otherwise returns a new
 * refusal, which says why not and what to fuse or cut first. */
HeddleRefusal *heddle_derive_check_placement (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, const char *value, const char *column,
    const char *level);
/* Looks, where @refusal has no other remedy, for a part of the kernel that could have the label as a kernel
 * of its own, and makes cutting it the remedy. That takes longer than a motion of a drag. */
void heddle_derive_find_cut (
    const HeddleDiagram *diagram, const HeddleSchedule *schedule, HeddleRefusal *refusal);
