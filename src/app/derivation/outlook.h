/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "app/editor/kernel-times.h"
#include "derive/report/forecast.h"
#include "diagram/document/schedule.h"

/* HeddleOutlook is what the document's schedule is measured against: where it began (one equation at a
 * time, each at its best) and where it could get (the suggested labels). A worker thread searches after
 * each change; "changed" says that there is news. */
#define HEDDLE_TYPE_OUTLOOK (heddle_outlook_get_type ())
G_DECLARE_FINAL_TYPE (HeddleOutlook, heddle_outlook, HEDDLE, OUTLOOK, GObject)

/* Returns a new outlook, owned by the caller, that holds @editor and begins its search at once. */
HeddleOutlook *heddle_outlook_new (HeddleEditor *editor);
/* NULL while it is being searched, or when there is none. */
const HeddleForecast *heddle_outlook_get_baseline (HeddleOutlook *self);
/* The same with what is said of arrays: where they are kept, and what is worked out again. */
const HeddleForecast *heddle_outlook_get_start (HeddleOutlook *self);
/* Its kernels with their labels; NULL while it is being searched. */
const HeddleSchedule *heddle_outlook_get_alone (HeddleOutlook *self);
/* The kernels of what is shown: of what is tried or the document has, or of where it began. The caller owns them; NULL while they are
 * searched. */
HeddleKernelTimes *heddle_outlook_dup_kernels (HeddleOutlook *self);
/* NULL too when it is no better than what the document has. @title: of the step that leads there ("Group y at SMEM, 256"). */
const HeddleForecast *heddle_outlook_get_suggestion (HeddleOutlook *self, const char **title);
