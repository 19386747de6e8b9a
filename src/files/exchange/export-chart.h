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

/* Returns the roofline, the table of costs, the loops or the steps of a diagram, as the options say; calls are
 * replaced by what they do. The caller owns the scene; NULL means that @error is set. */
HeddleScene *heddle_export_chart (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram,
    const HeddleExportOptions *options, GCancellable *cancellable, GError **error);

/* Returns the name of the machine asked for, else the schedule's, else "h100-sxm"; the options or the
 * schedule own it. */
const char *heddle_export_machine_name (const HeddleExportOptions *options, const HeddleSchedule *schedule);
