/* SPDX-License-Identifier: MIT */
#include "codegen/tile/layout.h"

#include <string.h>

#define ROW HEDDLE_LAYOUT_ROW
#define COLUMN HEDDLE_LAYOUT_COLUMN

guint32
heddle_layout_apply (const HeddleLayout *self, guint32 input)
{
  guint32 output = 0;

  for (guint i = 0; i < self->n; i++)
    if ((input >> i & 1) != 0)
      output ^= self->images[i];
  return output;
}

gboolean
heddle_layout_equal (const HeddleLayout *self, const HeddleLayout *other)
{
  return self->n == other->n && memcmp (self->images, other->images, self->n * sizeof self->images[0]) == 0;
}

/* Returns the layout of accumulators. PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type":
 * c0, c1 in row lane / 4, c2, c3 eight rows below, columns 2 (lane % 4) + (i & 1); the second tile is 8
 * columns further. */
HeddleLayout
heddle_layout_accumulators (void)
{
  return (HeddleLayout){ 8,
    { COLUMN (0), ROW (3), COLUMN (3), COLUMN (1), COLUMN (2), ROW (0), ROW (1), ROW (2) } };
}

/* Returns the layout of a left factor. Same section: a0, a1 in row lane / 4, a2, a3 eight rows below, a4 to
 * a7 the same 8 columns further. */
HeddleLayout
heddle_layout_left_factor (void)
{
  HeddleLayout self = { .n = 8 };

  for (guint i = 0; i < 3; i++)
    {
      static const guint32 elements[] = { COLUMN (0), ROW (3), COLUMN (3) };

      self.images[i] = elements[i];
    }
  for (guint i = 0; i < 5; i++)
    self.images[3 + i] = i < 2 ? COLUMN (1 + i) : ROW (i - 2);
  return self;
}
