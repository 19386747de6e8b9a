/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/legality/refusal.h"
#include "derive/region/region.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* The operations of the kernel @operation is in: its region's, or what of its statement is in no region. @schedule may be NULL. */
GArray *heddle_kernel_operations (
    const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *operation);

/* Why the region cannot be labelled so; NULL: it can. */
HeddleRefusal *heddle_legality_check (
    const HeddleRegionTerm *region, const HeddleSchedule *schedule, const char *axis, HeddleLabelKind kind);
HeddleRefusal *heddle_refusal_new (
    const char *axis, HeddleLabelKind kind, const char *operation, char *reason, char *remedy);

/* Whether the axis may be grouped though it is reduced: a second kernel merges what the groups made (split-K). */
gboolean heddle_legality_can_split (const HeddleRegionTerm *region, const char *axis);
/* Why a label cannot go with another one; NULL: it can. */
HeddleRefusal *heddle_legality_check_other (const HeddleRegionTerm *term, const char *other,
    HeddleLabelKind other_kind, const char *axis, HeddleLabelKind kind);
gboolean heddle_legality_can_group (const HeddleRegionTerm *region, const char *axis);

void heddle_refusal_free (HeddleRefusal *self);
/* Whether one more label would be legal on the region that holds @operation (or, without one, on its statement): NULL if legal. */
HeddleRefusal *heddle_derive_try_label (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const char *operation, const char *axis, HeddleLabelKind kind);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleRefusal, heddle_refusal_free)

G_END_DECLS
