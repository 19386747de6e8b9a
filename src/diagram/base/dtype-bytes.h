/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/dtype.h"

G_BEGIN_DECLS

/* dtype-bytes.c: one element as it lies in memory (heddle_dtype_bytes () bytes, the machine's own order), and back. */
void heddle_dtype_encode (HeddleDtype dtype, double value, gpointer bytes);
/* Reads one element of type @dtype, which is not UNSET, and returns its value; every type but i64 is exact
 * in a double. */
double heddle_dtype_decode (HeddleDtype dtype, gconstpointer bytes);

G_END_DECLS
