/* SPDX-License-Identifier: MIT */
#pragma once

/* Matrices in shared memory that a descriptor of 64 bits stands for, as in the sections "Matrix Descriptor
 * Format" and "Strides" of the PTX ISA. Products on an H200 (2026-11-26) read them the same way. */

#include "codegen/ptx/module.h"

/* The bytes of the sum that a product takes at a time, and the greatest number of terms in them: those of
 * 8-bit elements. */
#define PTX_MATRIX_BYTES 32
#define PTX_MATRIX_DEPTH 32

/* A matrix in shared memory, in rows of @swizzle bytes (128, 64 or 32) that are swizzled, or in pieces of 8
 * rows of 16 bytes that are not (0). @along_k: k is contiguous, else the other index is. @leading: from so
 * many bytes of the other index to the next, where those are contiguous; @stride: from 8 rows to the next 8.
 * Without a swizzle @leading goes from piece to piece along k, and @stride along the other index. @type: of
 * its elements. */
typedef struct
{
  guint64 start, leading, stride;
  guint swizzle;
  gboolean along_k;
  PtxType type;
} PtxMatrix;

/* Reads operand @operand of @in, a descriptor that all running lanes must share, into @matrix; @transposed
 * tells that k is not the contiguous index. Returns FALSE, with the error of the run set, where the lanes
 * disagree or the swizzle has an offset. */
gboolean ptx_matrix_read_descriptor (
    PtxWarp *warp, const PtxInstruction *in, guint operand, gboolean transposed, PtxMatrix *matrix);
/* Reads the values of @n rows or columns from @first on: @step apart in @values, and those along k @step_k.
 * Returns FALSE, with the error set, if one must not be read. If @values is NULL, only the fact that they are
 * read is recorded. */
gboolean ptx_matrix_read (PtxWarp *warp, const PtxInstruction *in, const PtxMatrix *matrix, guint first,
    guint n, double *values, gsize step, gsize step_k);
/* Returns the bytes of an element of the type of @in. */
guint ptx_matrix_element_bytes (const PtxInstruction *in);

/* Returns how many terms of the sum the product @in takes: as many elements as PTX_MATRIX_BYTES hold. */
guint ptx_matrix_depth (const PtxInstruction *in);
/* The value of an element by its bits, with zeros above. */
typedef double (*PtxMatrixValue) (guint bits);
/* Returns how elements of type @type are read. */
PtxMatrixValue ptx_matrix_value_of (PtxType type);
