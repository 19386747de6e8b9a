/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"

G_BEGIN_DECLS

PtxSpace ptx_space_of (guint64 *address);
guint8 *ptx_resolve (PtxWarp *warp, const PtxInstruction *in, PtxSpace space, guint lane, guint64 address,
    gsize size, PtxAccess access);

G_END_DECLS
