/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/schedule.h"
#include "files/difference/private.h"

G_BEGIN_DECLS

void heddle_comparison_schedules (HeddleComparison *self, const HeddleSchedule *a, const HeddleSchedule *b);
void heddle_comparison_presentations (
    HeddleComparison *self, const HeddlePresentation *a, const HeddlePresentation *b);

G_END_DECLS
