/* SPDX-License-Identifier: MIT */
#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/number.h"

/* The approximate functions. The hardware's last bits are not documented; the results here are the rounded
 * exact values, so that they lie inside the bounds that the language gives, and the special cases are those
 * it lists. */

#define APPROXIMATE(name, expression)                                                                        \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, in->n_operands > 2 ? 2 : 1);     \
    const gboolean ftz = in->modifier[PTX_FTZ] != 0;                                                         \
    guint64 *d = ptx_result (warp, in);                                                                      \
    PTX_FOR_LANES (warp, l)                                                                                  \
    {                                                                                                        \
      const float x = ptx_float_operand (a[l], ftz), y = ptx_float_operand (b[l], ftz);                      \
      (void) y;                                                                                              \
      d[l] = ptx_float_result ((float) (expression), ftz);                                                   \
    }                                                                                                        \
    return PTX_NEXT;                                                                                         \
  }

/* Divides as div.approx does, by multiplying with the reciprocal, which for divisors above 2^126 is zero. */
static float
divide_approximately (float x, float y)
{
  if (fabsf (y) > 0x1p126f && !isinf (y))
    return isinf (x) ? NAN : copysignf (0, x) * copysignf (1, y);
  return x / y;
}

APPROXIMATE (exponential2, exp2 (x))
APPROXIMATE (logarithm2, log2 (x))
APPROXIMATE (sine, sin (x))
APPROXIMATE (cosine, cos (x))
APPROXIMATE (hyperbolic_tangent, tanh (x))
APPROXIMATE (reciprocal, 1 / x)
APPROXIMATE (reciprocal_root, 1 / sqrt (x))
APPROXIMATE (root, sqrt (x))
APPROXIMATE (quotient, divide_approximately (x, y))
APPROXIMATE (full_quotient, x / y)

/* Returns the upper half of a double, with subnormal numbers flushed: the coarse functions of f64 read and
 * return only that. */
static guint64
upper_half (guint64 bits)
{
  guint64 kept = bits & G_GUINT64_CONSTANT (0xffffffff00000000);
  gboolean subnormal = (kept >> 52 & 0x7ff) == 0;
  return subnormal ? kept & G_GUINT64_CONSTANT (0x8000000000000000) : kept;
}

static PtxStatus
coarse_reciprocal (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1);
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  d[l] = upper_half (ptx_double_bits (1 / ptx_bits_double (upper_half (a[l]))));
  return PTX_NEXT;
}

static PtxStatus
coarse_reciprocal_root (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1);
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  d[l] = upper_half (ptx_double_bits (1 / sqrt (ptx_bits_double (upper_half (a[l])))));
  return PTX_NEXT;
}

static PtxStatus
reciprocal_root_double (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1);
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  d[l] = ptx_double_bits (1 / sqrt (ptx_bits_double (a[l])));
  return PTX_NEXT;
}

#define FTZ PTX_M (FTZ)
#define F32 PTX_T (F32)
#define F64 PTX_T (F64)

const PtxRow ptx_rows_special_functions[] = {
  { "ex2.approx", FTZ, 0, F32, 0, "da", exponential2 },
  { "lg2.approx", FTZ, 0, F32, 0, "da", logarithm2 },
  { "sin.approx", FTZ, 0, F32, 0, "da", sine },
  { "cos.approx", FTZ, 0, F32, 0, "da", cosine },
  { "tanh.approx", 0, 0, F32, 0, "da", hyperbolic_tangent },
  { "rcp.approx", FTZ, 0, F32, 0, "da", reciprocal },
  { "rcp.approx.ftz", 0, 0, F64, 0, "da", coarse_reciprocal },
  { "rsqrt.approx", FTZ, 0, F32, 0, "da", reciprocal_root },
  { "rsqrt.approx", 0, 0, F64, 0, "da", reciprocal_root_double },
  { "rsqrt.approx.ftz", 0, 0, F64, 0, "da", coarse_reciprocal_root },
  { "sqrt.approx", FTZ, 0, F32, 0, "da", root },
  { "div.approx", FTZ, 0, F32, 0, "daa", quotient },
  { "div.full", FTZ, 0, F32, 0, "daa", full_quotient },
  { NULL },
};
