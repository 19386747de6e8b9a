/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/schedule.h"
#include "files/difference/private.h"

G_BEGIN_DECLS

/* Adds what changed from schedule @a to @b: regions, labels, types and wishes. Either may be NULL. */
void heddle_comparison_schedules (HeddleComparison *self, const HeddleSchedule *a, const HeddleSchedule *b);
/* Adds what changed from presentation @a to @b: titles, nudges, fills, annotations, blocks and the like. Either may
 * be NULL. */
void heddle_comparison_presentations (
    HeddleComparison *self, const HeddlePresentation *a, const HeddlePresentation *b);

G_END_DECLS
