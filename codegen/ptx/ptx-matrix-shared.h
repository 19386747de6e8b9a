/* SPDX-License-Identifier: MIT */
#pragma once

/* Matrices in shared memory that a descriptor of 64 bits stands for, as in the sections "Matrix Descriptor Format" and "Strides" of the PTX
 * ISA. Which layouts they are was not confirmed on hardware. */

#include "codegen/ptx/ptx-machine.h"

G_BEGIN_DECLS

/* The depth of a product of 16-bit elements. */
#define PTX_MATRIX_DEPTH 16

/* A matrix in shared memory: 16-bit elements, in rows of 128 bytes. @along_k: k is contiguous, else the other index is. @leading: from 64
 * elements of the other index to the next, where those are contiguous; @stride: from 8 rows to the next 8. */
typedef struct
{
  guint64 start, leading, stride;
  gboolean along_k;
} PtxMatrix;

gboolean ptx_matrix_read_descriptor (
    PtxWarp *warp, const PtxInstruction *in, guint operand, gboolean transposed, PtxMatrix *matrix);
/* The values of @n rows or columns from @first on; FALSE, with the error set, where one must not be read. */
gboolean ptx_matrix_read (PtxWarp *warp, const PtxInstruction *in, const PtxMatrix *matrix, guint first,
    guint n, double (*values)[PTX_MATRIX_DEPTH]);
/* The value of 16 bits of the instruction's type. */
double ptx_matrix_value (const PtxInstruction *in, guint64 bits);

G_END_DECLS
