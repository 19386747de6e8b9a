/* SPDX-License-Identifier: MIT */
#pragma once

/* This file has what instructions on matrices that are spread over the lanes of a warp have in common. */

#include "codegen/ptx/module.h"

/* Gathers the lanes for an instruction of the warp as a whole: lanes that branched off come back before it,
 * for which PTX_JUMPED is returned. */
PtxStatus ptx_matrix_gather (PtxWarp *warp, const PtxInstruction *in);
/* Returns whether operand @operand is a vector of @count registers; sets the error of the run if it is
 * not. */
gboolean ptx_matrix_check_count (PtxWarp *warp, const PtxInstruction *in, guint operand, guint count);
