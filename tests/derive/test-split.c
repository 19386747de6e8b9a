/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <math.h>
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
#include "diagram/document/schedule.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/graph/diagram.h"

/* Split-K: groups of a reduced axis, partial states written, and a second kernel that merges them. */

static HeddleDerivation *
derive_h100 (const Fixture *fixture, const char *labels, gboolean suggest)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("h100-sxm", 0, &error);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TIME, 1, suggest };

  g_assert_no_error (error);
  return fixture_derive (fixture, "all", labels, &options);
}

/* Q by each of 8 groups, K and V once, m, l and o of 8 groups written and read, O written. */
static void
test_transfers (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  const HeddleKernel *kernel;
  const HeddleLevelCost *level;
  gint64 states = 8 * (1 + 1 + 128);

  fixture_init (&fixture, ATTENTION, "q=1");
  derivation
      = fixture_derive_abstract (&fixture, "all", "x:group=512 x:stream=64", 0, HEDDLE_COLUMNS_ALL, FALSE);
  kernel = fixture_kernel (derivation, 0);
  g_assert_false (derivation->illegal);
  g_assert_nonnull (kernel->program->combine);
  g_assert_cmpint (kernel->groups, ==, 8);
  level = g_ptr_array_index (kernel->levels, 0);
  g_assert_cmpint (level->transfer_elements, ==, 8 * 128 + 2 * 4096 * 128 + 2 * states + 128);
  g_assert_cmpint (level->memory_elements, ==, 2 * 128 + 2 * 64 * 128 + 64 + 2);
  g_assert_cmpuint (kernel->program->partials->len, ==, 3);
  g_assert_cmpuint (kernel->program->inputs->len, ==, 3);
}

/* States are kept and written in f32: 4 bytes each, where Q, K, V and O have 2. */
static void
test_bytes (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  gint64 states = 8 * (1 + 1 + 128);

  fixture_init (&fixture, ATTENTION, "q=1");
  derivation = derive_h100 (&fixture, "x:group=512 x:stream=64", FALSE);
  g_assert_cmpint (derivation->transfer_bytes, ==, 2 * (8 * 128 + 2 * 4096 * 128 + 128) + 4 * 2 * states);
}

/* X and W once and the first element of each row by each of 4 groups, the sums of 4 groups written and read, Y written; far from 0, where sums of
 * squares about 0 would leave 6 digits of the variance. */
static void
test_centred (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GHashTable) reference = NULL;
  g_autoptr (HeddleDerivation) derivation = NULL;
  gint64 states = 2 * 8 + 8 * 6 + 6; /* d and v_1, y_1, y_2: the sum of 2 (X - c) is twice d */
  const HeddleLevelCost *level;
  HeddleArray *x;

  fixture_init (
      &fixture, "X : [n=8, m=12]\nW : [m, k=6]\nY[n,k] = layernorm[m, eps=1e-6](X[n,m]) W[m,k]\n", NULL);
  g_assert_true (heddle_evaluate_fill_inputs (fixture.diagram, fixture.sizes, inputs, 3, &error));
  x = g_hash_table_lookup (inputs, "X");
  for (gint64 i = 0; i < x->n_elements; i++)
    x->data[i] += 1000.;
  reference = heddle_evaluate (fixture.diagram, fixture.sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  derivation = fixture_derive_abstract (&fixture, "all", "m:group=3", 0, HEDDLE_COLUMNS_ALL, FALSE);
  g_assert_false (derivation->illegal);
  level = g_ptr_array_index (fixture_kernel (derivation, 0)->levels, 0);
  g_assert_cmpint (level->transfer_elements, ==, 8 * 12 + 12 * 6 + 4 * 8 + 2 * 4 * states + 8 * 6);
  fixture_check_kernel (
      fixture.sizes, "centred", fixture_kernel (derivation, 0), reference, HEDDLE_COLUMNS_ALL);
}

