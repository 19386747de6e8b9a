/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"
#include "files/base/files.h"

/* Returns the kernels of a diagram as a file of that @suffix, .cu .h .py .ptx .cubin .fatbin or .so (transfer
 * full). NULL means that @error is set by the search or the code generator. */
GBytes *heddle_export_kernels (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram,
    const char *suffix, const HeddleExportOptions *options, GCancellable *cancellable, GError **error);
