/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/machine/machine.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* What steps of a derivation are called, in the list of them and in the history; newly allocated. */
char *heddle_step_title_of_label (
    const HeddleDiagram *diagram, const char *axis, const char *level, HeddleLabelKind kind, gint64 size);
/* "Fuse S, P and O" by the named values of the region; NULL: it holds only one. */
char *heddle_step_title_of_fusion (const HeddleDiagram *diagram, const HeddleRegion *region);

/* "Tiles in Multiples for mma, lines"; newly allocated. */
char *heddle_step_title_of_divisors (const char *reasons);
/* "Keep K at L2", "Keep K at L2 for S"; newly allocated. @machine: (nullable): whose levels have titles. */
char *heddle_step_title_of_place (
    const HeddleDiagram *diagram, const HeddleMachine *machine, const HeddleResidency *place);
/* The name of what an operation (id) makes; newly allocated. */
char *heddle_step_label_of_reader (const HeddleDiagram *diagram, const char *column);
/* "Compute S Again for P"; newly allocated. */
char *heddle_step_title_of_recompute (const HeddleDiagram *diagram, const HeddleRecompute *recompute);

G_END_DECLS
