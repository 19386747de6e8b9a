/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <math.h>
#include "derive/cost/level-cost.h"
#include "derive/cost/time-part.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"

/* What a machine is priced by: types of their own, energy, counts beyond 64 bits. */

/* Queries and keys in fp8, values in f16: the attention that "FlashAttention on a Napkin" designs for Hopper. */
#define FP8_ATTENTION                                                                                        \
  "Q : e4m3[q=4096, d=128]\nK : e4m3[x=4096, d]\nV : f16[x, d]\n"                                            \
  "S[q,x] = Q[q,d] K[x,d]\n"                                                                                 \
  "P[q,x] = softmax[x](S[q,x] * d^-0.5)\n"                                                                   \
  "O[q,d] = P[q,x] V[x,d]\n"

static HeddleDerivation *
derive_on (const Fixture *fixture, const char *gpu, const char *labels)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find (gpu, 0, &error);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TIME, 1, FALSE };

  g_assert_no_error (error);
  return fixture_derive (fixture, "all", labels, &options);
}

static void
assert_near (double value, double expected, double share)
{
  g_assert_cmpfloat_with_epsilon (value / expected, 1., share);
}

/* Per row and step of 64 the tensor cores take 2 clocks for the scores in fp8 and 4 for the rest in f16, the special functions 65/16; a step moves
 * 64 keys of a byte a value and 64 values of two. */
static void
test_mixed (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  const HeddleKernel *kernel;
  const HeddleLevelCost *level;
  double row_steps = 4096. * 4096. / 64., clocks = 132. * 1.83e9, step_s, rows_s;

  fixture_init (&fixture, FP8_ATTENTION, NULL);
  derivation = derive_on (&fixture, "h100", "q:group=384 x:stream=64");
  kernel = fixture_kernel (derivation, 0);
  level = g_ptr_array_index (kernel->levels, 0);
  assert_near (kernel->tensor_s, row_steps * 6. / clocks, 1e-3);
  assert_near (kernel->special_s, row_steps * 65. / 16. / clocks, 1e-3);
  assert_near (kernel->flops / kernel->tensor_s, 32768. / 6. * 132. * 1.83e9, 1e-3);
  g_assert_cmpfloat (kernel->tensor_flops, ==, 4. * 4096. * 4096. * 128.);
  g_assert_cmpint (level->step_bytes, ==, 24576);
  g_assert_cmpint (level->step_elements, ==, 2 * 64 * 128);
  step_s = (double) level->step_bytes / (3.35e12 / 132.);
  assert_near (step_s, .968e-6, 1e-3);
  rows_s = kernel->tensor_s / (4096. / 384. * 64.) * 132.;
  assert_near (rows_s, 1.259e-6, 1e-3);
  g_assert_cmpfloat_with_epsilon (kernel->ridge, 295.3, .3);
  g_assert_cmpfloat_with_epsilon (kernel->ridge, 384. * step_s / rows_s, .05);
}

/* All of the inputs and the output cross DRAM once; only its energy is known. */
static void
test_energy (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) known = NULL, unknown = NULL;
  double bytes = 2. * 4. * 4096. * 128.;

  fixture_init (&fixture, ATTENTION, NULL);
  known = derive_on (&fixture, "a100", "q:group=64 x:stream=64");
  unknown = derive_on (&fixture, "h100", "q:group=64 x:stream=64");
  assert_near (fixture_kernel (known, 0)->joules, bytes * 8. * 3.92e-12, 1e-9);
  g_assert_cmpfloat (fixture_kernel (unknown, 0)->joules, ==, 0.);
}

/* 2^41 values of each of two operands, each again for 2^36 groups: 2^77 and more. */
static void
test_beyond (void)
{
  g_auto (Fixture) fixture = { 0 }, within = { 0 };
  g_autoptr (HeddleDerivation) beyond = NULL, largest = NULL;
  const HeddleLevelCost *level;

  fixture_init (&fixture, ATTENTION, "q=1099511627776 x=1099511627776 d=2");
  beyond = derive_on (&fixture, "h100", "q:group=16 x:stream=16");
  level = g_ptr_array_index (fixture_kernel (beyond, 0)->levels, 0);
  g_assert_cmpint (level->transfer_elements, ==, G_MAXINT64);
  g_assert_cmpint (level->transfer_bytes, ==, G_MAXINT64);
  g_assert_cmpint (beyond->transfer_elements, ==, G_MAXINT64);
  g_assert_cmpint (level->memory_elements, ==, 2 * 16 * 2 + 2 * 16 * 2 + 16 * 16 + 2 * 16);

  /* The largest that does fit: 2 * 2^40 * 2 + 2 * 2^40 * 2 * 2^18 values. */
  fixture_init (&within, ATTENTION, "q=1099511627776 x=1099511627776 d=2");
  largest = derive_on (&within, "h100", "q:group=4194304 x:stream=16");
  level = g_ptr_array_index (fixture_kernel (largest, 0)->levels, 0);
  g_assert_cmpint (level->transfer_elements, ==,
      G_GINT64_CONSTANT (4) * (G_GINT64_CONSTANT (1) << 40)
          + (G_GINT64_CONSTANT (4) << 40) * (G_GINT64_CONSTANT (1) << 18));
}

/* The time at a level of caches is that of the slowest; DRAM, of which nine tenths are reached where no more is told, is read again only of what the
 * largest does not hold. */
