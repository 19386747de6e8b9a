/* SPDX-License-Identifier: MIT */
#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/number.h"

/* Arithmetic of f32 and f64 that IEEE 754 defines: every operation rounds once, to its own type. */

static gboolean
flushes (const PtxInstruction *in)
{
  return in->modifier[PTX_FTZ] != 0;
}

/* Returns whether the operation rounds to nearest and does not saturate, as is nearly always so. */
static gboolean
is_plain (const PtxInstruction *in)
{
  return in->modifier[PTX_ROUND] <= PTX_ROUND_NEAREST && in->modifier[PTX_SATURATE] == 0;
}

static float
saturate (float value)
{
  return value > 0 ? MIN (value, 1.0f) : 0.0f;
}

/* Computes the operations with a rounding direction or with saturation. */
static PtxStatus
float_slowly (PtxWarp *warp, const PtxInstruction *in, PtxArithmetic operation)
{
  const guint n = in->n_operands - 1u;
  const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, MIN (2, n));
  const guint64 *c = ptx_source (warp, in, MIN (3, n));
  const gboolean ftz = flushes (in), limited = in->modifier[PTX_SATURATE] != 0;
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    float value = ptx_float_rounded (operation, ptx_float_operand (a[l], ftz), ptx_float_operand (b[l], ftz),
        ptx_float_operand (c[l], ftz), in->modifier[PTX_ROUND]);
    d[l] = ptx_float_result (limited ? saturate (value) : value, ftz);
  }
  return PTX_NEXT;
}

#define FLOAT(name, operation, expression)                                                                   \
  static PtxStatus name##_float (PtxWarp *warp, const PtxInstruction *in)                                    \
  {                                                                                                          \
    const guint n = in->n_operands - 1u;                                                                     \
    const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, MIN (2, n));                     \
    const guint64 *c = ptx_source (warp, in, MIN (3, n));                                                    \
    const gboolean ftz = flushes (in);                                                                       \
    guint64 *d = ptx_result (warp, in);                                                                      \
    if (!is_plain (in))                                                                                      \
      return float_slowly (warp, in, operation);                                                             \
    PTX_FOR_LANES (warp, l)                                                                                  \
    {                                                                                                        \
      const float x = ptx_float_operand (a[l], ftz), y = ptx_float_operand (b[l], ftz);                      \
      const float z = ptx_float_operand (c[l], ftz);                                                         \
      (void) y, (void) z;                                                                                    \
      d[l] = ptx_float_result (expression, ftz);                                                             \
    }                                                                                                        \
    return PTX_NEXT;                                                                                         \
  }

#define DOUBLE(name, operation, expression)                                                                  \
  static PtxStatus name##_double (PtxWarp *warp, const PtxInstruction *in)                                   \
  {                                                                                                          \
    const guint n = in->n_operands - 1u;                                                                     \
    const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, MIN (2, n));                     \
    const guint64 *c = ptx_source (warp, in, MIN (3, n));                                                    \
    const gboolean plain = is_plain (in);                                                                    \
    guint64 *d = ptx_result (warp, in);                                                                      \
    PTX_FOR_LANES (warp, l)                                                                                  \
    {                                                                                                        \
      const double x = ptx_bits_double (a[l]), y = ptx_bits_double (b[l]), z = ptx_bits_double (c[l]);       \
      (void) y, (void) z;                                                                                    \
      d[l] = ptx_double_bits (                                                                               \
          plain ? (expression) : ptx_double_rounded (operation, x, y, z, in->modifier[PTX_ROUND]));          \
    }                                                                                                        \
    return PTX_NEXT;                                                                                         \
  }

FLOAT (add, PTX_ADD, x + y)
FLOAT (subtract, PTX_SUBTRACT, x - y)
FLOAT (multiply, PTX_MULTIPLY, (x * y))
FLOAT (fused, PTX_FMA, fmaf (x, y, z))
FLOAT (divide, PTX_DIVIDE, x / y)
FLOAT (square_root, PTX_SQUARE_ROOT, sqrtf (x))
DOUBLE (add, PTX_ADD, x + y)
DOUBLE (subtract, PTX_SUBTRACT, x - y)
DOUBLE (multiply, PTX_MULTIPLY, (x * y))
DOUBLE (fused, PTX_FMA, fma (x, y, z))
DOUBLE (divide, PTX_DIVIDE, x / y)
DOUBLE (square_root, PTX_SQUARE_ROOT, sqrt (x))

