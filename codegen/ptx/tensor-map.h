/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/ptx/machine.h"

G_BEGIN_DECLS

/* The tensor map at a generic address that lane @lane names; FALSE, with the error of the run set, where there is none. */
gboolean ptx_tensor_map_read (
    PtxWarp *warp, const PtxInstruction *in, guint lane, guint64 address, HeddlePtxTensorMap *map);

G_END_DECLS
