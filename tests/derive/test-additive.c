/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <math.h>
#include <string.h>
#include "derive/cost/level-cost.h"
#include "derive/derivation/derive.h"
#include "derive/execute/execute.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/program/loop-program.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* Reductions over sums of parts (LayerNorm and a contraction, variances): what they carry, what they cost, and that data far from 0 loses
 * nothing. The reference is worked out here, in long double, the data taken from its mean first. */

#define OFFSET 1e6
#define ROWS 5
#define COLUMNS 96
#define OUTS 3

typedef struct
{
  double x[ROWS * COLUMNS], w[COLUMNS * OUTS];
} Data;

static void
fill (Data *data, double offset)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);

  for (guint i = 0; i < ROWS * COLUMNS; i++)
    data->x[i] = offset + g_rand_double_range (random, -1., 1.);
  for (guint i = 0; i < COLUMNS * OUTS; i++)
    data->w[i] = g_rand_double_range (random, -1., 1.);
}

static long double
mean_of (const double *x)
{
  long double sum = 0.L;

  for (guint m = 0; m < COLUMNS; m++)
    sum += (long double) x[m] - (long double) x[0];
  return (long double) x[0] + sum / COLUMNS;
}

static long double
variance_of (const double *x)
{
  long double mean = mean_of (x), sum = 0.L;

  for (guint m = 0; m < COLUMNS; m++)
    sum += ((long double) x[m] - mean) * ((long double) x[m] - mean);
  return sum / COLUMNS;
}

static long double
linear_of (const Data *data, guint n, guint k)
{
  const double *x = data->x + n * COLUMNS;
  long double mean = mean_of (x), sum = 0.L;

  for (guint m = 0; m < COLUMNS; m++)
    sum += ((long double) x[m] - mean) * (long double) data->w[m * OUTS + k];
  return sum / sqrtl (variance_of (x) + 1e-6L);
}

static HeddleArray *
array_new (const double *data, gint64 rows, gint64 columns)
{
  const gint64 shape[] = { rows, columns };
  HeddleArray *array = heddle_array_new (HEDDLE_DTYPE_F64, 2, shape, NULL);

  memcpy (array->data, data, sizeof (double) * (gsize) (rows * columns));
  return array;
}

/* The kernel's one output, streamed by @chunk. */
static HeddleArray *
run (const Fixture *fixture, const Data *data, guint chunk)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *labels = g_strdup_printf ("m:stream=%u n:group=2", chunk);
  g_autoptr (HeddleDerivation) derivation
      = fixture_derive_abstract (fixture, "all", labels, 100000, HEDDLE_COLUMNS_ALL, FALSE);
  const HeddleLoopProgram *program = fixture_kernel (derivation, 0)->program;
  const HeddleLevelCost *level = g_ptr_array_index (fixture_kernel (derivation, 0)->levels, 0);
  g_autoptr (GHashTable) arrays
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_array_unref);
  const HeddleValue *w = heddle_diagram_find_value (fixture->diagram, "W");
  HeddleCounts counts;

  g_assert_nonnull (program);
  g_hash_table_insert (arrays, (gpointer) heddle_diagram_find_value (fixture->diagram, "X")->id,
      array_new (data->x, ROWS, COLUMNS));
  if (w != NULL)
    g_hash_table_insert (arrays, (gpointer) w->id, array_new (data->w, COLUMNS, OUTS));
  heddle_execute (program, fixture->sizes, arrays, &counts, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (counts.transfer_elements, ==, level->transfer_elements);
  g_assert_cmpint (counts.peak_elements, ==, level->memory_elements);
  return heddle_array_ref (g_hash_table_lookup (arrays, heddle_ids_index (program->outputs, 0)));
}

static void
assert_relative (double value, long double reference, double tolerance)
{
  double error = (double) fabsl ((long double) value - reference);

  if (!(error <= tolerance * fabs ((double) reference)))
    g_error ("%.17g is not %.17g", value, (double) reference);
}

static void
test_variance (void)
{
  static const guint chunks[] = { 1, 7, 32, COLUMNS };
  g_auto (Fixture) fixture = { 0 };
  Data data;

  fixture_init (
      &fixture, "X : [n=5, m=96]\nM[n] = mean[m](X[n,m])\nV[n] = mean[m]((X[n,m] - M[n])^2)\n-> V\n", NULL);
  fill (&data, OFFSET);
  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    {
      g_autoptr (HeddleArray) v = run (&fixture, &data, chunks[i]);

      for (guint n = 0; n < ROWS; n++)
        assert_relative (v->data[n], variance_of (data.x + n * COLUMNS), 1e-8);
    }
}

#define LINEAR "X : [n=5, m=96]\nW : [m, k=3]\nY[n,k] = layernorm[m, eps=1e-6](X[n,m]) W[m,k]\n"

static void
test_layernorm_linear (void)
{
  static const guint chunks[] = { 1, 7, 32, COLUMNS };
  static const double offsets[] = { 0., OFFSET, -OFFSET };
  g_auto (Fixture) fixture = { 0 };
  Data data;

  fixture_init (&fixture, LINEAR, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (chunks) * G_N_ELEMENTS (offsets); i++)
    {
      g_autoptr (HeddleArray) y = NULL;

      fill (&data, offsets[i % G_N_ELEMENTS (offsets)]);
      y = run (&fixture, &data, chunks[i / G_N_ELEMENTS (offsets)]);
      for (guint n = 0; n < ROWS; n++)
        for (guint k = 0; k < OUTS; k++)
          assert_relative (y->data[n * OUTS + k], linear_of (&data, n, k), 1e-8);
    }
}

static const HeddleBuffer *
find_buffer (const HeddleLoopProgram *program, const char *name)
{
  for (guint i = 0; i < program->buffers->len; i++)
    if (g_str_equal (heddle_loop_program_get_buffer (program, i)->name, name))
      return heddle_loop_program_get_buffer (program, i);
  return NULL;
}

/* Streamed: X once for each group of outputs, W once for each group of rows, Y once. Held, by name: (A - mu B)/sigma has A as y_1 and B,
 * which no row changes, as y_2; the variance is v_1 and the sum about the centre that goes with it. */
static void
test_states (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  const HeddleKernel *kernel;
  const HeddleLevelCost *level;
  const HeddleBuffer *a, *b;

  fixture_init (&fixture, LINEAR, NULL);
  derivation = fixture_derive_abstract (
      &fixture, "all", "n:group=2 m:stream=32", 100000, HEDDLE_COLUMNS_OPERANDS, FALSE);
  kernel = fixture_kernel (derivation, 0);
  level = g_ptr_array_index (kernel->levels, 0);
  g_assert_cmpint (level->transfer_elements, ==, 5 * 96 + 3 * (96 * 3) + 5 * 3);
  a = find_buffer (kernel->program, "y_1");
  b = find_buffer (kernel->program, "y_2");
  g_assert_nonnull (find_buffer (kernel->program, "c"));
  g_assert_cmpint (a->role, ==, HEDDLE_BUFFER_STATE);
  g_assert_cmpuint (a->axes->len, ==, 2);
  g_assert_cmpint (b->role, ==, HEDDLE_BUFFER_STATE);
  g_assert_cmpuint (b->axes->len, ==, 1);
  g_assert_cmpstr (heddle_ids_index (b->axes, 0), ==, fixture_axis (&fixture, "k"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/additive/variance", test_variance);
  g_test_add_func ("/additive/layernorm-linear", test_layernorm_linear);
  g_test_add_func ("/additive/states", test_states);
  return g_test_run ();
}
