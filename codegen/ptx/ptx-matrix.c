/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "codegen/ptx/ptx-machine.h"
#include "codegen/ptx/ptx-number.h"

/* Matrices of 8 rows of 16 bytes, and products of matrices spread over the lanes of a warp, as the section "Warp-level
 * Matrix Instructions" of the PTX ISA lays them out. */

#define N_ROWS 8
#define ROW_BYTES 16

/* These instructions are the warp's as a whole: lanes that branched off come back before it, for which PTX_JUMPED is returned. */
static PtxStatus
gather (PtxWarp *warp, const PtxInstruction *in)
{
  if (!ptx_warp_gather (warp, G_MAXUINT32))
    return PTX_JUMPED;
  if (warp->mask == G_MAXUINT32)
    return PTX_NEXT;
  return ptx_fail (warp, in, (guint) __builtin_ctz (warp->mask), HEDDLE_PTX_ERROR_TRAP,
      _ ("not all lanes of the warp execute it"));
}

static gboolean
check_count (PtxWarp *warp, const PtxInstruction *in, guint operand, guint count)
{
  if (in->operands[operand].count == count)
    return TRUE;
  ptx_fail (warp, in, 0, HEDDLE_PTX_ERROR_SYNTAX, _ ("a vector of %u where %u are wanted"),
      in->operands[operand].count, count);
  return FALSE;
}

/* --- rows in shared memory --- */

/* The rows of matrix @matrix: lane 8 * matrix + r has the address of row r. */
static gboolean
find_rows (PtxWarp *warp, const PtxInstruction *in, guint matrix, const guint8 *rows[N_ROWS])
{
  PtxTraffic traffic = { .size = ROW_BYTES };
  for (guint r = 0; r < N_ROWS; r++)
    {
      guint lane = matrix * N_ROWS + r;
      guint64 address = ptx_source (warp, in, 1)[lane] + (guint64) in->operands[1].offset;
      rows[r] = ptx_resolve (warp, in, in->modifier[PTX_SPACE], lane, address, ROW_BYTES, PTX_READ);
      if (rows[r] == NULL)
        return FALSE;
      traffic.shared[traffic.n_shared++] = address;
    }
  ptx_traffic_count (&traffic, &warp->run->stats);
  return TRUE;
}

/* Lane l gets elements 2 (l % 4) and the next of row l / 4; transposed, those of column l / 4. */
static guint64
fragment_of (const guint8 *rows[N_ROWS], guint lane, gboolean transposed)
{
  guint major = lane / 4, minor = lane % 4 * 2;
  if (!transposed)
    return ptx_load_bytes (rows[major] + 2 * minor, 4);
  return ptx_load_bytes (rows[minor] + 2 * major, 2) | ptx_load_bytes (rows[minor + 1] + 2 * major, 2) << 16;
}

static PtxStatus
load_matrices (PtxWarp *warp, const PtxInstruction *in, guint count, gboolean transposed)
{
  guint64 fragments[4][PTX_LANES];
  const PtxStatus status = gather (warp, in);

  if (status != PTX_NEXT)
    return status;
  if (!check_count (warp, in, 0, count))
    return PTX_FAILED;
  for (guint m = 0; m < count; m++)
    {
      const guint8 *rows[N_ROWS];
      if (!find_rows (warp, in, m, rows))
        return PTX_FAILED;
      for (guint l = 0; l < PTX_LANES; l++)
        fragments[m][l] = fragment_of (rows, l, transposed);
    }
  for (guint m = 0; m < count; m++)
    for (guint l = 0; l < PTX_LANES; l++)
      ptx_register (warp, in->operands[0].elements[m])[l] = fragments[m][l];
  return PTX_NEXT;
}

#define LOAD(name, count, transposed)                                                                        \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    return load_matrices (warp, in, count, transposed);                                                      \
  }

LOAD (load_1, 1, FALSE)
LOAD (load_2, 2, FALSE)
LOAD (load_4, 4, FALSE)
LOAD (load_1_transposed, 1, TRUE)
LOAD (load_2_transposed, 2, TRUE)
LOAD (load_4_transposed, 4, TRUE)

static PtxStatus
transpose (PtxWarp *warp, const PtxInstruction *in)
{
  guint16 matrix[N_ROWS][N_ROWS];
  const guint64 *a = ptx_source (warp, in, 1);
  guint64 *d = ptx_result (warp, in);
  const PtxStatus status = gather (warp, in);

  if (status != PTX_NEXT)
    return status;
  for (guint l = 0; l < PTX_LANES; l++)
    for (guint e = 0; e < 2; e++)
      matrix[l / 4][l % 4 * 2 + e] = (guint16) (a[l] >> 16 * e);
  for (guint l = 0; l < PTX_LANES; l++)
    d[l] = (guint64) matrix[l % 4 * 2][l / 4] | (guint64) matrix[l % 4 * 2 + 1][l / 4] << 16;
  return PTX_NEXT;
}

/* --- products --- */

#define M 16
#define N 8
#define MOST_K 32

/* What an element of a factor is: how many a register holds, and its value. */
typedef struct
{
  guint k;
  guint per_register;
  double (*value) (guint32 bits);
} Factor;

static double
half_value (guint32 bits)
{
  return ptx_half_value (bits & 0xffff);
}

static double
bfloat_value (guint32 bits)
{
  return ptx_bfloat_value (bits & 0xffff);
}

static double
e4m3_value (guint32 bits)
{
  return ptx_e4m3_value (bits & 0xff);
}

