/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "figure/scene/scene.h"
#include "files/base/files.h"
#include "files/picture/private.h"

G_BEGIN_DECLS

/* Tells whether a region of the schedule has a label; a NULL @schedule has none. */
gboolean heddle_export_has_labels (const HeddleSchedule *schedule);
/* Derives kernels from @schedule for the job's machine; @suggest completes its labels by a search first. Returns the
 * derivation (transfer full); NULL means that @error is set by the derivation. */
HeddleDerivation *heddle_chart_job_derive (
    const HeddleChartJob *self, const HeddleSchedule *schedule, gboolean suggest, GError **error);
/* Returns the roofline, the table of costs, the loops or the steps of a diagram, as the options say; calls are
 * replaced by what they do. The caller owns the scene; NULL means that @error is set. */
HeddleScene *heddle_export_chart (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram,
    const HeddleExportOptions *options, GCancellable *cancellable, GError **error);

G_END_DECLS
