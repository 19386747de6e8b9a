/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <string.h>
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/program/guard.h"
#include "derive/program/loop-program.h"
#include "derive/program/pseudocode.h"

/* Steps that a mask empties: which there are, counted point by point, and which masks give none. */

#define MEMORY 116224
#define INPUTS "Q : f16[q=4096, d=128]\nK : f16[x=4096, d]\nV : f16[x, d]\n"
#define MASKED(mask)                                                                                         \
  INPUTS "P[q,x] = softmax[x](where(" mask ", Q[q,d] K[x,d] * d^-0.5, -inf))\nO[q,d] = P[q,x] V[x,d]\n"

static HeddleDerivation *
derive (const Fixture *fixture, const char *labels)
{
  return fixture_derive_abstract (fixture, "all", labels, MEMORY, HEDDLE_COLUMNS_OPERANDS, FALSE);
}

static const HeddleNode *
stream_of (const Fixture *fixture, const HeddleDerivation *derivation, const char *axis)
{
  const HeddleLoopProgram *program = fixture_kernel (derivation, 0)->program;

  g_assert_nonnull (program);
  return heddle_loop_program_get_band (program, fixture_axis (fixture, axis), HEDDLE_BAND_STREAM);
}

/* Known numbers: the same number of groups, another H. */
static void
test_causal (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) a = NULL, b = NULL;
  g_autofree char *listing = NULL;

  fixture_init (&fixture, MASKED ("x <= q"), NULL);
  a = derive (&fixture, "q:group=373 x:stream=64");
  b = derive (&fixture, "q:group=384 x:stream=64");
  g_assert_cmpint (a->transfer_elements, ==, 7421952);
  g_assert_cmpint (b->transfer_elements, ==, 7503872);
  g_assert_cmpint (fixture_kernel (a, 0)->groups, ==, fixture_kernel (b, 0)->groups);
  listing = heddle_loop_program_to_pseudocode (fixture_kernel (a, 0)->program, fixture.sizes, NULL);
  g_assert_nonnull (strstr (listing, "for x₀ in 0, 64 … 4096 where x₀ <= q₁\n"));
}

/* The FLOPs of the steps that run: 4 d for each of their points. */
static void
test_work (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  double points = 0.;

  fixture_init (&fixture, MASKED ("x <= q"), "q=1024 x=1024");
  derivation = derive (&fixture, "q:group=128 x:stream=64");
  for (guint tile = 0; tile < 8; tile++)
    points += 128. * (128. * (tile + 1));
  g_assert_cmpfloat (fixture_kernel (derivation, 0)->flops, ==, 4. * 128. * points);
}

