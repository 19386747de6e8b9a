/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/ptx/machine.h"
#include "codegen/ptx/ptx.h"

/* A launch runs a whole kernel on the CPU, block after block or the blocks of a cluster together, and counts
 * what it does. */

G_BEGIN_DECLS

/* Runs @kernel of @module with the grid, blocks and seed of @config on the buffers of @memory, whose contents
 * it changes; @arguments are the kernel's parameters in order. Counts go to @stats, which may be NULL and is
 * filled on failure too. Returns FALSE with a HEDDLE_PTX_ERROR for wrong arguments, or at the first fault: a
 * bad access, a race, a trap, or more instructions than @config allows. */
gboolean heddle_ptx_launch (const HeddlePtxModule *module, const char *kernel, HeddlePtxMemory *memory,
    const HeddlePtxLaunch *config, const HeddlePtxArgument *arguments, guint n_arguments,
    GCancellable *cancellable, HeddlePtxStats *stats, GError **error);

G_END_DECLS
