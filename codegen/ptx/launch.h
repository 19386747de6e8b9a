/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/ptx/machine.h"
#include "codegen/ptx/ptx.h"

/* A launch runs a whole kernel on the CPU, block after block or the blocks of a cluster together, and counts
 * what it does. */

/* Runs @kernel of @module to its end on the buffers of @memory, whose contents it changes, with the grid
 * and blocks of @config; @arguments are the kernel's parameters in order. Clusters of blocks run one after
 * another; the warps of a cluster run in the order of @config's seed; the lanes of a warp run in lockstep,
 * and those that branched apart meet again as early as they can. Each launch loads the module anew: its
 * variables begin with their initial values. Shared memory is filled with 0xff before every block, which
 * reads as not-a-number. A thread that ends while others wait at a barrier of the whole block is a
 * deadlock, though recent hardware would let the others go on. Counts go to @stats, which may be NULL and
 * is filled on failure too. Returns FALSE with a HEDDLE_PTX_ERROR, which names the kernel, the line of PTX
 * with its text and the thread, for wrong arguments or at the first fault: a bad access, a race, a trap, or
 * more instructions than @config allows. */
gboolean heddle_ptx_launch (const HeddlePtxModule *module, const char *kernel, HeddlePtxMemory *memory,
    const HeddlePtxLaunch *config, const HeddlePtxArgument *arguments, guint n_arguments,
    GCancellable *cancellable, HeddlePtxStats *stats, GError **error);
