/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"

/* Reads the tensor map at a generic address that lane @lane names. Returns FALSE, with the error of the run
 * set, if there is none. */
gboolean ptx_tensor_map_read (
    PtxWarp *warp, const PtxInstruction *in, guint lane, guint64 address, HeddlePtxTensorMap *map);

/* Writes @map into @bytes in the form that the interpreter reads; a kernel takes them as a parameter. It is not
 * the form of the CUDA driver. Returns FALSE with HEDDLE_PTX_ERROR_ARGUMENT where the driver would refuse such
 * a map. */
gboolean heddle_ptx_tensor_map_encode (
    const HeddlePtxTensorMap *map, guint8 bytes[HEDDLE_PTX_TENSOR_MAP_BYTES], GError **error);
