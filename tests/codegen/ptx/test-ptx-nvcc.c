/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "codegen/compile/compile.h"
#include "codegen/ptx/launch.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"
#include "codegen/ptx/ptx.h"
#include "ptx-case.h"

/* Kernels that nvcc compiles, against the C library of the host. */

static HeddlePtxModule *module;

/* Why there is no module; a machine without nvcc skips, any other failure fails. */
static const char *missing;

static void
compile (const char *nvcc)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "codegen", "ptx", "kernels.cu", NULL);
  g_autofree char *folder = g_dir_make_tmp ("heddle-ptx-XXXXXX", &error);
  g_assert_no_error (error);
  g_autofree char *target = g_build_filename (folder, "kernels.ptx", NULL);
  g_autofree char *text = NULL;
  gsize length;
  g_autoptr (GSubprocess) process = g_subprocess_new (
      G_SUBPROCESS_FLAGS_NONE, &error, nvcc, "-ptx", "-arch=sm_80", "-o", target, source, NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait_check (process, NULL, &error));
  g_assert_true (g_file_get_contents (target, &text, &length, &error));
  g_unlink (target);
  g_rmdir (folder);
  module = heddle_ptx_module_new (text, (gssize) length, &error);
  g_assert_no_error (error);
}

static gboolean
skipped (void)
{
  if (missing != NULL)
    g_test_skip (missing);
  return missing != NULL;
}

/* A launch in the making: a memory and the arguments so far. */
typedef struct
{
  HeddlePtxMemory *memory;
  guint64 values[8];
  gsize sizes[8];
  guint n;
  HeddlePtxStats stats;
} Launch;

static guint64
add_buffer (Launch *self, const char *name, gconstpointer data, gsize size)
{
  g_autoptr (GError) error = NULL;
  if (self->memory == NULL)
    self->memory = heddle_ptx_memory_new ();
  guint64 address = heddle_ptx_memory_allocate (self->memory, name, size, &error);
  g_assert_no_error (error);
  if (data != NULL)
    heddle_ptx_memory_write (self->memory, address, data, size, &error);
  g_assert_no_error (error);
  self->values[self->n] = address;
  self->sizes[self->n++] = sizeof address;
  return address;
}

static void
add_value (Launch *self, gconstpointer value, gsize size)
{
  memcpy (&self->values[self->n], value, size);
  self->sizes[self->n++] = size;
}

static void
add_int (Launch *self, gint value)
{
  add_value (self, &value, sizeof value);
}

static gboolean
run (Launch *self, const char *kernel, const HeddlePtxLaunch *config, GError **error)
{
  HeddlePtxArgument arguments[8];
  for (guint i = 0; i < self->n; i++)
    arguments[i] = (HeddlePtxArgument){ &self->values[i], self->sizes[i] };
  return heddle_ptx_launch (
      module, kernel, self->memory, config, arguments, self->n, NULL, &self->stats, error);
}

/* Runs it, which has to go well, and reads the buffer of argument @which. */
static void
run_and_read (
    Launch *self, const char *kernel, const HeddlePtxLaunch *config, guint which, gpointer data, gsize size)
{
  g_autoptr (GError) error = NULL;
  run (self, kernel, config, &error);
  g_assert_no_error (error);
  heddle_ptx_memory_read (self->memory, self->values[which], data, size, &error);
  g_assert_no_error (error);
}

static void
launch_clear (Launch *self)
{
  heddle_ptx_memory_free (self->memory);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Launch, launch_clear)

/* A function, its domain, and the most units in the last place by which it may be off: what the CUDA documentation
 * allows, and one more in double precision, whose reference is not exact either. */
typedef struct
{
  const char *name;
  long double (*unary) (long double);
  long double (*binary) (long double, long double);
  double least;
  double most;
  double single_bound;
  double double_bound;
} Function;

static long double
reciprocal_root (long double x)
{
  return 1 / sqrtl (x);
}

static long double
quotient (long double x, long double y)
{
  return x / y;
}

