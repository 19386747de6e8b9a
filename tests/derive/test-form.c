/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <math.h>
#include "derive/cost/canonical.h"
#include "derive/cost/hierarchy.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"

/* How the least H depends on the memory, against the closed forms and the exact integer optima. */
#define MEMORY 116224

#define MATMUL "A : f16[a=4096, b=4096]\nB : f16[b, c=4096]\nC[a,c] = A[a,b] B[b,c]\n"
#define MLP                                                                                                  \
  "X : f16[n=4096, m=128]\nU : f16[m, f=512]\nW : f16[f, k=128]\n"                                           \
  "H[n,f] = relu(X[n,m] U[m,f])\nY[n,k] = H[n,f] W[f,k]\n"

static const HeddleCanonicalTerm *
term (const HeddleCanonical *form, guint i)
{
  g_assert_null (form->reason);
  g_assert_cmpuint (i, <, form->terms->len);
  return g_ptr_array_index (form->terms, i);
}

static void
assert_near (double value, double expected, double share)
{
  g_assert_cmpfloat_with_epsilon (value / expected, 1., share);
}

/* 2abc / sqrt (M) + ac; a square tile of 4096 by 4096 is all there is. */
static void
test_matmul (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  const HeddleCanonical *form;
  gboolean clamped;
  double n = 4096.;

  fixture_init (&fixture, MATMUL, NULL);
  derivation = fixture_derive_abstract (&fixture, "all", "b:stream=1", MEMORY, HEDDLE_COLUMNS_OPERANDS, TRUE);
  form = fixture_kernel (derivation, 0)->canonical;
  g_assert_cmpuint (form->terms->len, ==, 2);
  g_assert_cmpfloat (term (form, 0)->alpha, ==, n * n);
  g_assert_cmpfloat (term (form, 0)->beta, ==, 0.);
  g_assert_cmpfloat (term (form, 1)->alpha, ==, 2. * n * n * n);
  g_assert_cmpfloat (term (form, 1)->beta, ==, .5);
  g_assert_cmpfloat (form->compulsory, ==, 3. * n * n);
  g_assert_cmpfloat (form->most, ==, n * n);
  g_assert_cmpfloat (form->least, ==, 0.);
  /* Every integer optimum is above the form, and not far: 436,207,616 at 274 by 410. */
  assert_near (heddle_canonical_transfers (form, MEMORY, FALSE, &clamped),
      2. * n * n * n / sqrt (MEMORY) + n * n, 1e-12);
  g_assert_false (clamped);
  assert_near (heddle_canonical_transfers (form, MEMORY, FALSE, NULL), 436207616., .05);
  g_assert_cmpfloat (heddle_canonical_transfers (form, MEMORY, FALSE, NULL), <, 436207616.);
  g_assert_cmpfloat (heddle_canonical_transfers (form, 1e12, FALSE, &clamped), ==, 3. * n * n);
  g_assert_true (clamped);
}

/* 2qd + 4xqd^2 / M; of two bytes a value the term in bytes is 2^2 as much. */
static void
test_attention (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL, all = NULL;
  const HeddleCanonical *form;
  double q = 4096., x = 4096., d = 128.;

  fixture_init (&fixture, ATTENTION, NULL);
  derivation = fixture_derive_abstract (&fixture, "all", NULL, MEMORY, HEDDLE_COLUMNS_OPERANDS, TRUE);
  form = fixture_kernel (derivation, 0)->canonical;
  g_assert_cmpfloat (term (form, 0)->alpha, ==, 2. * q * d);
  g_assert_cmpfloat (term (form, 1)->alpha, ==, 4. * x * q * d * d);
  g_assert_cmpfloat (term (form, 1)->beta, ==, 1.);
  g_assert_cmpfloat (term (form, 1)->alpha_bytes, ==, 4. * term (form, 1)->alpha);
  g_assert_cmpfloat (term (form, 0)->alpha_bytes, ==, 2. * term (form, 0)->alpha);
  g_assert_cmpfloat (form->most, ==, 2. * q * d);
  assert_near (heddle_canonical_transfers (form, MEMORY, FALSE, NULL), 11534336., .1);
  /* The same in bytes, of a memory as large. */
  assert_near (heddle_canonical_transfers (form, 2. * MEMORY, TRUE, NULL),
      2. * heddle_canonical_transfers (form, MEMORY, FALSE, NULL), 1e-12);

  /* With every column counted, m and l take two values of each row more: 2qd + 2xd (2d + 2) q / M. */
  all = fixture_derive_abstract (&fixture, "all", NULL, MEMORY, HEDDLE_COLUMNS_ALL, TRUE);
  form = fixture_kernel (all, 0)->canonical;
  g_assert_cmpfloat (term (form, 1)->alpha, ==, 2. * x * d * (2. * d + 2.) * q);
}

