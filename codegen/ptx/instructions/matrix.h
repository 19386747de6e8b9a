/* SPDX-License-Identifier: MIT */
#pragma once

/* What instructions on matrices that are spread over the lanes of a warp have in common. */

#include "codegen/ptx/module.h"

G_BEGIN_DECLS

/* These instructions are the warp's as a whole: lanes that branched off come back before it, for which PTX_JUMPED is returned. */
PtxStatus ptx_matrix_gather (PtxWarp *warp, const PtxInstruction *in);
/* Whether operand @operand is a vector of @count registers; FALSE: the error of the run is set. */
gboolean ptx_matrix_check_count (PtxWarp *warp, const PtxInstruction *in, guint operand, guint count);

G_END_DECLS
