/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <gio/gio.h>
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"
#include "figure/scene/scene.h"
#include "files/picture/private.h"

/* Returns the figure of the steps from one equation at a time to @shown, which the file's labels are or lead
 * to; the caller owns the scene. NULL means that @error is set. */
HeddleScene *heddle_export_steps (
    const HeddleChartJob *job, const HeddleDerivation *shown, const HeddleDerivation *apart, GError **error);
/* Returns where each of the steps to @shown is on the roofline, of HeddleRooflinePoint; the caller owns the
 * array. NULL means that @error is set. */
GArray *heddle_export_steps_way (
    const HeddleChartJob *job, const HeddleDerivation *shown, const HeddleDerivation *apart, GError **error);

/* Returns how many px a line of a figure may be long that is not one diagram: as many as the width that is asked for holds at
 * their own size, or a page where none is; 0: it is not to be wrapped. */
double heddle_export_line_width (const HeddleExportOptions *options);
/* Tells whether a region of the schedule has a label; a NULL @schedule has none. */
gboolean heddle_export_has_labels (const HeddleSchedule *schedule);

/* Derives kernels from @schedule for the job's machine; @suggest completes its labels by a search first.
 * Returns the derivation (transfer full); NULL means that @error is set by the derivation. */
HeddleDerivation *heddle_chart_job_derive (
    const HeddleChartJob *self, const HeddleSchedule *schedule, gboolean suggest, GError **error);
