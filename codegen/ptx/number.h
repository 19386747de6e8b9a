/* SPDX-License-Identifier: MIT */
#pragma once

#include <math.h>
#include <string.h>

#include "codegen/ptx/module.h"

G_BEGIN_DECLS

/* The canonical not-a-number of the narrower formats, which every operation gives. */
#define PTX_FLOAT_NAN 0x7fffffffu
#define PTX_HALF_NAN 0x7fffu

static inline float
ptx_bits_float (guint32 bits)
{
  float value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

static inline guint32
ptx_float_bits (float value)
{
  guint32 bits;
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static inline double
ptx_bits_double (guint64 bits)
{
  double value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

static inline guint64
ptx_double_bits (double value)
{
  guint64 bits;
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* A subnormal number as zero of its sign, any other as itself. */
static inline guint32
ptx_flush_bits (guint32 bits)
{
  return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
}

/* The bits of a result: flushed to zero where asked, the canonical NaN for any NaN. */
static inline guint32
ptx_float_result (float value, gboolean ftz)
{
  guint32 bits = ptx_float_bits (value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return PTX_FLOAT_NAN;
  return ftz ? ptx_flush_bits (bits) : bits;
}

static inline float
ptx_float_operand (guint64 bits, gboolean ftz)
{
  return ptx_bits_float (ftz ? ptx_flush_bits ((guint32) bits) : (guint32) bits);
}

/* A binary format with @mantissa explicit bits; the least normal number is 2^@least, all numbers are below
 * 2^(@most+1). */
typedef struct
{
  guint mantissa;
  gint least;
  gint most;
} PtxFormat;

extern const PtxFormat ptx_format_half;
extern const PtxFormat ptx_format_bfloat;
extern const PtxFormat ptx_format_tf32;

double ptx_half_value (guint bits);
double ptx_bfloat_value (guint bits);
double ptx_e4m3_value (guint bits);
guint ptx_round_to_format (double value, const PtxFormat *format, PtxRound round);
double ptx_round_to_integer (double value, PtxRound round);
double ptx_add_odd (double a, double b);
double ptx_integer_odd (guint64 magnitude, gboolean negative);

/* The operations that the processor rounds in all four directions. */
typedef enum
{
  PTX_ADD,
  PTX_SUBTRACT,
  PTX_MULTIPLY,
  PTX_FMA,
  PTX_DIVIDE,
  PTX_SQUARE_ROOT,
} PtxArithmetic;

float ptx_float_rounded (PtxArithmetic operation, float a, float b, float c, PtxRound round);
double ptx_double_rounded (PtxArithmetic operation, double a, double b, double c, PtxRound round);
float ptx_double_to_float (double value, PtxRound round);
float ptx_integer_to_float (guint64 value, gboolean is_signed, PtxRound round);
double ptx_integer_to_double (guint64 value, gboolean is_signed, PtxRound round);

G_END_DECLS
