/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <string.h>
#include "derive/cost/level-cost.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/refusal.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/program/pseudocode.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/evaluate/evaluate.h"

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

/* A plane convolved with 3 x 3, relu, and the largest of 2 x 2 of it: a tile of v x w of the result needs 2v x 2w of the middle and 2v + 2 by
 * 2w + 2 of the plane, cut at its ends. Nothing of the middle is worked out twice, as the windows of neighbours do not meet. */
static void
test_pooled (void)
{
  static const char text[] = "X : f16[y=20, x=18]\nU : f16[i=3, j=3]\nC[y,x] = X[y+i-1,x+j-1] U[i,j]\n"
                             "A[y,x] = relu(C[y,x])\naxis k = 2\naxis l = 2\n"
                             "P[v=10,w=9] = max[k,l](A[2*v+k,2*w+l])\n";
  gint64 moved = 10 * 9;
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  const HeddleKernel *kernel;

  for (gint64 v = 0; v < 10; v += 4)
    for (gint64 w = 0; w < 9; w += 3)
      moved += count_halo (2 * v, 8, 20, 1, 1) * count_halo (2 * w, 6, 18, 1, 1) + 9;
  fixture_init (&fixture, text, NULL);
  derivation = derive (&fixture, "v:group=4 w:group=3", "two-level");
  kernel = fixture_kernel (derivation, 0);
  g_assert_cmpint (
      ((const HeddleLevelCost *) g_ptr_array_index (kernel->levels, 0))->transfer_elements, ==, moved);
  g_assert_cmpfloat (kernel->tensor_flops, ==, 20. * 18. * 2. * 9.);
  run (&fixture, "pooled", derivation);
}

static void
test_listing (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  g_autofree char *listing = NULL;

  fixture_init (&fixture, CHAIN, NULL);
  derivation = derive (&fixture, "t:group=16", "two-level");
  listing = heddle_loop_program_to_pseudocode (fixture_kernel (derivation, 0)->program, fixture.sizes, NULL);
  g_assert_cmpstr (listing, ==,
      "parfor t₀ in 0, 16 … 40\n"
      "  X ← load X[t₀-3 : t₀+19, :]\n"
      "  U ← load U[:, :, :]\n"
      "  C[t₀-2 : t₀+18, :] ← sum[i, c](X[t + i - 1, c]*U)\n"
      "  A[t₀-2 : t₀+18, :] ← relu(C)\n"
      "  W ← load W[:, :, :]\n"
      "  Y ← sum[j, f](A[t + j - 2, f]*W)\n"
      "  save Y[t₀ : t₀+16, :] ← Y\n");
}

/* What cannot be a halo: an output, of which each element has one group; what is summed over the axis; what goes both ways along an axis of one
 * name; a scan. Each is refused with a step that helps, or there is none. */
static void
test_refused (void)
{
  static const struct
  {
    const char *text, *label, *reason;
    HeddleRemedyKind remedy;
  } rows[] = {
    { CHAIN "-> A, Y\n", "t:group=16", "reads along t at other indices than its own", HEDDLE_REMEDY_CUT },
    { "X : [t=12]\nN[t] = softmax[t](X[t])\nW : [j=3]\nY[t] = N[t+j-1] W[j]\n", "t:group=4",
        "works over all of t", HEDDLE_REMEDY_CUT },
    { "X : [t=12]\nU : [i=3]\nC[t] = X[t+i-1] U[i]\nA[t] = relu(C[t])\nY[t] = A[t-i+1] U[i]\n", "t:group=4",
        "reads along t at other indices than its own", HEDDLE_REMEDY_CUT },
    { "X : [t=12]\nS[t] = cumsum[t](X[t])\nW : [j=3]\nY[t] = S[t+j-1] W[j]\n", "t:group=4",
        "a state that moves along t", HEDDLE_REMEDY_CUT },
    { "X : [i=12]\nH[i] = relu(X[i])\naxis k = 3\nY[y=6] = sum[k](H[y+k])\n", "i:group=4",
        "it is held as the tile and halo of what reads it", HEDDLE_REMEDY_AXIS },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Fixture) fixture = { 0 };
      g_autoptr (HeddleDerivation) derivation = NULL;
      const HeddleRefusal *refusal;

      fixture_init (&fixture, rows[i].text, NULL);
      derivation = derive (&fixture, rows[i].label, "two-level");
      g_assert_cmpuint (fixture_kernel (derivation, 0)->refusals->len, ==, 1);
      refusal = g_ptr_array_index (fixture_kernel (derivation, 0)->refusals, 0);
      g_test_message ("%s %s", refusal->reason, refusal->remedy);
      g_assert_nonnull (strstr (refusal->reason, rows[i].reason));
      g_assert_cmpint (refusal->remedy_kind, ==, rows[i].remedy);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chain/counts", test_counts);
  g_test_add_func ("/chain/pooled", test_pooled);
  g_test_add_func ("/chain/listing", test_listing);
  g_test_add_func ("/chain/refused", test_refused);
  return g_test_run ();
}
