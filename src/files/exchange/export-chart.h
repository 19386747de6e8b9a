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

/* export-chart.c */
gboolean heddle_export_has_labels (const HeddleSchedule *schedule);
HeddleDerivation *heddle_chart_job_derive (
    const HeddleChartJob *self, const HeddleSchedule *schedule, gboolean suggest, GError **error);
/* export-chart.c: the roofline, the table of costs, the loops or the steps of a diagram. */
HeddleScene *heddle_export_chart (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram,
    const HeddleExportOptions *options, GCancellable *cancellable, GError **error);

G_END_DECLS
