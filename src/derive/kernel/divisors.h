/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"

G_BEGIN_DECLS

GPtrArray *heddle_divisors_new (void); /* of HeddleDivisor */
/* Takes @reason. */
void heddle_divisors_add (GPtrArray *self, const char *axis, guint depth, gint64 size, char *reason);
/* What tiles and chunks of the axis at level number @depth are multiples of: the least common multiple of what is said of it and of the levels
 * below; %G_MAXINT64: beyond 64 bits. */
gint64 heddle_divisors_get (const GPtrArray *self, const char *axis, guint depth);
/* "16: a label; 48: tiles at registers". Newly allocated. */
char *heddle_divisors_explain (const GPtrArray *self, const char *axis, guint depth);

/* What tiles and chunks of the axis are multiples of at level number @depth of those that take labels; 1: anything, %G_MAXINT64: beyond 64
 * bits. And why: "16: its tiles at registers; 3: as it was labelled", newly allocated. */
gint64 heddle_kernel_divisor (const HeddleKernel *self, const char *axis, guint depth);
char *heddle_kernel_explain_divisor (const HeddleKernel *self, const char *axis, guint depth);

G_END_DECLS