/* A whole group of masked scores adds nothing, and rows without any score stay 0. */
static void
test_masked (void)
{
  static const char *const text = "S : [q=5, x=12]\nV : [x, d=3]\n"
                                  "O[q,d] = softmax[x](where(x < 3*q - 3, S[q,x], -inf)) V[x,d]\n";
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GHashTable) reference = NULL;
  const HeddleArray *o;

  fixture_init (&fixture, text, NULL);
  g_assert_true (heddle_evaluate_fill_inputs (fixture.diagram, fixture.sizes, inputs, 3, &error));
  reference = heddle_evaluate (fixture.diagram, fixture.sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  o = g_hash_table_lookup (reference, heddle_diagram_find_value (fixture.diagram, "O")->id);
  g_assert_cmpfloat (o->data[0], ==, 0.);
  for (guint group = 1; group <= 12; group++)
    {
      g_autofree char *labels = g_strdup_printf ("x:group=%u q:group=2", group);
      g_autoptr (HeddleDerivation) derivation
          = fixture_derive_abstract (&fixture, "all", labels, 0, HEDDLE_COLUMNS_ALL, FALSE);

      fixture_check_kernel (
          fixture.sizes, labels, fixture_kernel (derivation, 0), reference, HEDDLE_COLUMNS_ALL);
    }
}

static void
test_refusals (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) ragged = NULL, second = NULL, whole = NULL;
  const HeddleRefusal *refusal;

  fixture_init (&fixture, ATTENTION, NULL);
  ragged
      = fixture_derive_abstract (&fixture, "all", "x:group=1000 x:stream=64", 0, HEDDLE_COLUMNS_ALL, FALSE);
  refusal = g_ptr_array_index (fixture_kernel (ragged, 0)->refusals, 0);
  g_assert_cmpstr (refusal->remedy, ==, "Make it 1024.");
  second
      = fixture_derive_abstract (&fixture, "all", "x:group=1024 q:stream=64", 0, HEDDLE_COLUMNS_ALL, FALSE);
  refusal = g_ptr_array_index (fixture_kernel (second, 0)->refusals, 0);
  g_assert_cmpstr (refusal->remedy, ==, "Remove the label of x first.");
  whole = fixture_derive_abstract (&fixture, "all", "x:group=5000 x:stream=64", 0, HEDDLE_COLUMNS_ALL, FALSE);
  g_assert_false (whole->illegal);
}

/* One query keeps one SM busy: splitting x fills the machine. 4096 queries fill it without. */
static void
test_decode (void)
{
  g_auto (Fixture) decode = { 0 }, prefill = { 0 };
  g_autoptr (HeddleDerivation) one = NULL, many = NULL, streamed = NULL;
  const HeddleKernel *kernel;

  fixture_init (&decode, ATTENTION, "q=1 x=65536");
  one = derive_h100 (&decode, NULL, TRUE);
  kernel = fixture_kernel (one, 0);
  g_assert_nonnull (kernel->program->combine);
  g_assert_cmpint (kernel->groups, >, 66);
  streamed = derive_h100 (&decode, "x:stream=128", FALSE);
  g_assert_cmpint (fixture_kernel (streamed, 0)->groups, ==, 1);
  g_assert_cmpfloat (one->expected_s * 20., <, streamed->expected_s);

  fixture_init (&prefill, ATTENTION, "q=32768");
  many = derive_h100 (&prefill, NULL, TRUE);
  g_assert_null (fixture_kernel (many, 0)->program->combine);
}

/* Of parts that take equally long, those whose loops are longest to a step: not 1376 in steps of 32, as the least of three parts would be. */
static void
test_steps (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL, given = NULL;
  const HeddleKernel *kernel;

  fixture_init (&fixture, ATTENTION, "q=4096 x=4096");
  derivation = derive_h100 (&fixture, NULL, TRUE);
  kernel = fixture_kernel (derivation, 0);
  g_assert_nonnull (kernel->program->combine);
  g_assert_cmpint (fixture_label (&fixture, kernel, "x", HEDDLE_LABEL_STREAM), ==, 128);
  given = derive_h100 (&fixture, "q:group=96 x:group=1376 x:stream=32", FALSE);
  g_assert_cmpfloat (derivation->expected_s, <=, given->expected_s);
}

