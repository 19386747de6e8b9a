/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/dtype.h"

/* Writes @value, rounded to @dtype, which is not UNSET, as one element in memory: heddle_dtype_bytes ()
 * bytes in the machine's own order. */
void heddle_dtype_encode (HeddleDtype dtype, double value, gpointer bytes);
/* Reads one element of type @dtype, which is not UNSET, and returns its value; every type but i64 is exact
 * in a double. */
double heddle_dtype_decode (HeddleDtype dtype, gconstpointer bytes);
