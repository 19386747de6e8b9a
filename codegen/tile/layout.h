/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Layouts of tiles as linear maps over bits: each bit of where an element is (register, lane; or address) is
 * the exclusive or of bits of another numbering (row, column). Two layouts are the same where their matrices
 * are; a swizzle is one more exclusive or. */
#define HEDDLE_LAYOUT_BITS 16

/* A layout. images[i] is what bit i of the input contributes to the output, as a set of its bits. */
typedef struct
{
  guint n;
  guint32 images[HEDDLE_LAYOUT_BITS];
} HeddleLayout;

/* The bits of rows and columns as outputs: bit i of the column is bit i, bit i of the row is bit 8 + i. */
#define HEDDLE_LAYOUT_COLUMN(i) (1u << (i))
#define HEDDLE_LAYOUT_ROW(i) (1u << (8 + (i)))

/* Returns the output for @input: the exclusive or of the images of its bits; bits beyond the layout's are
 * ignored. */
guint32 heddle_layout_apply (const HeddleLayout *self, guint32 input);

/* Returns whether the two layouts are the same map, of as many bits. */
gboolean heddle_layout_equal (const HeddleLayout *self, const HeddleLayout *other);

/* Returns where a lane's elements of two accumulators of mma.m16n8 side by side are, in 16 rows and 16
 * columns. Inputs: the element (3 bits), then the lane (5 bits). */
HeddleLayout heddle_layout_accumulators (void);

/* Returns where a lane's elements of the left factor of mma.m16n8k16 are, in 16 rows and 16 columns, two
 * elements a register. Inputs: the element (3 bits), then the lane (5 bits). */
HeddleLayout heddle_layout_left_factor (void);