static void
test_listing (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  g_autofree char *listing = NULL;

  fixture_init (&fixture, "X : [a=8, b=12]\nY[a] = sum[b](X[a,b])\n", NULL);
  derivation = fixture_derive_abstract (&fixture, "all", "b:group=4", 0, HEDDLE_COLUMNS_ALL, FALSE);
  listing = heddle_loop_program_to_pseudocode (fixture_kernel (derivation, 0)->program, fixture.sizes, NULL);
  g_assert_cmpstr (listing, ==,
      "parfor b′ in 0, 4 … 12\n"
      "  y ← 0  # running sum\n"
      "  for b₀ in b′, b′+4 … min(b′+4, 12)\n"
      "    X ← load X[:, b₀ : b₀+4]\n"
      "    y ← y + sum[b](X)\n"
      "  save y_part[b′/4, :] ← y\n"
      "# second kernel: merges the parts of b\n"
      "y ← 0  # running sum\n"
      "for b_part₀ in 0, 1 … 3\n"
      "  y_part ← load y_part[b_part₀ : b_part₀+1, :]\n"
      "  y ← y + sum[b_part](y_part)\n"
      "save Y[:] ← y\n");
}

/* The block of a ResNet that halves the picture: X is read by a convolution whose results are summed in parts, and, in the kernel that merges the
 * parts, by the shortcut. Its window there goes along the shortcut's axes alone. */
static void
test_windows (void)
{
  static const char *const text
      = "X : [c=3, x=16]\nU : [m=8, c, k=3]\nW : [o=4, m, j=3]\nV : [o, c]\n"
        "axis y = 8\naxis z = 8\nP[c,x] = relu(X[c,x])\nA[m,y] = P[c, 2*y + k - 1] U[m,c,k]\n"
        "B[o,z] = A[m, z + j - 1] W[o,m,j]\n"
        "D[o,z] = P[c, 2*z] V[o,c]\nY[o,z] = relu(B[o,z] + D[o,z])\n-> Y\n";
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleDerivation) derivation = NULL;
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GHashTable) reference = NULL;
  g_autofree char *listing = NULL;

  fixture_init (&fixture, text, NULL);
  g_assert_true (heddle_evaluate_fill_inputs (fixture.diagram, fixture.sizes, inputs, 3, &error));
  reference = heddle_evaluate (fixture.diagram, fixture.sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  derivation = fixture_derive_abstract (&fixture, "all", "m:group=2 z:group=2", 0, HEDDLE_COLUMNS_ALL, FALSE);
  g_assert_false (derivation->illegal);
  g_assert_nonnull (fixture_kernel (derivation, 0)->program->combine);
  listing = heddle_loop_program_to_pseudocode (
      fixture_kernel (derivation, 0)->program->combine, fixture.sizes, NULL);
  g_assert_nonnull (strstr (listing, "load X[:, 2*z₀ : 2*z₀+3]"));
  g_assert_nonnull (strstr (listing, "P[:, 2*z₀ : 2*z₀+3] ← relu(X)"));
  fixture_check_kernel (
      fixture.sizes, "windows", fixture_kernel (derivation, 0), reference, HEDDLE_COLUMNS_ALL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/split/transfers", test_transfers);
  g_test_add_func ("/split/bytes", test_bytes);
  g_test_add_func ("/split/masked", test_masked);
  g_test_add_func ("/split/refusals", test_refusals);
  g_test_add_func ("/split/centred", test_centred);
  g_test_add_func ("/split/decode", test_decode);
  g_test_add_func ("/split/steps", test_steps);
  g_test_add_func ("/split/listing", test_listing);
  g_test_add_func ("/split/windows", test_windows);
  return g_test_run ();
}
