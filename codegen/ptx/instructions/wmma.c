/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "codegen/ptx/instructions/access.h"
#include "codegen/ptx/instructions/matrix.h"
#include "codegen/ptx/machine.h"
#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/number.h"

/* Products whose fragments are not specified (wmma), as the section "Warp-level Matrix Multiply-Accumulate
 * Instructions" of the PTX ISA has them. Here elements go row by row over the lanes and then over the
 * registers, and begin anew where a fragment has room for more. */

#define MOST_ELEMENTS 512

/* A matrix of a product: its rows and columns, and whether rows are contiguous in memory. */
typedef struct
{
  guint rows, columns;
  gboolean by_rows;
} Matrix;

/* Returns the matrix of a name such as "wmma.load.a.sync.aligned.row.m16n16k16": matrix @which of the product
 * is m x k, k x n or m x n. */
static Matrix
matrix_of (const PtxInstruction *in, char which)
{
  guint m = 0, n = 0, k = 0;
  const char *shape = strstr (in->row->name, ".m");

  while (!g_ascii_isdigit (shape[2])) /* the ".mma" of a product comes before its ".m16n16k16" */
    shape = strstr (shape + 2, ".m");
  sscanf (shape, ".m%un%uk%u", &m, &n, &k);
  return (Matrix){ which == 'b' ? k : m, which == 'a' ? k : n, strstr (in->row->name, ".row") != NULL };
}

/* Returns how many elements are in a register. */
static guint
per_register (PtxType type)
{
  return type == PTX_F32 ? 1 : 2;
}

static double
value_of (PtxType type, guint64 bits)
{
  return type == PTX_F32    ? (double) ptx_bits_float ((guint32) bits)
         : type == PTX_BF16 ? ptx_bfloat_value (bits & 0xffff)
                            : ptx_half_value (bits & 0xffff);
}

/* Returns which element of a matrix of @size is number @e of @n in register @i of a lane. */
static guint
index_of (guint i, guint lane, guint e, guint n, guint size)
{
  return ((i * PTX_LANES + lane) * n + e) % size;
}

/* --- between memory and registers --- */

static guint8 *
find (PtxWarp *warp, const PtxInstruction *in, guint operand, guint lane, const Matrix *matrix, guint index,
    PtxAccess access)
{
  const guint size = ptx_type_bits (in->type) / 8, last = in->n_operands - 1u;
  const guint row = index / matrix->columns, column = index % matrix->columns;
  guint64 stride = matrix->by_rows ? matrix->columns : matrix->rows;
  guint64 address = ptx_source (warp, in, operand)[lane] + (guint64) in->operands[operand].offset;

  if (last == 2)
    stride = ptx_source (warp, in, last)[lane];
  address += size * (matrix->by_rows ? row * stride + column : column * stride + row);
  return ptx_resolve (warp, in, in->modifier[PTX_SPACE], lane, address, size, access);
}

static PtxStatus
move (PtxWarp *warp, const PtxInstruction *in, guint fragment, guint memory, PtxAccess access)
{
  const char which = in->row->name[strlen (access == PTX_READ ? "wmma.load." : "wmma.store.")];
  const Matrix matrix = matrix_of (in, which);
  const guint n = per_register (in->type), bits = 32 / n, size = matrix.rows * matrix.columns;
  const PtxOperand *registers = &in->operands[fragment];
  const PtxStatus status = ptx_matrix_gather (warp, in);

  if (status != PTX_NEXT)
    return status;
  if (registers->count * n * PTX_LANES < size || registers->count * n * PTX_LANES > MOST_ELEMENTS)
    {
      ptx_matrix_check_count (warp, in, fragment, size / n / PTX_LANES);
      return PTX_FAILED;
    }
  for (guint i = 0; i < registers->count; i++)
    for (guint l = 0; l < PTX_LANES; l++)
      for (guint e = 0; e < n; e++)
        {
          guint64 *value = &ptx_register (warp, registers->elements[i])[l];
          guint8 *bytes = find (warp, in, memory, l, &matrix, index_of (i, l, e, n, size), access);

          if (bytes == NULL)
            return PTX_FAILED;
          if (access == PTX_WRITE)
            ptx_store_bytes (bytes, bits / 8, *value >> bits * e);
          else
            *value = (e == 0 ? 0 : *value) | ptx_load_bytes (bytes, bits / 8) << bits * e;
        }
  return PTX_NEXT;
}

static PtxStatus
load (PtxWarp *warp, const PtxInstruction *in)
{
  return move (warp, in, 0, 1, PTX_READ);
}

static PtxStatus
store (PtxWarp *warp, const PtxInstruction *in)
{
  return move (warp, in, 1, 0, PTX_WRITE);
}

