/* SPDX-License-Identifier: MIT */
#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/number.h"

/* Arithmetic of f16 and bf16, alone and in pairs. An operation is computed in double precision, exactly or
 * rounded to odd, and then rounded once. */

typedef struct
{
  guint count;
  gboolean bfloat;
} Shape;

static Shape
shape_of (PtxType type)
{
  return (Shape){ type == PTX_F16X2 || type == PTX_BF16X2 ? 2 : 1, type == PTX_BF16 || type == PTX_BF16X2 };
}

/* Returns the @i-th element of a pair, flushed to zero if the instruction says so. */
static double
element (const PtxInstruction *in, Shape shape, guint64 bits, guint i)
{
  guint half = (guint) (bits >> 16 * i) & 0xffff;
  double value = shape.bfloat ? ptx_bfloat_value (half) : ptx_half_value (half);
  double least = shape.bfloat ? 0x1p-126 : 0x1p-14;
  return in->modifier[PTX_FTZ] != 0 && fabs (value) < least ? copysign (0, value) : value;
}

static guint
to_half (const PtxInstruction *in, Shape shape, double value)
{
  if (in->modifier[PTX_SATURATE] != 0)
    value = value > 0 ? MIN (value, 1) : 0;
  if (in->modifier[PTX_RELU] != 0 && value < 0)
    value = 0;
  guint bits
      = ptx_round_to_format (value, shape.bfloat ? &ptx_format_bfloat : &ptx_format_half, PTX_ROUND_NEAREST);
  guint exponent = shape.bfloat ? 0x7f80 : 0x7c00;
  return in->modifier[PTX_FTZ] != 0 && (bits & exponent) == 0 ? bits & 0x8000 : bits;
}

static double
fused (double x, double y, double z)
{
  /* The product of two such numbers is exact in double precision. */
  return ptx_add_odd (x * y, z);
}

static double
larger (double x, double y)
{
  if (isnan (x) || isnan (y))
    return isnan (x) ? y : x;
  if (x == y)
    return signbit (x) ? y : x;
  return MAX (x, y);
}

static double
smaller (double x, double y)
{
  if (isnan (x) || isnan (y))
    return isnan (x) ? y : x;
  if (x == y)
    return signbit (x) ? x : y;
  return MIN (x, y);
}

/* Defines a handler whose result for each element of each lane is @expression of x, y, z. */
#define HALF(name, expression)                                                                               \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    const Shape shape = shape_of (in->type);                                                                 \
    const guint n = in->n_operands - 1u;                                                                     \
    const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, MIN (2, n));                     \
    const guint64 *c = ptx_source (warp, in, MIN (3, n));                                                    \
    guint64 *d = ptx_result (warp, in);                                                                      \
    PTX_FOR_LANES (warp, l)                                                                                  \
    {                                                                                                        \
      guint64 result = 0;                                                                                    \
      for (guint i = 0; i < shape.count; i++)                                                                \
        {                                                                                                    \
          const double x = element (in, shape, a[l], i), y = element (in, shape, b[l], i);                   \
          const double z = element (in, shape, c[l], i);                                                     \
          (void) y, (void) z;                                                                                \
          result |= (guint64) to_half (in, shape, expression) << 16 * i;                                     \
        }                                                                                                    \
      d[l] = result;                                                                                         \
    }                                                                                                        \
    return PTX_NEXT;                                                                                         \
  }

#define UNORDERED(x, y) (in->modifier[PTX_NAN] != 0 && (isnan (x) || isnan (y)))

HALF (add, ptx_add_odd (x, y))
HALF (subtract, ptx_add_odd (x, -y))
HALF (multiply, (x * y))
HALF (fused_multiply_add, fused (x, y, z))
HALF (minimum, UNORDERED (x, y) ? (double) NAN : smaller (x, y))
HALF (maximum, UNORDERED (x, y) ? (double) NAN : larger (x, y))
HALF (exponential2, exp2 (x))
HALF (hyperbolic_tangent, tanh (x))

/* The sign of every element, without a look at the rest of it. */
#define SIGNS(name, operator)                                                                                \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    const guint64 signs = shape_of (in->type).count == 2 ? 0x80008000u : 0x8000u;                            \
    const guint64 *a = ptx_source (warp, in, 1);                                                             \
    guint64 *d = ptx_result (warp, in);                                                                      \
    PTX_FOR_LANES (warp, l)                                                                                  \
    d[l] = a[l] operator signs;                                                                              \
    return PTX_NEXT;                                                                                         \
  }

SIGNS (negate, ^)
SIGNS (absolute, &~)

#define HALVES (PTX_T (F16) | PTX_T (F16X2))
#define BFLOATS (PTX_T (BF16) | PTX_T (BF16X2))
#define ALL (HALVES | BFLOATS)
#define ARITHMETIC (PTX_M (FTZ) | PTX_M (SATURATE))
#define FUSED (PTX_M (FTZ) | PTX_M (SATURATE) | PTX_M (RELU))
#define EXTREME (PTX_M (FTZ) | PTX_M (NAN))

const PtxRow ptx_rows_half[] = {
  { "add", ARITHMETIC, 0, HALVES, 0, "daa", add },
  { "add.rn", ARITHMETIC, 0, HALVES, 0, "daa", add },
  { "add", 0, 0, BFLOATS, 0, "daa", add },
  { "add.rn", 0, 0, BFLOATS, 0, "daa", add },
  { "sub", ARITHMETIC, 0, HALVES, 0, "daa", subtract },
  { "sub.rn", ARITHMETIC, 0, HALVES, 0, "daa", subtract },
  { "sub", 0, 0, BFLOATS, 0, "daa", subtract },
  { "sub.rn", 0, 0, BFLOATS, 0, "daa", subtract },
  { "mul", ARITHMETIC, 0, HALVES, 0, "daa", multiply },
  { "mul.rn", ARITHMETIC, 0, HALVES, 0, "daa", multiply },
  { "mul", 0, 0, BFLOATS, 0, "daa", multiply },
  { "mul.rn", 0, 0, BFLOATS, 0, "daa", multiply },
  { "fma.rn", FUSED, 0, HALVES, 0, "daaa", fused_multiply_add },
  { "fma.rn", PTX_M (RELU), 0, BFLOATS, 0, "daaa", fused_multiply_add },
  { "min", EXTREME, 0, HALVES, 0, "daa", minimum },
  { "min", PTX_M (NAN), 0, BFLOATS, 0, "daa", minimum },
  { "max", EXTREME, 0, HALVES, 0, "daa", maximum },
  { "max", PTX_M (NAN), 0, BFLOATS, 0, "daa", maximum },
  { "neg", 0, 0, ALL, 0, "da", negate },
  { "abs", 0, 0, ALL, 0, "da", absolute },
  { "ex2.approx", PTX_M (FTZ), 0, ALL, 0, "da", exponential2 },
  { "tanh.approx", 0, 0, ALL, 0, "da", hyperbolic_tangent },
  { NULL },
};
