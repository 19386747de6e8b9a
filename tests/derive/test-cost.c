/* SPDX-License-Identifier: MIT */
#include "fixture.h"
#include "derive/cost/level-cost.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/schedule.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/print.h"
#include "diagram/graph/diagram.h"

/* The integer optima and closed forms in src/derive/README.md: M = 227 KiB of f16 values. */
#define MEMORY 116224

#define MATMUL "A : f16[a=4096, b=4096]\nB : f16[b, c=4096]\nC[a,c] = A[a,b] B[b,c]\n"
#define MLP                                                                                                  \
  "X : f16[n=4096, m=128]\nU : f16[m, f=512]\nW : f16[f, k=128]\n"                                           \
  "H[n,f] = relu(X[n,m] U[m,f])\nY[n,k] = H[n,f] W[f,k]\n"

static void assert_symbol (const Fixture *fixture, HeddleExpr *symbolic, gint64 g, gint64 s, gint64 expected);

typedef struct
{
  const HeddleSizes *sizes;
  gint64 g, s;
} Leaves;

static gboolean
look_up (const HeddleExpr *leaf, double *value, gpointer data)
{
  const Leaves *leaves = data;

  if (heddle_expr_get_kind (leaf) == HEDDLE_EXPR_SIZE)
    return heddle_sizes_lookup (leaf, value, (gpointer) leaves->sizes);
  *value = (double) (heddle_expr_get_symbol (leaf)[0] == 'g' ? leaves->g : leaves->s);
  return TRUE;
}

static void
assert_symbol (const Fixture *fixture, HeddleExpr *symbolic, gint64 g, gint64 s, gint64 expected)
{
  g_autoptr (GError) error = NULL;
  Leaves leaves = { fixture->sizes, g, s };
  double value;

  heddle_expr_evaluate (symbolic, look_up, &leaves, &value, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (value, ==, (double) expected);
}

static void
assert_text (HeddleExpr *symbolic, const char *expected)
{
  g_autofree char *text = heddle_expr_to_string (symbolic, NULL, NULL);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_attention (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) given = NULL, suggested = NULL, free = NULL, all = NULL;
  const HeddleLevelCost *level;
  const HeddleKernel *kernel;

  fixture_init (&fixture, ATTENTION, NULL);
  given = fixture_derive_abstract (
      &fixture, "all", "q:group@smem=373 x:stream@smem=64", MEMORY, HEDDLE_COLUMNS_OPERANDS, FALSE);
  kernel = fixture_kernel (given, 0);
  level = g_ptr_array_index (kernel->levels, 0);
  g_assert_cmpint (given->transfer_elements, ==, 12582912);
  g_assert_cmpint (level->memory_elements, ==, 2 * 373 * 128 + 2 * 64 * 128);
  g_assert_cmpint (kernel->groups, ==, 11);
  g_assert_true (kernel->fits);
  g_assert_cmpfloat (kernel->flops, ==, 4. * 4096 * 4096 * 128);
  assert_text (level->transfer_symbolic, "2*a.q*a.d + 2*a.x*a.d*ceil(a.q/g_q)");
  assert_symbol (&fixture, level->transfer_symbolic, 373, 64, 12582912);
  assert_text (level->memory_symbolic, "2*g_q*a.d + 2*s_x*a.d");

  suggested
      = fixture_derive_abstract (&fixture, "all", "x:stream@smem=64", MEMORY, HEDDLE_COLUMNS_OPERANDS, TRUE);
  kernel = fixture_kernel (suggested, 0);
  g_assert_cmpint (suggested->transfer_elements, ==, 12582912);
  g_assert_cmpint (fixture_label (&fixture, kernel, "q", HEDDLE_LABEL_GROUP), ==, 373);
  g_assert_cmpint (kernel->groups, ==, 11);
  g_assert_true (suggested->exact);

  free = fixture_derive_abstract (&fixture, "all", NULL, MEMORY, HEDDLE_COLUMNS_OPERANDS, TRUE);
  g_assert_cmpint (free->transfer_elements, ==, 11534336);
  g_assert_cmpint (fixture_label (&fixture, fixture_kernel (free, 0), "x", HEDDLE_LABEL_STREAM), ==, 1);

  all = fixture_derive_abstract (&fixture, "all", "x:stream@smem=64", MEMORY, HEDDLE_COLUMNS_ALL, TRUE);
  kernel = fixture_kernel (all, 0);
  level = g_ptr_array_index (kernel->levels, 0);
  g_assert_cmpint (all->transfer_elements, ==, 15728640);
  g_assert_cmpint (kernel->groups, ==, 14);
  g_assert_cmpint (level->memory_elements, ==, 2 * 293 * 128 + 2 * 64 * 128 + 293 * 64 + 2 * 293);
  assert_symbol (&fixture, level->memory_symbolic, 293, 64, level->memory_elements);
}

static void
test_unfused (void)
{
  static const gint64 expected[] = { 19922944, 33554432, 19922944 };
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL, tiled = NULL;

  fixture_init (&fixture, ATTENTION, NULL);
  derivation = fixture_derive_abstract (&fixture, "none", NULL, MEMORY, HEDDLE_COLUMNS_OPERANDS, TRUE);
  g_assert_cmpuint (derivation->kernels->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      const HeddleLevelCost *level = g_ptr_array_index (fixture_kernel (derivation, i)->levels, 0);

      g_assert_cmpint (level->transfer_elements, ==, expected[i]);
    }
  g_assert_cmpint (derivation->transfer_elements, ==, 73400320);
  g_assert_cmpint (fixture_label (&fixture, fixture_kernel (derivation, 0), "x", HEDDLE_LABEL_STREAM), ==, 1);

  tiled = fixture_derive_abstract (
      &fixture, "S", "S/q:group=341 S/x:group=341", MEMORY, HEDDLE_COLUMNS_OPERANDS, FALSE);
  g_assert_cmpint (
      ((HeddleLevelCost *) g_ptr_array_index (fixture_kernel (tiled, 0)->levels, 0))->transfer_elements, ==,
      4096 * 4096 + 2 * 4096 * 128 * 13);
}

static void
test_matmul (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) free = NULL, multiples = NULL;

  fixture_init (&fixture, MATMUL, NULL);
  free = fixture_derive_abstract (&fixture, "all", "b:stream=1", MEMORY, HEDDLE_COLUMNS_OPERANDS, TRUE);
  g_assert_cmpint (free->transfer_elements, ==, 436207616);
  g_assert_cmpint (fixture_label (&fixture, fixture_kernel (free, 0), "a", HEDDLE_LABEL_GROUP), ==, 274);
  g_assert_cmpint (fixture_label (&fixture, fixture_kernel (free, 0), "c", HEDDLE_LABEL_GROUP), ==, 410);

  multiples = fixture_derive_abstract (
      &fixture, "all", "b:stream=32 a:divisor=16 c:divisor=16", MEMORY, HEDDLE_COLUMNS_OPERANDS, TRUE);
  g_assert_cmpint (multiples->transfer_elements, ==, 486539264);
  g_assert_cmpint (fixture_label (&fixture, fixture_kernel (multiples, 0), "a", HEDDLE_LABEL_GROUP), ==, 256);
  g_assert_cmpint (fixture_label (&fixture, fixture_kernel (multiples, 0), "c", HEDDLE_LABEL_GROUP), ==, 352);
}

