/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/instructions/access.h"
#include "codegen/ptx/machine.h"
#include "codegen/ptx/matrix-shared.h"
#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/number.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/warp.h"

#define ATOM_ROWS 8

/* The number of bytes, one after the other, that are swizzled as one. */
#define UNIT_BYTES 16

guint
ptx_matrix_element_bytes (const PtxInstruction *in)
{
  return ptx_type_bits (in->type) / 8;
}

guint
ptx_matrix_depth (const PtxInstruction *in)
{
  return PTX_MATRIX_BYTES / ptx_matrix_element_bytes (in);
}

/* Returns the place at which element @k of row or column @i begins. */
static guint64
place (const PtxMatrix *self, guint bytes, guint i, guint k)
{
  const guint row = self->along_k ? i : k, byte = bytes * (self->along_k ? k : i);
  const guint length = self->swizzle != 0 ? self->swizzle : UNIT_BYTES;
  const gboolean exchanged = self->swizzle == 0 && !self->along_k;
  const guint64 address = self->start + byte / length * (exchanged ? self->stride : self->leading)
                          + row / ATOM_ROWS * (exchanged ? self->leading : self->stride)
                          + row % ATOM_ROWS * length + byte % length;

  return self->swizzle == 0 ? address : address ^ (address >> 7 & (self->swizzle / UNIT_BYTES - 1)) << 4;
}

gboolean
ptx_matrix_read_descriptor (
    PtxWarp *warp, const PtxInstruction *in, guint operand, gboolean transposed, PtxMatrix *matrix)
{
  static const guint8 swizzles[] = { 0, 128, 64, 32 };
  guint64 bits = ptx_source (warp, in, operand)[0];
  gboolean agree = TRUE;
  PTX_FOR_LANES (warp, l)
  agree = agree && ptx_source (warp, in, operand)[l] == bits;
  *matrix = (PtxMatrix){ (bits & 0x3fff) << 4, (bits >> 16 & 0x3fff) << 4, (bits >> 32 & 0x3fff) << 4,
    swizzles[bits >> 62], !transposed, operand == 2 && in->type2 != PTX_NONE ? in->type2 : in->type };
  if (agree && (bits >> 49 & 7) == 0)
    return TRUE;
  ptx_fail (warp, in, 0, HEDDLE_PTX_ERROR_UNKNOWN,
      agree ? _ ("a matrix whose swizzle does not begin with a whole pattern")
            : _ ("the threads of a warp describe different matrices"));
  return FALSE;
}

/* Returns the unit that begins with an element, on which every warp of the group agrees; NULL with the error
 * set if it must not be read. */
static const guint8 *
unit (PtxWarp *warp, const PtxInstruction *in, const PtxMatrix *matrix, guint i, guint k)
{
  guint64 address = place (matrix, ptx_matrix_element_bytes (in), i, k);
  return ptx_resolve (warp, in, PTX_SHARED, 0, address, UNIT_BYTES, PTX_PROXY_READ);
}

static double
half_value (guint bits)
{
  return ptx_half_value (bits);
}

/* Returns the value of a tf32 number; the lowest 13 bits are ignored. */
static double
tf32_value (guint bits)
{
  return (double) ptx_bits_float (bits & 0xffffe000u);
}

PtxMatrixValue
ptx_matrix_value_of (PtxType type)
{
  switch (type)
    {
    case PTX_E4M3:
      return ptx_e4m3_value;
    case PTX_E5M2:
      return ptx_e5m2_value;
    case PTX_TF32:
      return tf32_value;
    case PTX_BF16:
      return ptx_bfloat_value;
    default:
      return half_value;
    }
}

/* Converts the elements of a unit, @next apart in @values. Most matrices are of f16 or bf16, for which no
 * function is called. */
static void
convert_unit (const guint8 *bytes, PtxType type, guint size, double *values, gsize next)
{
  const guint length = UNIT_BYTES / size;
  const PtxMatrixValue value_of = ptx_matrix_value_of (type);
  guint16 words[UNIT_BYTES / 2];

  memcpy (words, bytes, sizeof words);
  if (type == PTX_F16)
    for (guint e = 0; e < G_N_ELEMENTS (words); e++)
      values[e * next] = ptx_half_value (words[e]);
  else if (type == PTX_BF16)
    for (guint e = 0; e < G_N_ELEMENTS (words); e++)
      values[e * next] = (double) ptx_bits_float ((guint32) words[e] << 16);
  else
    for (guint e = 0; e < length; e++)
      values[e * next] = value_of ((guint) ptx_load_bytes (bytes + size * e, size));
}

/* Reads rows or columns. @first and @n are multiples of a unit, as tiles of products are. */
gboolean
ptx_matrix_read (PtxWarp *warp, const PtxInstruction *in, const PtxMatrix *matrix, guint first, guint n,
    double *values, gsize step, gsize step_k)
{
  const guint size = ptx_matrix_element_bytes (in), depth = ptx_matrix_depth (in), length = UNIT_BYTES / size;
  const guint next_i = matrix->along_k ? 1 : length, next_k = matrix->along_k ? length : 1;
  const gsize next = matrix->along_k ? step_k : step;

  for (guint i = 0; i < n; i += next_i)
    for (guint k = 0; k < depth; k += next_k)
      {
        const guint8 *bytes = unit (warp, in, matrix, first + i, k);

        if (bytes == NULL)
          return FALSE;
        if (values != NULL)
          convert_unit (bytes, matrix->type, size, &values[i * step + k * step_k], next);
      }
  return TRUE;
}