static const Function functions[] = {
  { "exp", expl, NULL, -110, 100, 2, 2 },
  { "exp2", exp2l, NULL, -150, 130, 2, 2 },
  { "expm1", expm1l, NULL, -20, 90, 2, 2 },
  { "log", logl, NULL, 0, 1e6, 2, 2 },
  { "log2", log2l, NULL, 0, 1e6, 2, 2 },
  { "log10", log10l, NULL, 0, 1e6, 2, 2 },
  { "log1p", log1pl, NULL, -1, 100, 2, 2 },
  { "sqrt", sqrtl, NULL, 0, 1e6, 0.5001, 0.5001 },
  { "rsqrt", reciprocal_root, NULL, 0, 1e6, 2, 2 },
  { "cbrt", cbrtl, NULL, -1e3, 1e3, 2, 2 },
  { "sin", sinl, NULL, -1e6, 1e6, 2, 3 },
  { "cos", cosl, NULL, -1e6, 1e6, 2, 3 },
  { "tan", tanl, NULL, -1e3, 1e3, 4, 3 },
  { "sinh", sinhl, NULL, -80, 80, 3, 3 },
  { "cosh", coshl, NULL, -80, 80, 2, 2 },
  { "tanh", tanhl, NULL, -10, 10, 2, 3 },
  { "asin", asinl, NULL, -1, 1, 2, 3 },
  { "acos", acosl, NULL, -1, 1, 2, 3 },
  { "atan", atanl, NULL, -50, 50, 2, 3 },
  { "erf", erfl, NULL, -5, 5, 2, 3 },
  { "erfc", erfcl, NULL, -5, 9, 4, 6 },
  { "tgamma", tgammal, NULL, 0.01, 30, 5, 11 },
  { "lgamma", lgammal, NULL, 0.01, 1, 6, 5 },
  { "fabs", fabsl, NULL, -9, 9, 0, 0 },
  { "floor", floorl, NULL, -9, 9, 0, 0 },
  { "ceil", ceill, NULL, -9, 9, 0, 0 },
  { "trunc", truncl, NULL, -9, 9, 0, 0 },
  { "round", roundl, NULL, -9, 9, 0, 0 },
  { "rint", rintl, NULL, -9, 9, 0, 0 },
  { "pow", NULL, powl, -4, 12, 4, 3 },
  { "fmod", NULL, fmodl, -500, 500, 0, 0 },
  { "remainder", NULL, remainderl, -500, 500, 0, 0 },
  { "fmax", NULL, fmaxl, -5, 5, 0, 0 },
  { "fmin", NULL, fminl, -5, 5, 0, 0 },
  { "atan2", NULL, atan2l, -5, 5, 3, 3 },
  { "hypot", NULL, hypotl, -1e3, 1e3, 3, 3 },
  { "copysign", NULL, copysignl, -5, 5, 0, 0 },
  { "divide", NULL, quotient, -1e3, 1e3, 0.5001, 0.5001 },
};

#define N_INPUTS 768

/* Inputs drawn from the domain, after the special ones. */
static void
fill_inputs (const Function *function, guint first, double *x)
{
  static const double specials[] = { 0.0, -0.0, 1.0, -1.0, 0.5, 2.0, (double) INFINITY, -(double) INFINITY,
    (double) NAN, 1e-40, -1e-40, 3e38 };
  GRand *random = g_rand_new_with_seed (first + 7);
  for (guint i = 0; i < N_INPUTS; i++)
    x[i] = i < 144 ? specials[first == 0 ? i % 12 : i / 12]
                   : g_rand_double_range (random, function->least, function->most);
  g_rand_free (random);
}

/* The distance of @value from the exact result in units of the last place, whose size is @epsilon of the binade but
 * at least @least. */
static double
error_of (long double value, long double exact, long double epsilon, long double least, long double most)
{
  if (isnan (exact) || isnan (value))
    return isnan (exact) && isnan (value) ? 0 : (double) INFINITY;
  if (isinf (value) && fabsl (exact) > most)
    return signbit (value) == signbit (exact) ? 0 : (double) INFINITY;
  if (isinf (value) || isinf (exact))
    return value == exact ? 0 : (double) INFINITY;
  int exponent = exact != 0 ? ilogbl (exact) : -20000;
  long double unit = fmaxl (ldexpl (epsilon, exponent), least);
  return (double) (fabsl (value - exact) / unit);
}

