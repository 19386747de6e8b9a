/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/machine/machine.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Returns the title of a step of a derivation, as in the list of steps and in the history. Newly
 * allocated. */
char *heddle_step_title_of_label (
    const HeddleDiagram *diagram, const char *axis, const char *level, HeddleLabelKind kind, gint64 size);
/* Returns "Fuse S, P and O" by the named values of the region; NULL if it has only one. */
char *heddle_step_title_of_fusion (const HeddleDiagram *diagram, const HeddleRegion *region);

/* Returns "Tiles in Multiples for mma, lines". Newly allocated. */
char *heddle_step_title_of_divisors (const char *reasons);
/* Returns "Keep K at L2" or "Keep K at L2 for S". @machine (nullable) gives levels their titles. Newly
 * allocated. */
char *heddle_step_title_of_place (
    const HeddleDiagram *diagram, const HeddleMachine *machine, const HeddleResidency *place);
/* Returns the name of what an operation (id) makes. Newly allocated. */
char *heddle_step_label_of_reader (const HeddleDiagram *diagram, const char *column);
/* Returns "Compute S Again for P". Newly allocated. */
char *heddle_step_title_of_recompute (const HeddleDiagram *diagram, const HeddleRecompute *recompute);
