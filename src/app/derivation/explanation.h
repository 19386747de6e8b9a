/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/derivation/outlook.h"
#include "app/editor/editor.h"
#include "diagram/document/schedule.h"

/* Why the schedule at hand takes as long as it does: which unit, which capacity, which waves bind it. Newly allocated. */
char *heddle_explanation_new (HeddleEditor *editor, const HeddleSchedule *alone);

/* Returns the derivation that is shown in one line: the predicted time and what bounds it, else the values
 * moved, or why there is neither; then the labels of each level. What is neither fused nor labelled is
 * priced by @outlook. The caller owns the text. */
char *heddle_explanation_new_headline (HeddleEditor *editor, HeddleOutlook *outlook);