static const HeddlePtxLaunch sweep = { .grid = { 6, 1, 1 }, .block = { 128, 1, 1 } };

static long double
exact_value (const Function *function, double x, double z)
{
  return function->unary != NULL ? function->unary (x) : function->binary (x, z);
}

static void
check_worst (const Function *function, const char *kind, double worst, double at, double bound)
{
  g_test_message ("%s (%s): %.3f units in the last place at %.9g", function->name, kind, worst, at);
  g_assert_cmpfloat (worst, <=, bound);
}

static void
sweep_single (const Function *function)
{
  g_autofree char *kernel = g_strconcat ("f_", function->name, NULL);
  g_auto (Launch) launch = { 0 };
  double first[N_INPUTS], second[N_INPUTS], worst = 0, at = 0;
  float x[N_INPUTS], z[N_INPUTS], y[N_INPUTS];
  fill_inputs (function, 0, first);
  fill_inputs (function, 1, second);
  for (guint i = 0; i < N_INPUTS; i++)
    {
      x[i] = (float) first[i];
      z[i] = (float) second[i];
    }
  add_buffer (&launch, "y", NULL, sizeof y);
  add_buffer (&launch, "x", x, sizeof x);
  if (function->binary != NULL)
    add_buffer (&launch, "z", z, sizeof z);
  add_int (&launch, N_INPUTS);
  run_and_read (&launch, kernel, &sweep, 0, y, sizeof y);
  for (guint i = 0; i < N_INPUTS; i++)
    {
      double error
          = error_of (y[i], exact_value (function, x[i], z[i]), 0x1p-23L, 0x1p-149L, 0x1.fffffep127L);
      if (error > worst)
        at = x[i];
      worst = MAX (worst, error);
    }
  check_worst (function, "single", worst, at, function->single_bound);
}

static void
sweep_double (const Function *function)
{
  g_autofree char *kernel = g_strconcat ("d_", function->name, NULL);
  g_auto (Launch) launch = { 0 };
  double x[N_INPUTS], z[N_INPUTS], y[N_INPUTS], worst = 0, at = 0;
  fill_inputs (function, 0, x);
  fill_inputs (function, 1, z);
  add_buffer (&launch, "y", NULL, sizeof y);
  add_buffer (&launch, "x", x, sizeof x);
  if (function->binary != NULL)
    add_buffer (&launch, "z", z, sizeof z);
  add_int (&launch, N_INPUTS);
  run_and_read (&launch, kernel, &sweep, 0, y, sizeof y);
  for (guint i = 0; i < N_INPUTS; i++)
    {
      double error = error_of (
          y[i], exact_value (function, x[i], z[i]), 0x1p-52L, 0x1p-1074L, 0x1.fffffffffffffp1023L);
      if (error > worst)
        at = x[i];
      worst = MAX (worst, error);
    }
  check_worst (function, "double", worst, at, function->double_bound);
}

static void
test_function (gconstpointer data)
{
  if (skipped ())
    return;
  sweep_single (data);
  sweep_double (data);
}

static float *
random_floats (guint n, guint seed)
{
  float *values = g_new (float, n);
  GRand *random = g_rand_new_with_seed (seed);
  for (guint i = 0; i < n; i++)
    values[i] = (float) g_rand_double_range (random, -2, 2);
  g_rand_free (random);
  return values;
}