/* --- products --- */

static gboolean
read_fragment (
    PtxWarp *warp, const PtxInstruction *in, guint operand, PtxType type, guint size, double *values)
{
  const guint n = per_register (type);
  const PtxOperand *registers = &in->operands[operand];

  if (registers->count * n * PTX_LANES < size || registers->count * n * PTX_LANES > MOST_ELEMENTS)
    return ptx_matrix_check_count (warp, in, operand, size / n / PTX_LANES);
  for (guint i = 0; i < registers->count; i++)
    for (guint l = 0; l < PTX_LANES; l++)
      for (guint e = 0; e < n; e++)
        values[index_of (i, l, e, n, size)]
            = value_of (type, ptx_values (warp, registers->elements[i])[l] >> 16 * e);
  return TRUE;
}

static void
write_fragment (PtxWarp *warp, const PtxInstruction *in, PtxType type, guint size, const double *values)
{
  const guint n = per_register (type);
  const PtxOperand *registers = &in->operands[0];

  for (guint i = 0; i < registers->count; i++)
    for (guint l = 0; l < PTX_LANES; l++)
      {
        guint64 bits = 0;

        for (guint e = 0; e < n; e++)
          {
            const double value = values[index_of (i, l, e, n, size)];

            bits |= type == PTX_F32
                        ? ptx_float_bits ((float) value)
                        : (guint64) ptx_round_to_format (value, &ptx_format_half, PTX_ROUND_NEAREST)
                              << 16 * e;
          }
        ptx_register (warp, registers->elements[i])[l] = bits;
      }
}

/* Multiplies. The type of the result is the instruction's first, that of the addend its second. */
static PtxStatus
multiply (PtxWarp *warp, const PtxInstruction *in, PtxType factors)
{
  const Matrix a = matrix_of (in, 'a'), b = matrix_of (in, 'b');
  const guint size = a.rows * b.columns;
  double left[MOST_ELEMENTS], right[MOST_ELEMENTS], sums[MOST_ELEMENTS];
  const PtxStatus status = ptx_matrix_gather (warp, in);

  if (status != PTX_NEXT)
    return status;
  if (!read_fragment (warp, in, 1, factors, a.rows * a.columns, left)
      || !read_fragment (warp, in, 2, factors, b.rows * b.columns, right)
      || !read_fragment (warp, in, 3, in->type2, size, sums)
      || !ptx_matrix_check_count (warp, in, 0, size / per_register (in->type) / PTX_LANES))
    return PTX_FAILED;
  for (guint row = 0; row < a.rows; row++)
    for (guint k = 0; k < a.columns; k++)
      for (guint column = 0; column < b.columns; column++)
        sums[row * b.columns + column] += left[row * a.columns + k] * right[k * b.columns + column];
  write_fragment (warp, in, in->type, size, sums);
  return PTX_NEXT;
}

static PtxStatus
multiply_halves (PtxWarp *warp, const PtxInstruction *in)
{
  return multiply (warp, in, PTX_F16);
}

#define F16 PTX_T (F16)
#define F32 PTX_T (F32)
#define SPACE PTX_M (SPACE)
#define MOVE(name, types, operands, handler)                                                                 \
  {                                                                                                          \
    "wmma." name, SPACE, 0, types, 0, operands, handler, PTX_UNDEFINED_FAILS                                 \
  }
#define MULTIPLY(layouts, shape)                                                                             \
  {                                                                                                          \
    "wmma.mma.sync.aligned." layouts "." shape, 0, 0, F16 | F32, F16 | F32, "RSSS", multiply_halves,         \
        PTX_UNDEFINED_FAILS                                                                                  \
  }
#define OF_LAYOUT(layout, shape)                                                                             \
  MOVE ("load.a.sync.aligned." layout "." shape, F16, "Rm/Rmu", load),                                       \
      MOVE ("load.b.sync.aligned." layout "." shape, F16, "Rm/Rmu", load),                                   \
      MOVE ("load.c.sync.aligned." layout "." shape, F16 | F32, "Rm/Rmu", load),                             \
      MOVE ("store.d.sync.aligned." layout "." shape, F16 | F32, "mS/mSu", store),                           \
      MULTIPLY (layout ".row", shape), MULTIPLY (layout ".col", shape)
#define OF_SHAPE(shape) OF_LAYOUT ("row", shape), OF_LAYOUT ("col", shape)

const PtxRow ptx_rows_wmma[] = {
  OF_SHAPE ("m16n16k16"),
  OF_SHAPE ("m32n8k16"),
  OF_SHAPE ("m8n32k16"),
  { NULL },
};
