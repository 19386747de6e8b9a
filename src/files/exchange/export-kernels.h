/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"
#include "files/base/files.h"

G_BEGIN_DECLS

/* export-kernels.c: @suffix is .cu .h .py .ptx .cubin .fatbin or .so. */
GBytes *heddle_export_kernels (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram,
    const char *suffix, const HeddleExportOptions *options, GCancellable *cancellable, GError **error);

G_END_DECLS
