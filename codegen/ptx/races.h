/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"

/* Finds races in shared memory by vector clocks: each piece of memory remembers its last write, and its last
 * read by each warp. An access that is not ordered after those of other warps is an error, in whatever order
 * the warps happened to run. */

/* Makes the records for @bytes of shared memory that @n_warps warps reach, in pieces as fine as the accesses of
 * @module need. The caller frees them with ptx_races_free (). */
PtxRaces *ptx_races_new (const HeddlePtxModule *module, gsize bytes, guint n_warps);

/* Frees the records; @self must not be NULL. */
void ptx_races_free (PtxRaces *self);

/* Forgets all accesses, for a new block. */
void ptx_races_reset (PtxRaces *self);

/* Records an access of @size bytes at @offset by lane @lane, and checks it against earlier ones. Returns FALSE,
 * with a race reported in the run, where no barrier or fence orders them. */
gboolean ptx_races_access (PtxRaces *self, PtxWarp *warp, const PtxInstruction *in, guint lane, gsize offset,
    gsize size, PtxAccess access);

/* Records a write of a bulk copy at its beginning: @clock is the clock that it is known by, at @time. All
 * earlier accesses must be ordered before it and, where @proxied is set, accesses by threads passed to the
 * asynchronous proxy, which makes the copy. Returns FALSE, with a race reported in the run, where they are
 * not. */
gboolean ptx_races_bulk (PtxRaces *self, PtxWarp *warp, const PtxInstruction *in, guint lane, gsize offset,
    gsize size, guint clock, guint32 time, gboolean proxied);

/* Counts the bytes that a copy wrote as written by @warp itself, now: it has waited for the copy. */
void ptx_races_complete (
    PtxRaces *self, const PtxWarp *warp, const PtxInstruction *in, gsize offset, gsize size);
