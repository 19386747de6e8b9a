/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"

/* Every load and store of the interpreter passes here: an address is checked for its state space, its alignment
 * and its bounds before a byte is touched. */

/* Returns the state space in which the generic address @address lies. For shared and local memory @address
 * becomes the offset within that space; otherwise it stays as it is. */
PtxSpace ptx_space_of (guint64 *address);

/* Returns the host's place of the @size bytes at @address, owned by the memory that they are in, after checks
 * of alignment, bounds and, in shared memory, races. Returns NULL, with the error of the run set, where lane
 * @lane must not make the access. */
guint8 *ptx_resolve (PtxWarp *warp, const PtxInstruction *in, PtxSpace space, guint lane, guint64 address,
    gsize size, PtxAccess access);