/* 2nm + 4nm^2 f / M where the weights stream along f. */
static void
test_mlp (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  const HeddleCanonical *form;
  double n = 4096., m = 512., f = 2048.;

  fixture_init (&fixture, MLP, "m=512 k=512 f=2048");
  derivation = fixture_derive_abstract (&fixture, "all", "f:stream=1", MEMORY, HEDDLE_COLUMNS_ALL, TRUE);
  form = fixture_kernel (derivation, 0)->canonical;
  g_assert_cmpfloat (term (form, 0)->alpha, ==, 2. * n * m);
  g_assert_cmpfloat (term (form, 1)->alpha, ==, 4. * n * m * m * f);
  assert_near (heddle_canonical_transfers (form, MEMORY, FALSE, NULL), 81788928., .05);
}

/* Heads of a group and queries repeat keys and values together: a tile of both counts as so many rows. */
static void
test_joint (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  const HeddleCanonical *form;
  double g = 4., r = 8., q = 512., x = 1024., d = 64.;

  fixture_init (&fixture,
      "Q : f16[g=4, r=8, q=512, d=64]\nK : f16[g, x=1024, d]\nV : f16[g, x, d]\n"
      "P[g,r,q,x] = softmax[x](Q[g,r,q,d] K[g,x,d])\nO[g,r,q,d] = P[g,r,q,x] V[g,x,d]\n",
      NULL);
  derivation = fixture_derive_abstract (
      &fixture, "all", "g:group=1 r:group=2 q:group=64 x:stream=1", MEMORY, HEDDLE_COLUMNS_OPERANDS, FALSE);
  form = fixture_kernel (derivation, 0)->canonical;
  g_assert_cmpfloat (term (form, 0)->alpha, ==, 2. * g * r * q * d);
  g_assert_cmpfloat (term (form, 1)->alpha, ==, 2. * g * x * d * 2. * d * r * q);
  g_assert_cmpfloat (term (form, 1)->beta, ==, 1.);
  g_assert_cmpfloat (form->most, ==, 2. * d * r * q);
}

/* Whatever the memory, the exact optimum is not below the form, and comes to it where steps are small. */
static void
test_bound (void)
{
  static const gint64 memories[] = { 3000, 9000, 40000, 200000 };
  static const char *const texts[] = { MATMUL, ATTENTION };

  for (gsize i = 0; i < G_N_ELEMENTS (texts) * G_N_ELEMENTS (memories); i++)
    {
      g_auto (Fixture) fixture = { 0 };
      g_autoptr (HeddleDerivation) derivation = NULL;
      gint64 memory = memories[i % G_N_ELEMENTS (memories)];
      double form;

      fixture_init (&fixture, texts[i / G_N_ELEMENTS (memories)], NULL);
      derivation = fixture_derive_abstract (&fixture, "all",
          i < G_N_ELEMENTS (memories) ? "b:stream=1" : "x:stream=1", memory, HEDDLE_COLUMNS_OPERANDS, TRUE);
      g_assert_true (derivation->exact);
      form = heddle_canonical_transfers (
          fixture_kernel (derivation, 0)->canonical, (double) memory, FALSE, NULL);
      g_assert_cmpfloat ((double) derivation->transfer_elements, >=, form);
      g_assert_cmpfloat ((double) derivation->transfer_elements, <=, 1.2 * form);
    }
}

