/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <string.h>

/* Chains of what reads neighbours: a tile of the last one needs what is between with its halo, and what that is made of with both. */

#define CHAIN                                                                                                \
  "X : f16[t=40, c=3]\nU : f16[i=3, c, f=5]\nW : f16[j=5, f, g=4]\n"                                         \
  "C[t,f] = X[t+i-1,c] U[i,c,f]\nA[t,f] = relu(C[t,f])\nY[t,g] = A[t+j-2,f] W[j,f,g]\n"

static HeddleDerivation *
derive (const Fixture *fixture, const char *labels, const char *gpu)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine
      = heddle_machine_find (gpu, g_str_equal (gpu, "two-level") ? 1000000000 : 0, &error);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F64, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TRANSFERS, 1, FALSE };

  g_assert_no_error (error);
  return fixture_derive (fixture, "all", labels, &options);
}

/* Values are the evaluator's, counts the cost's. */
static void
run (const Fixture *fixture, const char *what, const HeddleDerivation *derivation)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GHashTable) reference = NULL;

  g_assert_true (heddle_evaluate_fill_inputs (fixture->diagram, fixture->sizes, inputs, 5, &error));
  reference = heddle_evaluate (fixture->diagram, fixture->sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < derivation->kernels->len; i++)
    fixture_check_kernel (
        fixture->sizes, what, fixture_kernel (derivation, i), reference, HEDDLE_COLUMNS_ALL);
}

/* Of the indices t + [-low, high] of a tile from @t on, those in the array of @n. */
static gint64
count_halo (gint64 t, gint64 tile, gint64 n, gint64 low, gint64 high)
{
  gint64 from = MAX (t - low, 0), to = MIN (MIN (t + tile, n) + high, n);

  return to - from;
}

/* Two convolutions of 3 and of 5 places with relu between them, in tiles of t: of A and C the tile and 2 on each side, of X 3. All of U and W for
 * each tile. Worked out: 2 * 3 * 3 operations for each element of C, 2 * 5 * 5 for each of Y. */
static void
test_counts (void)
{
  const gint64 n = 40, c = 3, f = 5, g = 4;
  static const gint64 tiles[] = { 1, 3, 7, 16, 39, 40 };

  for (gsize k = 0; k < G_N_ELEMENTS (tiles); k++)
    {
      gint64 moved = n * g, middle = 0, held = 0, tile = tiles[k];
      g_autofree char *labels = g_strdup_printf ("t:group=%d", (int) tile);
      g_auto (Fixture) fixture = { 0 };
      g_autoptr (HeddleDerivation) derivation = NULL;
      const HeddleKernel *kernel;
      const HeddleLevelCost *level;

      for (gint64 t = 0; t < n; t += tile)
        {
          gint64 read = count_halo (t, tile, n, 3, 3) * c, between = count_halo (t, tile, n, 2, 2) * f;
          gint64 made = MIN (tile, n - t) * g;

          moved += read + 3 * c * f + 5 * f * g;
          middle += between;
          held = MAX (held, MAX (read + between + 3 * c * f, between + 5 * f * g + made));
        }
      fixture_init (&fixture, CHAIN, NULL);
      derivation = derive (&fixture, labels, "two-level");
      kernel = fixture_kernel (derivation, 0);
      g_assert_cmpuint (kernel->refusals->len, ==, 0);
      level = g_ptr_array_index (kernel->levels, 0);
      g_assert_cmpint (level->transfer_elements, ==, moved);
      g_assert_cmpint (level->memory_elements, ==, held);
      g_assert_cmpfloat (kernel->tensor_flops, ==, (double) (middle * 2 * 3 * c + n * g * 2 * 5 * f));
      run (&fixture, labels, derivation);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chain/counts", test_counts);
  return g_test_run ();
}
