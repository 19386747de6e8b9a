/* SPDX-License-Identifier: MIT */
#pragma once

#include <math.h>
#include <glib.h>

/* The single definition of every function's meaning, inline: where the kind is a constant the choice is made
 * by the compiler, so that a loop over many points has no branch for it. */

static inline double
heddle_expr_sigmoid (double x)
{
  double e = exp (-fabs (x));

  return x >= 0. ? 1. / (1. + e) : e / (1. + e);
}

/* Returns x times a weight that goes to 0 faster than x goes to -inf. */
static inline double
heddle_expr_gated (double x, double weight)
{
  return x == -INFINITY ? 0. : x * weight;
}

/* Returns the remainder with the sign of the divisor, as in Python: indices wrap around. */
static inline double
heddle_expr_modulo (double a, double b)
{
  double remainder = fmod (a, b);

  return remainder != 0. && (remainder < 0.) != (b < 0.) ? remainder + b : remainder;
}

/* Returns the greater number, or NaN if one is NaN, which fmax() would hide. */
static inline double
heddle_expr_maximum (double a, double b)
{
  if (isnan (a) || isnan (b))
    return NAN;
  return a > b ? a : b;
}

static inline double
heddle_expr_minimum (double a, double b)
{
  return -heddle_expr_maximum (-a, -b);
}

static inline double
heddle_expr_gelu (double x)
{
  return heddle_expr_gated (x, 0.5 * erfc (-x * G_SQRT2 / 2.));
}

/* All kinds with children, each with its value where the values of its children are a, b and c. */
#define HEDDLE_EXPR_MEANINGS(of)                                                                             \
  of (NEG, -a) of (NOT, a == 0.) of (EXP, exp (a)) of (LOG, log (a)) of (SQRT, sqrt (a))                     \
      of (RSQRT, 1. / sqrt (a)) of (SIN, sin (a)) of (COS, cos (a)) of (TANH, tanh (a)) of (ERF, erf (a))    \
          of (SIGMOID, heddle_expr_sigmoid (a)) of (RELU, heddle_expr_maximum (a, 0.))                       \
              of (GELU, heddle_expr_gelu (a)) of (SILU, heddle_expr_gated (a, heddle_expr_sigmoid (a)))      \
                  of (ABS, fabs (a)) of (FLOOR, floor (a)) of (CEIL, ceil (a)) of (ADD, a + b)               \
                      of (SUB, a - b) of (MUL, a *b) of (DIV, a / b) of (POW, pow (a, b))                    \
                          of (MOD, heddle_expr_modulo (a, b)) of (MIN, heddle_expr_minimum (a, b))           \
                              of (MAX, heddle_expr_maximum (a, b)) of (LT, a < b) of (LE, a <= b)            \
                                  of (GT, a > b) of (GE, a >= b) of (EQ, a == b) of (NE, a != b)             \
                                      of (AND, a != 0. && b != 0.) of (OR, a != 0. || b != 0.)               \
                                          of (WHERE, a != 0. ? b : c)