/* Where it does not hold it says so. */
static void
test_none (void)
{
  g_auto (Fixture) causal = { 0 }, cube = { 0 }, softmax = { 0 };
  g_autoptr (HeddleDerivation) skipped = NULL, three = NULL, once = NULL;
  const HeddleCanonical *form;

  fixture_init (&causal,
      "Q : f16[q=256, d=16]\nK : f16[x=256, d]\nV : f16[x, d]\nS[q,x] = where(x <= q, Q[q,d] K[x,d], -inf)\n"
      "P[q,x] = softmax[x](S[q,x])\nO[q,d] = P[q,x] V[x,d]\n",
      NULL);
  skipped
      = fixture_derive_abstract (&causal, "all", "q:group=64 x:stream=16", MEMORY, HEDDLE_COLUMNS_ALL, FALSE);
  form = fixture_kernel (skipped, 0)->canonical;
  g_assert_nonnull (form->reason);
  g_assert_true (isnan (heddle_canonical_transfers (form, MEMORY, FALSE, NULL)));

  fixture_init (&cube, "A : [a=64]\nB : [b=64]\nC : [c=64]\nD[a,b,c] = A[a] * B[b] * C[c]\n", NULL);
  three = fixture_derive_abstract (
      &cube, "all", "a:group=8 b:group=8 c:group=8", MEMORY, HEDDLE_COLUMNS_ALL, FALSE);
  g_assert_nonnull (fixture_kernel (three, 0)->canonical->reason);

  fixture_init (&softmax, "S : [q=64, x=32]\nP[q,x] = softmax[x](S[q,x])\n", NULL);
  once = fixture_derive_abstract (&softmax, "all", "q:group=8", MEMORY, HEDDLE_COLUMNS_ALL, FALSE);
  form = fixture_kernel (once, 0)->canonical;
  g_assert_cmpuint (form->terms->len, ==, 1);
  g_assert_cmpfloat (term (form, 0)->alpha, ==, 2. * 64. * 32.);
  g_assert_true (isinf (form->most));
}

/* Sum over levels of H*(M) / bandwidth, by hand for the product of matrices on an H100. */
static void
test_hierarchy (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("h100", 0, &error);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TIME, 1, FALSE };
  g_autoptr (HeddleDerivation) derivation = NULL;
  g_autoptr (GArray) rows = NULL;
  const HeddleHierarchyRow *l2, *smem;
  double n = 4096., m = 232448., smem_bytes, kept;

  g_assert_no_error (error);
  fixture_init (&fixture, MATMUL, NULL);
  derivation = fixture_derive (&fixture, "all", "a:group=128 c:group=128 b:stream=32", &options);
  rows = heddle_canonical_hierarchy (fixture_kernel (derivation, 0)->canonical, machine);
  g_assert_cmpuint (rows->len, ==, 3);
  l2 = &g_array_index (rows, HeddleHierarchyRow, 0);
  smem = &g_array_index (rows, HeddleHierarchyRow, 1);
  /* Bytes: 2 (abc / g) a tile of g^2 values of 2 bytes. */
  smem_bytes = 2. * (2. * n * n * n / sqrt (m / 2.) + n * n);
  kept = 2. * (2. * n * n * n / sqrt (132. * m / 2.) + n * n);
  assert_near (smem->transfers, smem_bytes, 1e-12);
  assert_near (smem->seconds, smem_bytes / 5.5e12, 1e-12);
  g_assert_true (l2->clamped);
  g_assert_cmpfloat (l2->transfers, ==, 2. * 3. * n * n);
  assert_near (l2->seconds, 2. * 3. * n * n / 3.35e12, 1e-12);
  assert_near (l2->kept_transfers, kept, 1e-12);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/form/matmul", test_matmul);
  g_test_add_func ("/form/attention", test_attention);
  g_test_add_func ("/form/mlp", test_mlp);
  g_test_add_func ("/form/joint", test_joint);
  g_test_add_func ("/form/bound", test_bound);
  g_test_add_func ("/form/none", test_none);
  g_test_add_func ("/form/hierarchy", test_hierarchy);
  return g_test_run ();
}