/* Computes the reciprocal: it is a division whose direction counts as well. */
static PtxStatus
reciprocal_float (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1);
  const gboolean ftz = flushes (in), plain = is_plain (in);
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    const float x = ptx_float_operand (a[l], ftz);
    d[l] = ptx_float_result (
        plain ? 1 / x : ptx_float_rounded (PTX_DIVIDE, 1, x, 0, in->modifier[PTX_ROUND]), ftz);
  }
  return PTX_NEXT;
}

static PtxStatus
reciprocal_double (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1);
  const gboolean plain = is_plain (in);
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    const double x = ptx_bits_double (a[l]);
    d[l]
        = ptx_double_bits (plain ? 1 / x : ptx_double_rounded (PTX_DIVIDE, 1, x, 0, in->modifier[PTX_ROUND]));
  }
  return PTX_NEXT;
}

/* Returns the larger of two: of a number and NaN it is the number, and +0 is larger than -0. */
static double
larger (double x, double y)
{
  if (isnan (x))
    return y;
  if (x == y)
    return signbit (x) ? y : x;
  return x < y ? y : x;
}

static double
smaller (double x, double y)
{
  if (isnan (x))
    return y;
  if (x == y)
    return signbit (x) ? x : y;
  return x > y ? y : x;
}

/* Returns the minimum or maximum. With xorsign magnitudes are compared, and the result has the sign of the
 * product. */
static double
select_extreme (const PtxInstruction *in, double x, double y, double (*extreme) (double, double))
{
  if (in->modifier[PTX_NAN] != 0 && (isnan (x) || isnan (y)))
    return (double) NAN;
  if (in->modifier[PTX_XORSIGN] == 0)
    return extreme (x, y);
  double value = extreme (fabs (x), fabs (y));
  return (signbit (x) != 0) != (signbit (y) != 0) ? -value : value;
}

static PtxStatus
extreme_float (PtxWarp *warp, const PtxInstruction *in, double (*extreme) (double, double))
{
  const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, 2);
  const gboolean ftz = flushes (in);
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    double value = select_extreme (in, ptx_float_operand (a[l], ftz), ptx_float_operand (b[l], ftz), extreme);
    d[l] = ptx_float_result ((float) value, ftz);
  }
  return PTX_NEXT;
}

static PtxStatus
minimum_float (PtxWarp *warp, const PtxInstruction *in)
{
  return extreme_float (warp, in, smaller);
}

static PtxStatus
maximum_float (PtxWarp *warp, const PtxInstruction *in)
{
  return extreme_float (warp, in, larger);
}

/* The sign is a bit of its own: negation and the like change it even of what is no number. */
#define SIGN(name, expression32, expression64)                                                               \
  static PtxStatus name##_float (PtxWarp *warp, const PtxInstruction *in)                                    \
  {                                                                                                          \
    const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, in->n_operands > 2 ? 2 : 1);     \
    guint64 *d = ptx_result (warp, in);                                                                      \
    const gboolean ftz = flushes (in);                                                                       \
    PTX_FOR_LANES (warp, l)                                                                                  \
    {                                                                                                        \
      const guint32 x = ftz ? ptx_flush_bits ((guint32) a[l]) : (guint32) a[l], y = (guint32) b[l];          \
      (void) y;                                                                                              \
      d[l] = (guint32) (expression32);                                                                       \
    }                                                                                                        \
    return PTX_NEXT;                                                                                         \
  }                                                                                                          \
  static PtxStatus name##_double (PtxWarp *warp, const PtxInstruction *in)                                   \
  {                                                                                                          \
    const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, in->n_operands > 2 ? 2 : 1);     \
    guint64 *d = ptx_result (warp, in);                                                                      \
    PTX_FOR_LANES (warp, l)                                                                                  \
    {                                                                                                        \
      const guint64 x = a[l], y = b[l];                                                                      \
      (void) y;                                                                                              \
      d[l] = (expression64);                                                                                 \
    }                                                                                                        \
    return PTX_NEXT;                                                                                         \
  }

