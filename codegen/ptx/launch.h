/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/ptx/machine.h"
#include "codegen/ptx/ptx.h"

G_BEGIN_DECLS

guint64 ptx_random (PtxRun *run);
gboolean heddle_ptx_launch (const HeddlePtxModule *module, const char *kernel, HeddlePtxMemory *memory,
    const HeddlePtxLaunch *config, const HeddlePtxArgument *arguments, guint n_arguments,
    GCancellable *cancellable, HeddlePtxStats *stats, GError **error);

G_END_DECLS
