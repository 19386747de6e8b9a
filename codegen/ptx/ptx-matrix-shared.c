/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/ptx/ptx-matrix-shared.h"
#include "codegen/ptx/ptx-number.h"

#define ROW_BYTES 128
#define ATOM_ROWS 8

/* Bits 4 to 6 of an address are exchanged with bits 7 to 9: the swizzle of 128 bytes. */
static guint64
swizzled (guint64 address)
{
  return address ^ (address >> 7 & 7) << 4;
}

/* Where element @k of row or column @i begins. */
static guint64
place (const PtxMatrix *self, guint i, guint k)
{
  guint row = self->along_k ? i : k, byte = 2 * (self->along_k ? k : i);
  return swizzled (self->start + byte / ROW_BYTES * self->leading + row / ATOM_ROWS * self->stride
                   + row % ATOM_ROWS * ROW_BYTES + byte % ROW_BYTES);
}

gboolean
ptx_matrix_read_descriptor (
    PtxWarp *warp, const PtxInstruction *in, guint operand, gboolean transposed, PtxMatrix *matrix)
{
  guint64 bits = ptx_source (warp, in, operand)[0];
  gboolean agree = TRUE;
  PTX_FOR_LANES (warp, l)
  agree = agree && ptx_source (warp, in, operand)[l] == bits;
  *matrix = (PtxMatrix){ (bits & 0x3fff) << 4, (bits >> 16 & 0x3fff) << 4, (bits >> 32 & 0x3fff) << 4,
    !transposed };
  if (agree && bits >> 62 == 1 && (bits >> 49 & 7) == 0)
    return TRUE;
  ptx_fail (warp, in, 0, HEDDLE_PTX_ERROR_UNKNOWN,
      agree ? _ ("a matrix that is not swizzled by 128 bytes from a whole pattern on")
            : _ ("the threads of a warp describe different matrices"));
  return FALSE;
}

/* So many elements, one after the other, are swizzled as one. */
#define UNIT 8

/* The unit that begins with an element, which every warp of the group agrees on; NULL with the error set where it must not be read. */
static const guint8 *
unit (PtxWarp *warp, const PtxInstruction *in, const PtxMatrix *matrix, guint i, guint k)
{
  return ptx_resolve (warp, in, PTX_SHARED, 0, place (matrix, i, k), 2 * UNIT, PTX_PROXY_READ);
}

double
ptx_matrix_value (const PtxInstruction *in, guint64 bits)
{
  return in->type == PTX_BF16 ? ptx_bfloat_value (bits & 0xffff) : ptx_half_value (bits & 0xffff);
}

/* @first and @n are multiples of a unit, as tiles of products are. */
gboolean
ptx_matrix_read (PtxWarp *warp, const PtxInstruction *in, const PtxMatrix *matrix, guint first, guint n,
    double (*values)[PTX_MATRIX_DEPTH])
{
  guint step_i = matrix->along_k ? 1 : UNIT, step_k = matrix->along_k ? UNIT : 1;

  for (guint i = 0; i < n; i += step_i)
    for (guint k = 0; k < PTX_MATRIX_DEPTH; k += step_k)
      {
        const guint8 *bytes = unit (warp, in, matrix, first + i, k);

        if (bytes == NULL)
          return FALSE;
        for (guint e = 0; e < UNIT; e++)
          values[i + (matrix->along_k ? 0 : e)][k + (matrix->along_k ? e : 0)]
              = ptx_matrix_value (in, ptx_load_bytes (bytes + 2 * e, 2));
      }
  return TRUE;
}