static void
test_caches (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  const HeddleKernel *kernel;
  double moved = 2. * (2. * 4096. * 128. + 2. * 4096. * 128. * 64.);

  fixture_init (&fixture, ATTENTION, NULL);
  derivation = derive_on (&fixture, "mi300x", "q:group=64 x:stream=32");
  kernel = fixture_kernel (derivation, 0);
  assert_near (kernel->l2_s, moved / 17.2e12, 1e-12);
  assert_near (kernel->dram_s, 2. * 4. * 4096. * 128. / (.9 * 5.325e12), 1e-12);
}

/* The bytes of global memory that a kernel of @text with @labels moves on an H100, told by the time they take at the 3.03 TB/s that it sustains;
 * that time does not bound it. */
static double
dram_bytes_of (const char *text, const char *labels)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;

  fixture_init (&fixture, text, NULL);
  derivation = derive_on (&fixture, "h100", labels);
  g_assert_true (fixture_kernel (derivation, 0)->fits);
  g_assert_cmpstr (fixture_kernel (derivation, 0)->bound, !=, "dram");
  return fixture_kernel (derivation, 0)->dram_s * 3.03e12;
}

#define PRODUCT(n) "A : f16[m=" n ", k=" n "]\nB : f16[k, n=" n "]\nC[m,n] = A[m,k] B[k,n]\n"

/* A factor of 128 MiB is beyond L2, but the blocks that run at a time share what they read of it: each wave of 264 blocks, two on each SM, which are 8.25
 * rows of 32, reads 8.25 tiles of A and all of B, and nothing of B is left of the wave before. */
static void
test_waves (void)
{
  double matrix = 2. * 8192. * 8192., waves = 2048. / 264.;
  double small = dram_bytes_of (PRODUCT ("2048"), "m:group=128 n:group=256 k:stream=64");
  double large = dram_bytes_of (PRODUCT ("8192"), "m:group=128 n:group=256 k:stream=64");

  assert_near (small, 3. * 2. * 2048. * 2048., 1e-3);
  assert_near (large, matrix * (2. + waves), 1e-3);
}

/* One head at a time passes through L2: its keys and values are read from global memory once, however many groups of queries read them. */
static void
test_heads (void)
{
  double bytes = dram_bytes_of ("Q : f16[h=16, q=16384, d=128]\nK : f16[h, x=16384, d]\nV : f16[h, x, d]\n"
                                "S[h,q,x] = Q[h,q,d] K[h,x,d]\nP[h,q,x] = softmax[x](S[h,q,x] * d^-0.5)\n"
                                "O[h,q,d] = P[h,q,x] V[h,x,d]\n",
      "h:group=1 q:group=128 x:stream=64");

  g_assert_cmpfloat (bytes, >=, 4. * 2. * 16. * 16384. * 128. * (1. - 1e-9));
  g_assert_cmpfloat (bytes, <=, 1.2 * 4. * 2. * 16. * 16384. * 128.);
}

/* With 16 groups, 116 of 132 SMs are idle, and so that share of the time of the work is theirs. Each has one block, of which an SM holds no
 * second; the tensor cores lower the clock to 83 %. The parts add up to the last bit. */
static void
test_parts (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  const HeddleKernel *kernel;
  double sum = 0., work;

  fixture_init (&fixture, ATTENTION, NULL);
  derivation = derive_on (&fixture, "h100", "q:group=256 x:stream=64");
  kernel = fixture_kernel (derivation, 0);
  work = kernel->expected_s - kernel->parts[HEDDLE_TIME_BLOCKS] - kernel->parts[HEDDLE_TIME_LAUNCH];
  for (guint i = 0; i < HEDDLE_TIME_N_PARTS; i++)
    {
      g_assert_cmpfloat (kernel->parts[i], >=, 0.);
      sum += kernel->parts[i];
    }
  g_assert_cmpfloat (sum, ==, kernel->expected_s);
  assert_near (kernel->parts[HEDDLE_TIME_LONGEST], kernel->tensor_s, 1e-9);
  assert_near (kernel->parts[HEDDLE_TIME_EXPOSED], MAX (kernel->special_s, kernel->fp32_s), 1e-9);
  assert_near (kernel->parts[HEDDLE_TIME_IDLE] / work, 1. - 16. / 132., 1e-9);
  assert_near (kernel->parts[HEDDLE_TIME_CLOCK],
      (kernel->tensor_s + MAX (kernel->special_s, kernel->fp32_s)) * (1. / .83 - 1.), 1e-9);
  assert_near (kernel->parts[HEDDLE_TIME_BLOCKS], 335e-9 + 400. / 1.83e9, 1e-3);
  assert_near (kernel->parts[HEDDLE_TIME_LAUNCH], 2.2e-6, 1e-9);
}

/* The sums of squares, exponents and products of 4 by 3 values, counted by hand. */
static void
test_units (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  const HeddleKernel *kernel;

  fixture_init (&fixture, "X : f16[n=4, m=3]\nW : f16[m, k=5]\nY[n,k] = exp(X[n,m]) W[m,k]\n", NULL);
  derivation = derive_on (&fixture, "h100", "");
  kernel = fixture_kernel (derivation, 0);
  g_assert_cmpfloat (kernel->tensor_flops, ==, 2. * 4. * 3. * 5.);
  g_assert_cmpfloat (kernel->special_ops, ==, 4. * 3.);
  g_assert_cmpfloat (kernel->fp32_ops, ==, 0.);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/price/mixed", test_mixed);
  g_test_add_func ("/price/energy", test_energy);
  g_test_add_func ("/price/beyond", test_beyond);
  g_test_add_func ("/price/caches", test_caches);
  g_test_add_func ("/price/waves", test_waves);
  g_test_add_func ("/price/heads", test_heads);
  g_test_add_func ("/price/parts", test_parts);
  g_test_add_func ("/price/units", test_units);
  return g_test_run ();
}
