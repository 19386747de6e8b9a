/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"

/* This file finds what tiles and chunks of an axis must be multiples of, by labels, by tiles of lower levels
 * and by the machine, and why. */

/* Returns a new, empty array of HeddleDivisor, which it owns. */
GPtrArray *heddle_divisors_new (void);
/* Adds a divisor of @axis that holds at level number @depth and the levels above. Takes @reason. */
void heddle_divisors_add (GPtrArray *self, const char *axis, guint depth, gint64 size, char *reason);
/* Returns what tiles and chunks of the axis at level number @depth must be multiples of: the least common
 * multiple of its divisors there and at the levels below; %G_MAXINT64 if that exceeds 64 bits. */
gint64 heddle_divisors_get (const GPtrArray *self, const char *axis, guint depth);
/* Returns in words where the divisor comes from, newly allocated: "16: a label; 48: tiles at registers". */
char *heddle_divisors_explain (const GPtrArray *self, const char *axis, guint depth);

/* Returns what tiles and chunks of the axis are multiples of at the first level that takes labels; 1 means anything, %G_MAXINT64 a number beyond 64 bits. */
gint64 heddle_kernel_divisor (const HeddleKernel *self, const char *axis);
/* Returns in words why heddle_kernel_divisor () is what it is, newly allocated: "16: its tiles at registers;
 * 3: as it was labelled". */
char *heddle_kernel_explain_divisor (const HeddleKernel *self, const char *axis);
/* Returns the least common multiple of two numbers, both at least 1; G_MAXINT64 where it is larger. */
gint64 heddle_common_multiple (gint64 a, gint64 b);
