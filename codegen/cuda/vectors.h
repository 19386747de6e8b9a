/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/dtype.h"

/* This file has what kernels of rows and of sums share: a thread holds several neighbouring values in
 * registers, as vectors. */

#define HEDDLE_VECTOR_WARP 32
/* The threads of a block that holds several short rows, or the places of a sum. */
#define HEDDLE_VECTOR_THREADS 256
/* The bytes that a thread reads at once at most. */
#define HEDDLE_VECTOR_BYTES 16

/* Returns whether a thread computes with values of a type: floats of 32 bits or fewer. */
gboolean heddle_vector_holds (HeddleDtype dtype);
/* Returns the least power of two that is not below @n. */
guint heddle_vector_power_of_two (gint64 n);