/* Along which axes blocks get longer: a causal mask's rows do, those that look ahead do not, nor does the axis of the stream itself. */
static void
test_lengthens (void)
{
  static const struct
  {
    const char *mask;
    gboolean lengthens;
  } masks[] = { { "x <= q", TRUE }, { "x < q + 1", TRUE }, { "q <= x", FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (masks); i++)
    {
      g_auto (Fixture) fixture = { 0 };
      g_autoptr (HeddleDerivation) derivation = NULL;
      g_autofree char *text = g_strdup_printf (MASKED ("%s"), masks[i].mask);
      const HeddleNode *stream;

      fixture_init (&fixture, text, NULL);
      derivation = derive (&fixture, "q:group=128 x:stream=64");
      stream = stream_of (&fixture, derivation, "x");
      g_assert_nonnull (stream->guard);
      g_assert_cmpint (
          heddle_guard_lengthens (stream->guard, fixture_axis (&fixture, "q")), ==, masks[i].lengthens);
      g_assert_false (heddle_guard_lengthens (stream->guard, fixture_axis (&fixture, "d")));
    }
}

/* Sliding window: tiles and chunks that hold one point of it at least, found point by point. */
static gint64
count_chunks (gint64 q, gint64 x, gint64 g, gint64 s, gint64 window)
{
  gint64 loaded = 0;

  for (gint64 tile = 0; tile < q; tile += g)
    for (gint64 chunk = 0; chunk < x; chunk += s)
      {
        gboolean seen = FALSE;

        for (gint64 i = tile; i < MIN (tile + g, q); i++)
          for (gint64 j = chunk; j < MIN (chunk + s, x); j++)
            seen = seen || (j <= i && j > i - window);
        loaded += seen ? MIN (s, x - chunk) : 0;
      }
  return loaded;
}

static void
test_window (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  for (guint i = 0; i < 60; i++)
    {
      gint64 q = g_rand_int_range (random, 1, 90), x = g_rand_int_range (random, 1, 90);
      gint64 g = g_rand_int_range (random, 1, 40), s = g_rand_int_range (random, 1, 40);
      g_autofree char *sizes = g_strdup_printf ("q=%d x=%d d=4", (int) q, (int) x);
      g_autofree char *labels = g_strdup_printf ("q:group=%d x:stream=%d", (int) g, (int) s);
      g_auto (Fixture) fixture = { 0 };
      g_autoptr (HeddleDerivation) derivation = NULL;

      fixture_init (&fixture, MASKED ("x <= q and x > q - 17"), sizes);
      derivation = derive (&fixture, labels);
      g_assert_cmpint (derivation->transfer_elements, ==, 2 * q * 4 + 2 * 4 * count_chunks (q, x, g, s, 17));
    }
}

/* Tiles of one by chunks of one, a million of each: counted along the edge of the mask, or not at all. */
static void
test_large (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;

  fixture_init (&fixture, MASKED ("x <= q"), "q=100000 x=100000 d=1");
  derivation = derive (&fixture, "q:group=1 x:stream=1");
  g_assert_cmpint (derivation->transfer_elements, ==,
      2 * G_GINT64_CONSTANT (100000) + G_GINT64_CONSTANT (100000) * 100001);
}

/* Keys are heads of an array that is read under another name of its places: that name is no window, and the mask is counted as of arrays of their own. */
static void
test_renamed (void)
{
  g_auto (Fixture) apart = { 0 }, joint = { 0 };
  g_autoptr (HeddleDerivation) a = NULL, b = NULL;
  g_autofree char *listing = NULL;

  fixture_init (&apart,
      "Q : f16[h=4, q=512, d=64]\nK : f16[h, x=512, d]\nV : f16[h, x, d]\n"
      "P[h,q,x] = softmax[x](where(x <= q, Q[h,q,d] K[h,x,d], -inf))\nO[h,q,d] = P[h,q,x] V[h,x,d]\n-> O\n",
      NULL);
  fixture_init (&joint,
      "Q : f16[h=4, q=512, d=64]\nJ : f16[p=512, i=256]\nV : f16[h, x=512, d]\nK[h,x,d] = J[x,(h d)]\n"
      "P[h,q,x] = softmax[x](where(x <= q, Q[h,q,d] K[h,x,d], -inf))\nO[h,q,d] = P[h,q,x] V[h,x,d]\n-> O\n",
      NULL);
  a = derive (&apart, "h:group=1 q:group=64 x:stream=64");
  b = derive (&joint, "h:group=1 q:group=64 x:stream=64");
  listing = heddle_loop_program_to_pseudocode (fixture_kernel (b, 0)->program, joint.sizes, NULL);
  g_assert_nonnull (strstr (listing, "for x₀ in 0, 64 … 512 where x₀ <= q₁\n"));
  g_assert_nonnull (strstr (listing, "J ← load J[x₀ : x₀+64, 64*h₀ : 64*h₀+64]\n"));
  g_assert_cmpint (b->transfer_elements, ==, a->transfer_elements);
  g_assert_cmpfloat (fixture_kernel (b, 0)->flops, ==, fixture_kernel (a, 0)->flops);
}

/* A mask after the softmax leaves the sum of exponentials; one of data is not known before; what is saved is saved. */
static void
test_none (void)
{
  static const struct
  {
    const char *text, *labels, *stream;
  } rows[] = {
    { INPUTS "P[q,x] = softmax[x](Q[q,d] K[x,d])\nO[q,d] = where(x <= q, P[q,x], 0) V[x,d]\n", "x:stream=64",
        "x" },
    { INPUTS
        "B : [q, x]\nP[q,x] = softmax[x](where(B[q,x] > 0, Q[q,d] K[x,d], -inf))\nO[q,d] = P[q,x] V[x,d]\n",
        "x:stream=64", "x" },
    { "A : [a=8, b=9]\nB[a,b] = where(b <= a, A[a,b], 0)\n", "b:stream=2", "b" },
    { "A : [a=8, b=9]\nB[a] = sum[b](where(b <= a, A[a,b], 1))\n", "b:stream=2", "b" },
    { "A : [a=8, b=9]\nB[a] = max[b](where(b <= a, A[a,b], 0))\n", "b:stream=2", "b" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Fixture) fixture = { 0 };
      g_autoptr (HeddleDerivation) derivation = NULL;

      fixture_init (&fixture, rows[i].text, NULL);
      derivation = derive (&fixture, rows[i].labels);
      g_assert_null (stream_of (&fixture, derivation, rows[i].stream)->guard);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard/causal", test_causal);
  g_test_add_func ("/guard/work", test_work);
  g_test_add_func ("/guard/lengthens", test_lengthens);
  g_test_add_func ("/guard/window", test_window);
  g_test_add_func ("/guard/large", test_large);
  g_test_add_func ("/guard/renamed", test_renamed);
  g_test_add_func ("/guard/none", test_none);
  return g_test_run ();
}
