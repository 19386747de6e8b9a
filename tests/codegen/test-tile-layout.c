/* SPDX-License-Identifier: MIT */
#include "codegen/tile/layout.h"

/* Layouts as matrices over bits, against what the PTX ISA says of each lane and element in words. */

static void
test_accumulators (void)
{
  HeddleLayout layout = heddle_layout_accumulators ();

  for (guint lane = 0; lane < 32; lane++)
    for (guint i = 0; i < 8; i++)
      {
        const guint row = i % 4 < 2 ? lane >> 2 : (lane >> 2) + 8;
        const guint column = lane % 4 * 2 + (i & 1) + (i < 4 ? 0 : 8);

        g_assert_cmphex (heddle_layout_apply (&layout, lane << 3 | i), ==, row << 8 | column);
      }
}

static void
test_left_factor (void)
{
  HeddleLayout layout = heddle_layout_left_factor ();

  for (guint lane = 0; lane < 32; lane++)
    for (guint i = 0; i < 8; i++)
      {
        const guint row = i < 2 || (i >= 4 && i < 6) ? lane >> 2 : (lane >> 2) + 8;
        const guint column = lane % 4 * 2 + (i & 1) + (i < 4 ? 0 : 8);

        g_assert_cmphex (heddle_layout_apply (&layout, lane << 3 | i), ==, row << 8 | column);
      }
}

/* Returns the byte at which an element of a panel of shared memory lies: two bytes an element, 128 a row; pieces of 8 elements are exchanged by the
 * row. Inputs: column (6 bits), then row (3 bits). */
static HeddleLayout
make_panel (gboolean swizzled)
{
  HeddleLayout self = { .n = 9 };

  for (guint i = 0; i < 6; i++)
    self.images[i] = 2u << i;
  for (guint i = 0; i < 3; i++)
    self.images[6 + i] = 128u << i | (swizzled ? 16u << i : 0);
  return self;
}

/* Returns the rank of the images of @inputs among the bits @of: they take 2 to that many different values. */
static guint
rank_of (const HeddleLayout *self, guint32 inputs, guint32 of)
{
  guint32 rows[HEDDLE_LAYOUT_BITS];
  guint rank = 0;

  for (guint i = 0; i < self->n; i++)
    if ((inputs >> i & 1) != 0)
      {
        guint32 row = self->images[i] & of;

        for (guint k = 0; k < rank; k++)
          row = MIN (row, row ^ rows[k]);
        if (row != 0)
          rows[rank++] = row;
      }
  return rank;
}

/* Returns how many cycles an access takes for lanes that differ in the bits of @inputs and each want @bytes
 * (4 or more): banks are address bits 2 to 6. One is the least for 128 bytes. */
static guint
cycles_by_rank (const HeddleLayout *self, guint32 inputs, guint bytes)
{
  guint32 within = bytes - 1, banks = 0x7c & ~within;
  guint different = rank_of (self, inputs, ~within), served = rank_of (self, inputs, banks);

  return 1u << (different - served);
}

/* Why accumulators need no exchange among lanes to be a left factor. */
static void
test_recast (void)
{
  HeddleLayout accumulators = heddle_layout_accumulators (), left = heddle_layout_left_factor ();
  HeddleLayout panel = make_panel (TRUE);

  g_assert_true (heddle_layout_equal (&accumulators, &left));
  g_assert_false (heddle_layout_equal (&accumulators, &panel));
}

/* Counts banks one by one. */
static guint
count_cycles (const HeddleLayout *layout, guint32 inputs, guint bytes)
{
  guint taken[32] = { 0 }, most = 1;

  for (guint32 input = 0; input < 512; input++)
    if ((input & ~inputs) == 0)
      {
        guint32 address = heddle_layout_apply (layout, input);

        for (guint byte = 0; byte < bytes; byte += 4)
          {
            guint n = ++taken[(address + byte) / 4 % 32];

            most = MAX (most, n);
          }
      }
  return most;
}

/* 8 rows of one piece of 16 bytes, as load_matrix reads them; and the 8 pieces of one row, as they are copied. */
static void
test_banks (void)
{
  const guint32 rows = 0x1c0, pieces = 0x38;
  HeddleLayout plain = make_panel (FALSE), swizzled = make_panel (TRUE);

  g_assert_cmpuint (count_cycles (&plain, rows, 16), ==, 8);
  g_assert_cmpuint (cycles_by_rank (&plain, rows, 16), ==, 8);
  g_assert_cmpuint (count_cycles (&swizzled, rows, 16), ==, 1);
  g_assert_cmpuint (cycles_by_rank (&swizzled, rows, 16), ==, 1);
  g_assert_cmpuint (count_cycles (&swizzled, pieces, 16), ==, 1);
  g_assert_cmpuint (cycles_by_rank (&swizzled, pieces, 16), ==, 1);
}

/* The lanes' own parts of addresses, as the building blocks have them, name the rows and pieces they should. */
static void
test_lanes (void)
{
  HeddleLayout panel = make_panel (TRUE);

  for (guint lane = 0; lane < 32; lane++)
    {
      const guint down = lane % 16 * 128 + ((lane / 16 ^ lane % 8) << 4);
      const guint along = (lane / 16 * 8 + lane % 8) * 128 + ((lane / 8 % 2 ^ lane % 8) << 4);

      g_assert_cmpuint (down % 1024, ==, heddle_layout_apply (&panel, lane % 8 << 6 | lane / 16 << 3));
      g_assert_cmpuint (along % 1024, ==, heddle_layout_apply (&panel, lane % 8 << 6 | lane / 8 % 2 << 3));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tile-layout/accumulators", test_accumulators);
  g_test_add_func ("/tile-layout/left-factor", test_left_factor);
  g_test_add_func ("/tile-layout/recast", test_recast);
  g_test_add_func ("/tile-layout/banks", test_banks);
  g_test_add_func ("/tile-layout/lanes", test_lanes);
  return g_test_run ();
}
