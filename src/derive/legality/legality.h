/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/derivation/derive.h"
#include "derive/region/region.h"

G_BEGIN_DECLS

/* The operations of the kernel @operation is in: its region's, or what of its statement is in no region. @schedule may be NULL. */
GArray *heddle_kernel_operations (
    const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *operation);

/* Why the region cannot be labelled so; NULL: it can. */
HeddleRefusal *heddle_legality_check (
    const HeddleRegionTerm *region, const HeddleSchedule *schedule, const char *axis, HeddleLabelKind kind);
HeddleRefusal *heddle_refusal_new (
    const char *axis, HeddleLabelKind kind, const char *operation, char *reason, char *remedy);

/* Finds a part of the region that can have the label, where there is no other remedy. --- remedy.c */
void heddle_refusal_find_cut (HeddleRefusal *self, const HeddleRegionTerm *region);

/* Says why there is no remedy, where there is none. @cut: whether parts of the region were tried. --- remedy.c */
void heddle_refusal_tell_why_none (HeddleRefusal *self, const HeddleRegionTerm *region, gboolean cut);

/* Whether the axis may be grouped though it is reduced: a second kernel merges what the groups made (split-K). */
gboolean heddle_legality_can_split (const HeddleRegionTerm *region, const char *axis);
/* Why a label cannot go with another one; NULL: it can. */
HeddleRefusal *heddle_legality_check_other (const HeddleRegionTerm *term, const char *other,
    HeddleLabelKind other_kind, const char *axis, HeddleLabelKind kind);
gboolean heddle_legality_can_group (const HeddleRegionTerm *region, const char *axis);

G_END_DECLS
