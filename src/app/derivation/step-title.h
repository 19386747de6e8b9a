/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/diagram.h"
#include "diagram/schedule.h"

G_BEGIN_DECLS

/* What steps of a derivation are called, in the list of them and in the history; newly allocated. */
char *heddle_step_title_of_label (
    const HeddleDiagram *diagram, const char *axis, const char *level, HeddleLabelKind kind, gint64 size);
/* "Fuse S, P and O" by the named values of the region; NULL: it holds only one. */
char *heddle_step_title_of_fusion (const HeddleDiagram *diagram, const HeddleRegion *region);

/* "Tiles in Multiples for mma, lines"; newly allocated. */
char *heddle_step_title_of_divisors (const char *reasons);

G_END_DECLS