#define SIGN32 0x80000000u
#define SIGN64 G_GUINT64_CONSTANT (0x8000000000000000)

SIGN (negate, x ^ SIGN32, x ^ SIGN64)
SIGN (absolute, x & ~SIGN32, x & ~SIGN64)
SIGN (copy_sign, (x & SIGN32) | (y & ~SIGN32), (x & SIGN64) | (y & ~SIGN64))

#define DOUBLE_EXTREME(name, extreme)                                                                        \
  static PtxStatus name##_double (PtxWarp *warp, const PtxInstruction *in)                                   \
  {                                                                                                          \
    const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, 2);                              \
    guint64 *d = ptx_result (warp, in);                                                                      \
    PTX_FOR_LANES (warp, l)                                                                                  \
    d[l] = ptx_double_bits (extreme (ptx_bits_double (a[l]), ptx_bits_double (b[l])));                       \
    return PTX_NEXT;                                                                                         \
  }

DOUBLE_EXTREME (minimum, smaller)
DOUBLE_EXTREME (maximum, larger)

#define ROUND PTX_M (ROUND)
#define FLOAT_MODIFIERS (PTX_M (ROUND) | PTX_M (FTZ) | PTX_M (SATURATE))
#define EXTREME_MODIFIERS (PTX_M (FTZ) | PTX_M (NAN) | PTX_M (XORSIGN))
#define F32 PTX_T (F32)
#define F64 PTX_T (F64)

/* The rows of the instructions. If the language demands a rounding direction and no other way is given, the
 * row needs it. */
const PtxRow ptx_rows_float[] = {
  { "add", FLOAT_MODIFIERS, 0, F32, 0, "daa", add_float },
  { "add", ROUND, 0, F64, 0, "daa", add_double },
  { "sub", FLOAT_MODIFIERS, 0, F32, 0, "daa", subtract_float },
  { "sub", ROUND, 0, F64, 0, "daa", subtract_double },
  { "mul", FLOAT_MODIFIERS, 0, F32, 0, "daa", multiply_float },
  { "mul", ROUND, 0, F64, 0, "daa", multiply_double },
  { "fma", FLOAT_MODIFIERS, ROUND, F32, 0, "daaa", fused_float },
  { "fma", 0, ROUND, F64, 0, "daaa", fused_double },
  { "mad", FLOAT_MODIFIERS, ROUND, F32, 0, "daaa", fused_float },
  { "mad", 0, ROUND, F64, 0, "daaa", fused_double },
  { "div", PTX_M (FTZ), ROUND, F32, 0, "daa", divide_float },
  { "div", 0, ROUND, F64, 0, "daa", divide_double },
  { "sqrt", PTX_M (FTZ), ROUND, F32, 0, "da", square_root_float },
  { "sqrt", 0, ROUND, F64, 0, "da", square_root_double },
  { "rcp", PTX_M (FTZ), ROUND, F32, 0, "da", reciprocal_float },
  { "rcp", 0, ROUND, F64, 0, "da", reciprocal_double },
  { "min", EXTREME_MODIFIERS, 0, F32, 0, "daa", minimum_float },
  { "min", 0, 0, F64, 0, "daa", minimum_double },
  { "max", EXTREME_MODIFIERS, 0, F32, 0, "daa", maximum_float },
  { "max", 0, 0, F64, 0, "daa", maximum_double },
  { "neg", PTX_M (FTZ), 0, F32, 0, "da", negate_float },
  { "neg", 0, 0, F64, 0, "da", negate_double },
  { "abs", PTX_M (FTZ), 0, F32, 0, "da", absolute_float },
  { "abs", 0, 0, F64, 0, "da", absolute_double },
  { "copysign", 0, 0, F32, 0, "daa", copy_sign_float },
  { "copysign", 0, 0, F64, 0, "daa", copy_sign_double },
  { NULL },
};
