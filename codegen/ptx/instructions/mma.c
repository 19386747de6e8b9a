/* SPDX-License-Identifier: MIT */
#include "codegen/ptx/machine.h"
#include "codegen/ptx/instructions/matrix.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/number.h"

/* Products of matrices spread over the lanes of a warp (mma.sync), as the section "Warp-level Matrix
 * Instructions" of the PTX ISA lays them out. */

#define M 16
#define N 8
#define MOST_K 32

/* The elements of the factors: how many a register holds, and their values; @half says that sums are f16. */
typedef struct
{
  guint k;
  guint per_register;
  double (*a) (guint32 bits);
  double (*b) (guint32 bits);
  gboolean half;
} Factors;

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

static double
e5m2_value (guint32 bits)
{
  return ptx_e5m2_value (bits & 0xff);
}

/* Returns the value of a tf32 number; the lower 13 bits of the register are ignored. */
static double
tf32_value (guint32 bits)
{
  return (double) ptx_bits_float (bits & 0xffffe000u);
}

/* Reads A: registers go down the rows (l / 4, and 8 further), then along k. */
static void
read_a (const PtxWarp *warp, const PtxInstruction *in, const Factors *factors, double a[M][MOST_K])
{
  const guint n = factors->per_register, step = 4 * n, width = 32 / n;
  for (guint i = 0; i < in->operands[1].count; i++)
    {
      const guint64 *values = ptx_values (warp, in->operands[1].elements[i]);
      for (guint l = 0; l < PTX_LANES; l++)
        for (guint e = 0; e < n; e++)
          a[l / 4 + i % 2 * 8][l % 4 * n + e + i / 2 * step]
              = factors->a ((guint32) (values[l] >> width * e));
    }
}

/* Reads B: registers go along k; lane l has column l / 4. */
static void
read_b (const PtxWarp *warp, const PtxInstruction *in, const Factors *factors, double b[MOST_K][N])
{
  const guint n = factors->per_register, step = 4 * n, width = 32 / n;
  for (guint i = 0; i < in->operands[2].count; i++)
    {
      const guint64 *values = ptx_values (warp, in->operands[2].elements[i]);
      for (guint l = 0; l < PTX_LANES; l++)
        for (guint e = 0; e < n; e++)
          b[l % 4 * n + e + i * step][l / 4] = factors->b ((guint32) (values[l] >> width * e));
    }
}

/* Reads C, as D is written: two elements of row l / 4, then two of 8 rows further; a register has one in f32,
 * or two in f16. */
static void
read_c (const PtxWarp *warp, const PtxInstruction *in, gboolean half, double sums[M][N])
{
  const guint n = half ? 2 : 1;

  for (guint i = 0; i < in->operands[3].count; i++)
    {
      const guint64 *values = ptx_values (warp, in->operands[3].elements[i]);

      for (guint l = 0; l < PTX_LANES; l++)
        for (guint e = 0, at = i * n; e < n; e++, at++)
          sums[l / 4 + at / 2 * 8][l % 4 * 2 + at % 2]
              = half ? half_value ((guint32) (values[l] >> 16 * e)) : ptx_bits_float ((guint32) values[l]);
    }
}

static void
write_d (const PtxWarp *warp, const PtxInstruction *in, gboolean half, double sums[M][N])
{
  for (guint i = 0; i < in->operands[0].count; i++)
    {
      guint64 *to = ptx_register (warp, in->operands[0].elements[i]);

      for (guint l = 0; l < PTX_LANES; l++)
        if (half)
          to[l] = ptx_round_to_format (sums[l / 4 + i * 8][l % 4 * 2], &ptx_format_half, PTX_ROUND_NEAREST)
                  | (guint64) ptx_round_to_format (
                        sums[l / 4 + i * 8][l % 4 * 2 + 1], &ptx_format_half, PTX_ROUND_NEAREST)
                        << 16;
        else
          to[l] = ptx_float_bits ((float) sums[l / 4 + i / 2 * 8][l % 4 * 2 + i % 2]);
    }
}

/* Multiplies. The products are exact in double precision; their sum is rounded once, which is at least as
 * exact as the PTX ISA asks for. */