static void
test_vectors (void)
{
  if (skipped ())
    return;
  enum
  {
    N = 4000
  };
  g_autofree float *x = random_floats (N, 1), *y = random_floats (N, 2);
  g_auto (Launch) launch = { 0 };
  const HeddlePtxLaunch config = { .grid = { 3, 1, 1 }, .block = { 96, 1, 1 }, .seed = 5 };
  const float a = 1.7f;
  const gint64 n = N;
  float result[N];
  add_buffer (&launch, "y", y, sizeof result);
  add_buffer (&launch, "x", x, sizeof result);
  add_value (&launch, &a, sizeof a);
  add_value (&launch, &n, sizeof n);
  run_and_read (&launch, "axpy", &config, 0, result, sizeof result);
  for (guint i = 0; i < N; i++)
    g_assert_true (result[i] == fmaf (a, x[i], y[i]));
  g_assert_cmpuint (launch.stats.global_sectors_read, ==, 2 * N * sizeof (float) / 32);
  g_assert_cmpuint (launch.stats.global_sectors_written, ==, N * sizeof (float) / 32);
}

/* Sums of rows, whatever the order in which the warps run. */
static void
check_reduction (const char *kernel, guint threads, guint n, gsize shared)
{
  enum
  {
    ROWS = 3
  };
  g_autofree float *x = random_floats (ROWS * n, n);
  for (guint64 seed = 0; seed < 4; seed++)
    {
      g_auto (Launch) launch = { 0 };
      const HeddlePtxLaunch config = { .grid = { ROWS, 1, 1 },
        .block = { threads, 1, 1 },
        .dynamic_shared_bytes = shared,
        .seed = seed,
        .check_races = TRUE };
      float y[ROWS];
      add_buffer (&launch, "y", NULL, sizeof y);
      add_buffer (&launch, "x", x, ROWS * n * sizeof (float));
      add_int (&launch, (gint) n);
      run_and_read (&launch, kernel, &config, 0, y, sizeof y);
      for (guint r = 0; r < ROWS; r++)
        {
          double sum = 0;
          for (guint i = 0; i < n; i++)
            sum += (double) x[r * n + i];
          g_assert_cmpfloat_with_epsilon ((double) y[r], sum, 1e-4);
        }
    }
}

static void
test_reduction (void)
{
  if (skipped ())
    return;
  check_reduction ("reduce", 256, 1000, 0);
  check_reduction ("reduce", 32, 77, 0);
  check_reduction ("tree", 256, 200, 256 * sizeof (float));
}

static void
test_race (void)
{
  if (skipped ())
    return;
  g_autoptr (GError) error = NULL;
  g_autofree float *x = random_floats (256, 1);
  g_auto (Launch) launch = { 0 };
  const HeddlePtxLaunch config = { .grid = { 1, 1, 1 },
    .block = { 256, 1, 1 },
    .dynamic_shared_bytes = 256 * sizeof (float),
    .check_races = TRUE };
  add_buffer (&launch, "y", NULL, sizeof (float));
  add_buffer (&launch, "x", x, 256 * sizeof (float));
  add_int (&launch, 256);
  g_assert_false (run (&launch, "tree_without_barrier", &config, &error));
  ptx_case_assert_error (
      error, HEDDLE_PTX_ERROR_RACE, (const char *[]){ "tree_without_barrier", "no barrier", NULL });
}

/* An index one too large is found where it happens. */
static void
test_overrun (void)
{
  if (skipped ())
    return;
  g_autoptr (GError) error = NULL;
  g_autofree float *x = random_floats (100, 1);
  g_auto (Launch) launch = { 0 };
  add_buffer (&launch, "y", NULL, 100 * sizeof (float));
  add_buffer (&launch, "x", x, 100 * sizeof (float));
  add_int (&launch, 101);
  g_assert_false (run (&launch, "f_fabs", &sweep, &error));
  ptx_case_assert_error (error, HEDDLE_PTX_ERROR_ACCESS,
      (const char *[]){
          "f_fabs", "thread (100, 0, 0) of block (0, 0, 0)", "“x”", "0 bytes behind its end", NULL });
}