/* Fusion gains at m = 128, f = 512 and loses at m = 512, f = 2048. */
static void
test_mlp (void)
{
  g_auto (Fixture) small = { 0 }, large = { 0 };
  g_autoptr (HeddleDerivation) fused = NULL, apart = NULL, large_fused = NULL, large_apart = NULL;

  fixture_init (&small, MLP, NULL);
  fused = fixture_derive_abstract (&small, "all", NULL, MEMORY, HEDDLE_COLUMNS_ALL, TRUE);
  apart = fixture_derive_abstract (&small, "none", NULL, MEMORY, HEDDLE_COLUMNS_ALL, TRUE);
  g_assert_cmpint (fused->transfer_elements, ==, 1769472);
  g_assert_cmpint (fixture_label (&small, fixture_kernel (fused, 0), "n", HEDDLE_LABEL_STREAM), ==, 1);
  g_assert_cmpint (apart->transfer_elements, ==, 5373952);

  fixture_init (&large, MLP, "m=512 k=512 f=2048");
  large_fused = fixture_derive_abstract (&large, "all", "f:stream=1", MEMORY, HEDDLE_COLUMNS_ALL, TRUE);
  large_apart = fixture_derive_abstract (&large, "none", NULL, MEMORY, HEDDLE_COLUMNS_ALL, TRUE);
  g_assert_cmpint (large_fused->transfer_elements, ==, 81788928);
  g_assert_cmpint (large_apart->transfer_elements, ==, 59768832);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cost/attention", test_attention);
  g_test_add_func ("/cost/unfused", test_unfused);
  g_test_add_func ("/cost/matmul", test_matmul);
  g_test_add_func ("/cost/mlp", test_mlp);
  return g_test_run ();
}
