/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "diagram/document/schedule.h"

G_BEGIN_DECLS

/* Why the schedule at hand takes as long as it does: which unit, which capacity, which waves bind it. Newly allocated. */
char *heddle_explanation_new (HeddleEditor *editor, const HeddleSchedule *alone);

G_END_DECLS
