/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"

G_BEGIN_DECLS

/* The tensor map at a generic address that lane @lane names; FALSE, with the error of the run set, where there is none. */
gboolean ptx_tensor_map_read (
    PtxWarp *warp, const PtxInstruction *in, guint lane, guint64 address, HeddlePtxTensorMap *map);

gboolean heddle_ptx_tensor_map_encode (
    const HeddlePtxTensorMap *map, guint8 bytes[HEDDLE_PTX_TENSOR_MAP_BYTES], GError **error);

G_END_DECLS