static PtxStatus
multiply (PtxWarp *warp, const PtxInstruction *in, const Factors *factors)
{
  double a[M][MOST_K], b[MOST_K][N], sums[M][N];
  const guint n_a = M * factors->k / PTX_LANES / factors->per_register, n_c = factors->half ? 2 : 4;
  const PtxStatus status = ptx_matrix_gather (warp, in);

  if (status != PTX_NEXT)
    return status;
  if (!ptx_matrix_check_count (warp, in, 0, n_c) || !ptx_matrix_check_count (warp, in, 1, n_a)
      || !ptx_matrix_check_count (warp, in, 2, n_a / 2) || !ptx_matrix_check_count (warp, in, 3, n_c))
    return PTX_FAILED;
  read_a (warp, in, factors, a);
  read_b (warp, in, factors, b);
  read_c (warp, in, factors->half, sums);
  for (guint row = 0; row < M; row++)
    for (guint k = 0; k < factors->k; k++)
      for (guint column = 0; column < N; column++)
        sums[row][column] += a[row][k] * b[k][column];
  write_d (warp, in, factors->half, sums);
  return PTX_NEXT;
}

#define PRODUCT(name, k, per_register, a, b, half)                                                           \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    static const Factors factors = { k, per_register, a, b, half };                                          \
    return multiply (warp, in, &factors);                                                                    \
  }

PRODUCT (multiply_half_16, 16, 2, half_value, half_value, FALSE)
PRODUCT (multiply_half_8, 8, 2, half_value, half_value, FALSE)
PRODUCT (multiply_bfloat_16, 16, 2, bfloat_value, bfloat_value, FALSE)
PRODUCT (multiply_bfloat_8, 8, 2, bfloat_value, bfloat_value, FALSE)
PRODUCT (multiply_tf32_8, 8, 1, tf32_value, tf32_value, FALSE)
PRODUCT (multiply_tf32_4, 4, 1, tf32_value, tf32_value, FALSE)
PRODUCT (multiply_e4m3_32, 32, 4, e4m3_value, e4m3_value, FALSE)
PRODUCT (multiply_e5m2_32, 32, 4, e5m2_value, e5m2_value, FALSE)
PRODUCT (multiply_e4m3_e5m2_32, 32, 4, e4m3_value, e5m2_value, FALSE)
PRODUCT (multiply_e5m2_e4m3_32, 32, 4, e5m2_value, e4m3_value, FALSE)

PRODUCT (multiply_half_16_to_half, 16, 2, half_value, half_value, TRUE)
PRODUCT (multiply_half_8_to_half, 8, 2, half_value, half_value, TRUE)

#define MMA_OF(shape, a, b, handler)                                                                         \
  {                                                                                                          \
    "mma.sync.aligned." shape ".row.col.f32." a "." b ".f32", 0, 0, 0, 0, "RSSS", handler,                   \
        PTX_UNDEFINED_FAILS                                                                                  \
  }
#define MMA(shape, a, handler) MMA_OF (shape, a, a, handler)
#define MMA_HALF(shape, handler)                                                                             \
  {                                                                                                          \
    "mma.sync.aligned." shape ".row.col.f16.f16.f16.f16", 0, 0, 0, 0, "RSSS", handler, PTX_UNDEFINED_FAILS   \
  }

const PtxRow ptx_rows_mma[] = {
  MMA ("m16n8k16", "f16", multiply_half_16),
  MMA ("m16n8k8", "f16", multiply_half_8),
  MMA ("m16n8k16", "bf16", multiply_bfloat_16),
  MMA ("m16n8k8", "bf16", multiply_bfloat_8),
  MMA ("m16n8k8", "tf32", multiply_tf32_8),
  MMA ("m16n8k4", "tf32", multiply_tf32_4),
  MMA ("m16n8k32", "e4m3", multiply_e4m3_32),
  MMA ("m16n8k32", "e5m2", multiply_e5m2_32),
  MMA_OF ("m16n8k32", "e4m3", "e5m2", multiply_e4m3_e5m2_32),
  MMA_OF ("m16n8k32", "e5m2", "e4m3", multiply_e5m2_e4m3_32),
  MMA_HALF ("m16n8k16", multiply_half_16_to_half),
  MMA_HALF ("m16n8k8", multiply_half_8_to_half),
  { NULL },
};
