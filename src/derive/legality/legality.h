/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/legality/refusal.h"
#include "derive/region/region.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "derive/legality/private.h"
#include "derive/stream/stream.h"
#include <glib.h>

/* This file decides which labels a region may have. An axis may be grouped if the groups need nothing of one
 * another, and streamed if what is reduced over it can be carried from chunk to chunk (Abbott & Zardini
 * 2025). A refusal says why not and what would help. */

/* Returns a new array with the ids of the operations of the kernel that @operation is in: its region's, or
 * those of its statement that are in no region. @schedule may be NULL. */
GArray *heddle_kernel_operations (
    const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *operation);

/* Returns a new refusal that says why the region cannot have the label; NULL means that it can. */
HeddleRefusal *heddle_legality_check (
    const HeddleRegionTerm *region, const HeddleSchedule *schedule, const char *axis, HeddleLabelKind kind);
/* Returns a new refusal. It takes @reason and @remedy, sentences of which @remedy may be NULL for none; the
 * ids are interned and stay. */
HeddleRefusal *heddle_refusal_new (
    const char *axis, HeddleLabelKind kind, const char *operation, char *reason, char *remedy);

/* Returns whether the axis may be grouped although it is reduced: a second kernel merges what the groups made
 * (split-K). */
gboolean heddle_legality_can_split (const HeddleRegionTerm *region, const char *axis);
/* Returns a new refusal that says why a label cannot go with another one; NULL means that it can. */
HeddleRefusal *heddle_legality_check_other (const HeddleRegionTerm *term, const char *other,
    HeddleLabelKind other_kind, const char *axis, HeddleLabelKind kind);
/* Returns whether groups of the axis need nothing of one another. */
gboolean heddle_legality_can_group (const HeddleRegionTerm *region, const char *axis);

/* Frees a refusal with its sentences and its list of operations. */
void heddle_refusal_free (HeddleRefusal *self);
/* Returns NULL if one more label would be legal on the region that holds @operation or, without a region,
 * on its statement; otherwise a new refusal, which says why not and what would help. A label of the same
 * axis that is there already counts as replaced. It is quick enough for every motion of a drag. */
HeddleRefusal *heddle_derive_try_label (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const char *operation, const char *axis, HeddleLabelKind kind);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleRefusal, heddle_refusal_free)

/* Refusals of labels along an axis of which a definition is held as a window, the tile with its halo, and
 * not as the label's tile. */

/* Finds a part of the region that can have the label, where there is no other remedy. */
void heddle_refusal_find_cut (HeddleRefusal *self, const HeddleRegionTerm *region);
/* Says why there is no remedy, if there is none. @cut says whether parts of the region were tried. */
void heddle_refusal_explain_none (HeddleRefusal *self, const HeddleRegionTerm *region, gboolean cut);

/* Refusals of streaming an axis: the obstacles that the plan of a stream meets, put into words. */