/* The lower 13 bits of the register are ignored. */
static double
tf32_value (guint32 bits)
{
  return (double) ptx_bits_float (bits & 0xffffe000u);
}

/* A: registers go down the rows (l / 4, and 8 further), then along k. */
static void
read_a (const PtxWarp *warp, const PtxInstruction *in, const Factor *factor, double a[M][MOST_K])
{
  const guint n = factor->per_register, step = 4 * n, width = 32 / n;
  for (guint i = 0; i < in->operands[1].count; i++)
    {
      const guint64 *values = ptx_values (warp, in->operands[1].elements[i]);
      for (guint l = 0; l < PTX_LANES; l++)
        for (guint e = 0; e < n; e++)
          a[l / 4 + i % 2 * 8][l % 4 * n + e + i / 2 * step]
              = factor->value ((guint32) (values[l] >> width * e));
    }
}

/* B: registers go along k; lane l has column l / 4. */
static void
read_b (const PtxWarp *warp, const PtxInstruction *in, const Factor *factor, double b[MOST_K][N])
{
  const guint n = factor->per_register, step = 4 * n, width = 32 / n;
  for (guint i = 0; i < in->operands[2].count; i++)
    {
      const guint64 *values = ptx_values (warp, in->operands[2].elements[i]);
      for (guint l = 0; l < PTX_LANES; l++)
        for (guint e = 0; e < n; e++)
          b[l % 4 * n + e + i * step][l / 4] = factor->value ((guint32) (values[l] >> width * e));
    }
}

/* C and D: two elements of row l / 4, then two of 8 rows further. The products are exact in double precision; their sum
 * is rounded once, which is at least as exact as the PTX ISA asks for. */
static PtxStatus
multiply (PtxWarp *warp, const PtxInstruction *in, const Factor *factor)
{
  double a[M][MOST_K], b[MOST_K][N];
  const guint n_a = M * factor->k / PTX_LANES / factor->per_register;
  double sums[M][N];
  const PtxStatus status = gather (warp, in);

  if (status != PTX_NEXT)
    return status;
  if (!check_count (warp, in, 0, 4) || !check_count (warp, in, 1, n_a) || !check_count (warp, in, 2, n_a / 2)
      || !check_count (warp, in, 3, 4))
    return PTX_FAILED;
  read_a (warp, in, factor, a);
  read_b (warp, in, factor, b);
  for (guint i = 0; i < 4; i++)
    {
      const guint64 *addend = ptx_values (warp, in->operands[3].elements[i]);
      for (guint l = 0; l < PTX_LANES; l++)
        sums[l / 4 + i / 2 * 8][l % 4 * 2 + i % 2] = ptx_bits_float ((guint32) addend[l]);
    }
  for (guint row = 0; row < M; row++)
    for (guint k = 0; k < factor->k; k++)
      for (guint column = 0; column < N; column++)
        sums[row][column] += a[row][k] * b[k][column];
  for (guint i = 0; i < 4; i++)
    {
      guint64 *to = ptx_register (warp, in->operands[0].elements[i]);
      for (guint l = 0; l < PTX_LANES; l++)
        to[l] = ptx_float_bits ((float) sums[l / 4 + i / 2 * 8][l % 4 * 2 + i % 2]);
    }
  return PTX_NEXT;
}

#define PRODUCT(name, k, per_register, value)                                                                \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    static const Factor factor = { k, per_register, value };                                                 \
    return multiply (warp, in, &factor);                                                                     \
  }

PRODUCT (multiply_half_16, 16, 2, half_value)
PRODUCT (multiply_half_8, 8, 2, half_value)
PRODUCT (multiply_bfloat_16, 16, 2, bfloat_value)
PRODUCT (multiply_bfloat_8, 8, 2, bfloat_value)
PRODUCT (multiply_tf32_8, 8, 1, tf32_value)
PRODUCT (multiply_tf32_4, 4, 1, tf32_value)
PRODUCT (multiply_e4m3_32, 32, 4, e4m3_value)

#define LDMATRIX(tail, handler)                                                                              \
  {                                                                                                          \
    "ldmatrix.sync.aligned.m8n8." tail, PTX_M (SPACE), 0, PTX_T (B16), 0, "Rm", handler, PTX_UNDEFINED_FAILS \
  }
#define MMA(shape, a, handler)                                                                               \
  {                                                                                                          \
    "mma.sync.aligned." shape ".row.col.f32." a "." a ".f32", 0, 0, 0, 0, "RSSS", handler,                   \
        PTX_UNDEFINED_FAILS                                                                                  \
  }

const PtxRow ptx_rows_matrix[] = {
  LDMATRIX ("x1", load_1),
  LDMATRIX ("x2", load_2),
  LDMATRIX ("x4", load_4),
  LDMATRIX ("x1.trans", load_1_transposed),
  LDMATRIX ("x2.trans", load_2_transposed),
  LDMATRIX ("x4.trans", load_4_transposed),
  { "movmatrix.sync.aligned.m8n8.trans", 0, 0, PTX_T (B16), 0, "Uu", transpose, PTX_UNDEFINED_FAILS },
  MMA ("m16n8k16", "f16", multiply_half_16),
  MMA ("m16n8k8", "f16", multiply_half_8),
  MMA ("m16n8k16", "bf16", multiply_bfloat_16),
  MMA ("m16n8k8", "bf16", multiply_bfloat_8),
  MMA ("m16n8k8", "tf32", multiply_tf32_8),
  MMA ("m16n8k4", "tf32", multiply_tf32_4),
  MMA ("m16n8k32", "e4m3", multiply_e4m3_32),
  { NULL },
};
