/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/**
 * HeddleDtype:
 *
 * The data type of an array's elements. %HEDDLE_DTYPE_UNSET stands for an undeclared
 * type: it is inferred where the value is stored (heddle_diagram_dtype ()).
 */
typedef enum
{
  HEDDLE_DTYPE_UNSET,
  HEDDLE_DTYPE_F64,
  HEDDLE_DTYPE_F32,
  HEDDLE_DTYPE_TF32,
  HEDDLE_DTYPE_F16,
  HEDDLE_DTYPE_BF16,
  HEDDLE_DTYPE_E4M3,
  HEDDLE_DTYPE_E5M2,
  HEDDLE_DTYPE_I64,
  HEDDLE_DTYPE_I32,
  HEDDLE_DTYPE_BOOL,
} HeddleDtype;

#define HEDDLE_N_DTYPES (HEDDLE_DTYPE_BOOL + 1)

/* Returns the name as in files and equations ("f16"), "" for UNSET. The text is static. */
const char *heddle_dtype_to_string (HeddleDtype dtype);
/* Finds the type of that name. FALSE means that there is none, and @dtype is untouched; "" is the name of
 * none. */
gboolean heddle_dtype_from_string (const char *name, HeddleDtype *dtype);
/* Returns the number of bytes that one element takes in memory (tf32 is stored in 4); 0 for UNSET. */
guint heddle_dtype_bytes (HeddleDtype dtype);
/* Returns whether elements are floating-point numbers; an undeclared type counts as real. */
gboolean heddle_dtype_is_real (HeddleDtype dtype);
/* Returns the widest of two types, as an undeclared intermediate has it: reals before integers, more
 * exponent range before less (bf16 before f16), then more bytes. UNSET is the neutral element. */
HeddleDtype heddle_dtype_widest (HeddleDtype a, HeddleDtype b);
/* Returns what reading @value back gives after it was stored in @dtype. Reals round to the nearest, ties to
 * even, through subnormals; too large ones go to infinity (to +-448 in e4m3, which has none), and NaN
 * stays. Integers truncate towards zero and saturate, and NaN gives 0; a bool is whether the value is not
 * 0. */
double heddle_dtype_round (HeddleDtype dtype, double value);