static void
check_transpose (const char *kernel, gboolean conflicts)
{
  enum
  {
    W = 70,
    H = 45
  };
  g_autofree float *x = random_floats (W * H, 3);
  g_auto (Launch) launch = { 0 };
  const HeddlePtxLaunch config
      = { .grid = { 3, 2, 1 }, .block = { 32, 8, 1 }, .seed = 9, .check_races = TRUE };
  float y[W * H];
  add_buffer (&launch, "y", NULL, sizeof y);
  add_buffer (&launch, "x", x, sizeof y);
  add_int (&launch, W);
  add_int (&launch, H);
  run_and_read (&launch, kernel, &config, 0, y, sizeof y);
  for (guint i = 0; i < H; i++)
    for (guint j = 0; j < W; j++)
      g_assert_true (y[j * H + i] == x[i * W + j]);
  g_assert_cmpuint (launch.stats.barriers, ==, 6);
  if (conflicts)
    g_assert_cmpuint (launch.stats.bank_conflicts, >, 1000);
  else
    g_assert_cmpuint (launch.stats.bank_conflicts, ==, 0);
}

static void
test_transpose (void)
{
  if (skipped ())
    return;
  check_transpose ("transpose", FALSE);
  check_transpose ("transpose_conflicting", TRUE);
}

static void
test_multiply (void)
{
  if (skipped ())
    return;
  enum
  {
    N = 40
  };
  g_autofree float *a = random_floats (N * N, 4), *b = random_floats (N * N, 5);
  g_auto (Launch) launch = { 0 };
  const HeddlePtxLaunch config
      = { .grid = { 3, 3, 1 }, .block = { 16, 16, 1 }, .seed = 11, .check_races = TRUE };
  float c[N * N];
  add_buffer (&launch, "c", NULL, sizeof c);
  add_buffer (&launch, "a", a, sizeof c);
  add_buffer (&launch, "b", b, sizeof c);
  add_int (&launch, N);
  run_and_read (&launch, "multiply", &config, 0, c, sizeof c);
  for (guint i = 0; i < N; i++)
    for (guint j = 0; j < N; j++)
      {
        float sum = 0;
        for (guint k = 0; k < N; k++)
          sum = fmaf (a[i * N + k], b[k * N + j], sum);
        g_assert_true (c[i * N + j] == sum);
      }
}

