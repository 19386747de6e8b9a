/* SPDX-License-Identifier: MIT */
#include "derive/index/saturate.h"

gint64
heddle_saturating_multiply (gint64 a, gint64 b)
{
  gint64 product;

  return __builtin_mul_overflow (a, b, &product) ? G_MAXINT64 : product;
}

gint64
heddle_saturating_add (gint64 a, gint64 b)
{
  gint64 sum;

  return __builtin_add_overflow (a, b, &sum) ? G_MAXINT64 : sum;
}
