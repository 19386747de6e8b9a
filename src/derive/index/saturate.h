/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Arithmetic on counts that are never negative and stay at G_MAXINT64 once they exceed it, which is then
 * read as "too large to tell". */

/* Returns @a times @b, or G_MAXINT64 where the product does not fit 64 bits. */
static inline gint64
heddle_saturating_multiply (gint64 a, gint64 b)
{
  gint64 product;

  return __builtin_mul_overflow (a, b, &product) ? G_MAXINT64 : product;
}

/* Returns the sum of @a and @b, or G_MAXINT64 where it does not fit 64 bits. */
static inline gint64
heddle_saturating_add (gint64 a, gint64 b)
{
  gint64 sum;

  return __builtin_add_overflow (a, b, &sum) ? G_MAXINT64 : sum;
}