static guint16
half_bits (_Float16 value)
{
  guint16 bits;
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static _Float16
half_of (guint16 bits)
{
  _Float16 value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

/* The upper half of the float, rounded to nearest, ties to even. */
static guint16
bfloat_bits (float value)
{
  guint32 bits;
  memcpy (&bits, &value, sizeof bits);
  return (guint16) ((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static void
test_halves (void)
{
  if (skipped ())
    return;
  enum
  {
    N = 4096
  };
  g_auto (Launch) launch = { 0 };
  const HeddlePtxLaunch config = { .grid = { 32, 1, 1 }, .block = { 128, 1, 1 } };
  g_autoptr (GError) error = NULL;
  float x[N], from_half[N], sums[N];
  guint16 to_half[N], to_bfloat[N];
  for (guint i = 0; i < N; i++)
    x[i] = ldexpf (1 + (float) (i * 37 % 4099) / 4099, (int) (i % 44) - 27) * (i % 2 != 0 ? 1 : -1);
  add_buffer (&launch, "to_half", NULL, sizeof to_half);
  add_buffer (&launch, "to_bfloat", NULL, sizeof to_bfloat);
  add_buffer (&launch, "from_half", NULL, sizeof from_half);
  add_buffer (&launch, "sums", NULL, sizeof sums);
  add_buffer (&launch, "x", x, sizeof x);
  add_int (&launch, N);
  run_and_read (&launch, "halves", &config, 0, to_half, sizeof to_half);
  g_assert_true (
      heddle_ptx_memory_read (launch.memory, launch.values[1], to_bfloat, sizeof to_bfloat, &error));
  g_assert_true (
      heddle_ptx_memory_read (launch.memory, launch.values[2], from_half, sizeof from_half, &error));
  g_assert_true (heddle_ptx_memory_read (launch.memory, launch.values[3], sums, sizeof sums, &error));
  for (guint i = 0; i < N; i++)
    {
      _Float16 h = (_Float16) x[i];
      float expected = (float) half_of ((guint16) (i * 16));
      float sum = (float) (_Float16) ((float) h * 0.5f + 1) + (float) (_Float16) ((float) h * 2 + 1);
      g_assert_cmphex (to_half[i], ==, half_bits (h));
      g_assert_cmphex (to_bfloat[i], ==, bfloat_bits (x[i]));
      g_assert_true (isnan (expected) ? isnan (from_half[i]) : from_half[i] == expected);
      g_assert_true (isnan (sum) ? isnan (sums[i]) : sums[i] == sum);
    }
}

static gint
collatz (gint64 n)
{
  gint steps = 0;
  for (; n != 1; steps++)
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

static gint64
expected_integer (gint64 v, guint i)
{
  gint digits[20], count = 0;
  guint64 sum = 0;
  for (guint64 rest = v < 0 ? -(guint64) v : (guint64) v; rest != 0; rest /= 10)
    digits[count++] = (gint) (rest % 10);
  for (gint k = 0; k < count; k++)
    sum = sum * 3 + (guint64) digits[(k * 7 + (gint) i) % count];
  const guint64 variants[] = { sum + (guint64) (v / 1000), sum - (guint64) (v % 1001),
    sum ^ (guint64) (v >> 3), sum * (guint64) (gint64) (gint16) v,
    sum
        + (guint64) (__builtin_popcountll ((guint64) v) + (v != 0 ? __builtin_clzll ((guint64) v) : 64)
                     + __builtin_ffsll (v)),
    sum + (guint64) ((__int128) v * 0x123456789abcdefLL >> 64), sum + (guint64) collatz (i + 1) };
  return (gint64) variants[i % 7];
}

static void
test_integers (void)
{
  if (skipped ())
    return;
  enum
  {
    N = 500
  };
  g_auto (Launch) launch = { 0 };
  const HeddlePtxLaunch config = { .grid = { 8, 1, 1 }, .block = { 64, 1, 1 }, .seed = 2 };
  g_autoptr (GError) error = NULL;
  gint64 x[N], y[N];
  guint32 histogram[16] = { 0 }, expected[16] = { 0 };
  GRand *random = g_rand_new_with_seed (6);
  for (guint i = 0; i < N; i++)
    x[i] = (gint64) ((guint64) g_rand_int (random) << 32 | g_rand_int (random)) >> i % 60;
  g_rand_free (random);
  add_buffer (&launch, "y", NULL, sizeof y);
  add_buffer (&launch, "x", x, sizeof x);
  add_buffer (&launch, "histogram", histogram, sizeof histogram);
  add_int (&launch, N);
  run_and_read (&launch, "integers", &config, 0, y, sizeof y);
  g_assert_true (
      heddle_ptx_memory_read (launch.memory, launch.values[2], histogram, sizeof histogram, &error));
  for (guint i = 0; i < N; i++)
    {
      g_assert_cmpint (y[i], ==, expected_integer (x[i], i));
      expected[(guint64) x[i] % 16]++;
    }
  g_assert_cmpmem (histogram, sizeof histogram, expected, sizeof expected);
}

int
main (int argc, char **argv)
{
  g_autofree char *nvcc = heddle_nvcc_find ();

  g_test_init (&argc, &argv, NULL);
  if (nvcc != NULL)
    compile (nvcc);
  else
    missing = "there is no nvcc on this machine";
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      g_autofree char *path = g_strconcat ("/ptx/nvcc/function/", functions[i].name, NULL);
      g_test_add_data_func (path, &functions[i], test_function);
    }
  g_test_add_func ("/ptx/nvcc/vectors", test_vectors);
  g_test_add_func ("/ptx/nvcc/reduction", test_reduction);
  g_test_add_func ("/ptx/nvcc/race", test_race);
  g_test_add_func ("/ptx/nvcc/overrun", test_overrun);
  g_test_add_func ("/ptx/nvcc/transpose", test_transpose);
  g_test_add_func ("/ptx/nvcc/multiply", test_multiply);
  g_test_add_func ("/ptx/nvcc/halves", test_halves);
  g_test_add_func ("/ptx/nvcc/integers", test_integers);
  int status = g_test_run ();
  g_clear_pointer (&module, heddle_ptx_module_free);
  return status;
}
