/* SPDX-License-Identifier: MIT */

/* Arrays that fill several tiles, batches and pieces, against loops written here; and that threads change nothing. */

#include "attention.h"
#include "differentiate-case.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/evaluate/share.h"
#include "diagram/expression/batch.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/program-private.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"
#include "random-expr.h"

#include <math.h>
#include <string.h>

typedef struct
{
  HeddleDiagram *diagram;
  HeddleSizes *sizes;
  GHashTable *inputs;
  GHashTable *values;
} Case;

static void
case_init (Case *self, const DiagramText *text)
{
  g_autoptr (GError) error = NULL;

  self->diagram = diagram_of (text);
  self->inputs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  self->sizes = heddle_sizes_new (self->diagram, NULL, &error);
  g_assert_no_error (error);
  heddle_evaluate_fill_inputs (self->diagram, self->sizes, self->inputs, 5, &error);
  g_assert_no_error (error);
  self->values
      = heddle_evaluate (self->diagram, self->sizes, self->inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
}

static void
case_clear (Case *self)
{
  g_hash_table_unref (self->values);
  g_hash_table_unref (self->inputs);
  heddle_sizes_unref (self->sizes);
  heddle_diagram_free (self->diagram);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static const double *
data (const Case *self, const char *name)
{
  const HeddleArray *array
      = g_hash_table_lookup (self->values, heddle_diagram_find_value (self->diagram, name)->id);

  g_assert_nonnull (array);
  return array->data;
}

/* --- products ------------------------------------------------------------------------- */

#define B 3
#define M 131
#define N 67
#define K 300

/* Rows, columns and core points that are no multiples of what a tile holds; the sums are those of three loops to the last bit. */
static void
test_tiles (void)
{
  static const DiagramText text = { "tiles", "b=3 m=131 n=67 k=300", "X b k m; Y n b k",
    { "contract|Z|m b n|X Y|k", "contract|T|n m b|Y X|k" } };
  g_auto (Case) self;

  case_init (&self, &text);
  const double *x = data (&self, "X"), *y = data (&self, "Y"), *z = data (&self, "Z"), *t = data (&self, "T");

  for (guint b = 0; b < B; b++)
    for (guint m = 0; m < M; m++)
      for (guint n = 0; n < N; n++)
        {
          double sum = 0.;

          for (guint k = 0; k < K; k++)
            sum += x[(b * K + k) * M + m] * y[(n * B + b) * K + k];
          g_assert_cmpfloat (z[(m * B + b) * N + n], ==, sum);
          g_assert_cmpfloat (t[(n * M + m) * B + b], ==, sum);
        }
}

/* Few rows: a matrix times a vector, either way round. */
static void
test_lines (void)
{
  static const DiagramText text = { "lines", "m=131 k=300", "A m k; u m; v k",
    { "contract|p|m|A v|k", "contract|q|k|u A|m", "contract|s||u u|m" } };
  g_auto (Case) self;

  case_init (&self, &text);
  const double *a = data (&self, "A"), *u = data (&self, "u"), *v = data (&self, "v");
  double square = 0.;

  for (guint m = 0; m < M; m++)
    {
      double sum = 0.;

      for (guint k = 0; k < K; k++)
        sum += a[m * K + k] * v[k];
      g_assert_cmpfloat (data (&self, "p")[m], ==, sum);
      square += u[m] * u[m];
    }
  for (guint k = 0; k < K; k++)
    {
      double sum = 0.;

      for (guint m = 0; m < M; m++)
        sum += u[m] * a[m * K + k];
      g_assert_cmpfloat (data (&self, "q")[k], ==, sum);
    }
  g_assert_cmpfloat (*data (&self, "s"), ==, square);
}

static void
assert_near (double found, double expected, double scale)
{
  g_assert_cmpfloat (fabs (found - expected), <=, 1e-13 * scale);
}

/* Three and four arrays, one of them with an axis that it alone has: all points at once here, two arrays at a time there. */
static void
test_several (void)
{
  static const DiagramText text = { "several", "a=9 b=8 c=7 d=6", "P a b; Q b c; R c a d; S a",
    { "contract|three|a d|P Q R|b c", "contract|four||P Q R S|a b c d" } };
  g_auto (Case) self;
  double all = 0., size = 0.;

  case_init (&self, &text);
  const double *p = data (&self, "P"), *q = data (&self, "Q"), *r = data (&self, "R"), *s = data (&self, "S");

  for (guint a = 0; a < 9; a++)
    for (guint d = 0; d < 6; d++)
      {
        double sum = 0.;

        for (guint b = 0; b < 8; b++)
          for (guint c = 0; c < 7; c++)
            sum += p[a * 8 + b] * q[b * 7 + c] * r[(c * 9 + a) * 6 + d];
        assert_near (data (&self, "three")[a * 6 + d], sum, 56.);
        all += sum * s[a];
        size += fabs (sum * s[a]);
      }
  assert_near (*data (&self, "four"), all, size);
}

/* A chain of matrices that all at once would take 10^12 products. */
static void
test_order (void)
{
  static const DiagramText text = { "order", "a=1000 b=1000 c=1000 d=1000", "P a b; Q b c; v c; w d",
    { "contract|y|a|P Q v w|b c d" } };
  g_auto (Case) self;
  g_autofree double *t = g_new0 (double, 1000);
  double w = 0.;

  case_init (&self, &text);
  for (guint i = 0; i < 1000000; i++)
    t[i / 1000] += data (&self, "Q")[i] * data (&self, "v")[i % 1000];
  for (guint i = 0; i < 1000; i++)
    w += data (&self, "w")[i];
  for (guint a = 0; a < 1000; a += 111)
    {
      double sum = 0.;

      for (guint b = 0; b < 1000; b++)
        sum += data (&self, "P")[a * 1000 + b] * t[b];
      assert_near (data (&self, "y")[a], sum * w, 1e6);
    }
}

/* --- batches -------------------------------------------------------------------------- */

/* Rows longer and shorter than a batch, in place and across. */
static void
test_reductions (void)
{
  static const DiagramText text = { "reductions", "a=37 b=1000 c=3", "X a b c",
    { "sum|long|a c|X|b", "max|short|a b|X|c", "mean|two|a|X|b c", "softmax|P|a b c|X|b",
        "rmsnorm|R|b a c|X|c" } };
  g_auto (Case) self;

  case_init (&self, &text);
  const double *x = data (&self, "X");

  for (guint a = 0; a < 37; a++)
    {
      double total = 0.;

      for (guint c = 0; c < 3; c++)
        {
          double sum = 0., weights = 0.;

          for (guint b = 0; b < 1000; b++)
            {
              sum += x[(a * 1000 + b) * 3 + c];
              weights += exp (x[(a * 1000 + b) * 3 + c]);
            }
          g_assert_cmpfloat (data (&self, "long")[a * 3 + c], ==, sum);
          for (guint b = 0; b < 1000; b += 123)
            assert_near (
                data (&self, "P")[(a * 1000 + b) * 3 + c], exp (x[(a * 1000 + b) * 3 + c]) / weights, 1.);
          total += sum;
        }
      assert_near (data (&self, "two")[a], total / 3000., 1.);
      for (guint b = 0; b < 1000; b++)
        {
          const double *at = x + (a * 1000 + b) * 3;
          double root = sqrt ((at[0] * at[0] + at[1] * at[1] + at[2] * at[2]) / 3.);

          g_assert_cmpfloat (data (&self, "short")[a * 1000 + b], ==, fmax (at[0], fmax (at[1], at[2])));
          assert_near (data (&self, "R")[(b * 37 + a) * 3 + 2], at[2] / root, 1.);
        }
    }
}

/* A map over a transposed operand and one that is broadcast, with an index; a read with a shift. */
static void
test_maps (void)
{
  static const DiagramText text = { "maps", "a=300 b=301", "X b a; r b; V a b",
    { "map|Y|a b|X r|$0*$1 - index(a)", "reindex|Z|a b|V|index(a) - 2;index(b)" } };
  g_auto (Case) self;

  case_init (&self, &text);
  for (guint a = 0; a < 300; a++)
    for (guint b = 0; b < 301; b++)
      {
        const double *x = data (&self, "X"), *r = data (&self, "r");

        g_assert_cmpfloat (data (&self, "Y")[a * 301 + b], ==, x[b * 300 + a] * r[b] - a);
        g_assert_cmpfloat (
            data (&self, "Z")[a * 301 + b], ==, a < 2 ? 0. : data (&self, "V")[(a - 2) * 301 + b]);
      }
}

static void
value_of_leaf (const HeddleExpr *leaf, guint point, double *value)
{
  *value = sin (heddle_expr_hash (leaf) * 1e-3 + point) * (point % 7 == 0 ? 1e9 : 3.);
}

/* Programs at many points do what they do at one. */
static void
test_programs (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);

  for (guint i = 0; i < 300; i++)
    {
      g_autoptr (HeddleExpr) expr = random_expr (random, 1 + i % 7);
      g_autoptr (HeddleExprProgram) program = heddle_expr_compile (expr);
      guint n = heddle_expr_program_get_n_slots (program);
      g_autofree double *values = g_new (double, (gsize) n *HEDDLE_EXPR_BATCH);
      g_autofree const double **slots = g_new (const double *, n);
      g_autofree double *room = heddle_expr_program_new_room (program);
      g_autofree double *at = g_new (double, n);

      for (guint j = 0; j < n * HEDDLE_EXPR_BATCH; j++)
        value_of_leaf (
            heddle_expr_program_get_slot (program, j / HEDDLE_EXPR_BATCH), j % HEDDLE_EXPR_BATCH, &values[j]);
      for (guint j = 0; j < n; j++)
        slots[j] = values + (gsize) j * HEDDLE_EXPR_BATCH;
      const double *found = heddle_expr_program_run_batch (program, slots, HEDDLE_EXPR_BATCH, room);
      for (guint point = 0; point < HEDDLE_EXPR_BATCH; point++)
        {
          for (guint j = 0; j < n; j++)
            at[j] = slots[j][point];
          double one = heddle_expr_program_run (program, at);
          g_assert_true (found[point] == one || (isnan (found[point]) && isnan (one)));
        }
    }
}

/* --- threads and what is kept ---------------------------------------------------------- */

static const DiagramText network = { "network", "x=150 y=150 k=90 f=200", "X x k; W k f; U f k; Y y k",
  { "contract|A|x f|X W|k", "map|H|x f|A|gelu($0)", "contract|Z|x k|H U|f", "contract|S|y x|Y Z|k",
      "softmax|P|y x|S|x", "layernorm|L|y x|P|x|1e-5" } };

static void
test_threads (void)
{
  static const guint counts[] = { 1, 2, 5, 0 };
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_auto (Case) self;

      heddle_evaluate_set_threads (counts[i]);
      case_init (&self, &network);
      for (guint j = 0; j < self.diagram->values->len; j++)
        {
          const HeddleValue *value = g_ptr_array_index (self.diagram->values, j);
          HeddleArray *array = g_hash_table_lookup (self.values, value->id);

          if (i == 0)
            g_ptr_array_add (kept, heddle_array_ref (array));
          const HeddleArray *first = g_ptr_array_index (kept, j);
          g_assert_cmpmem (first->data, first->n_elements * sizeof (double), array->data,
              array->n_elements * sizeof (double));
        }
    }
  g_ptr_array_set_free_func (kept, (GDestroyNotify) heddle_array_unref);
}

static gpointer
evaluate_in_thread (gpointer text)
{
  g_auto (Case) self;

  case_init (&self, text);
  return g_memdup2 (data (&self, "L"), 150 * 150 * sizeof (double));
}

/* Several evaluations at once, which share the threads. */
static void
test_at_once (void)
{
  GThread *threads[4];
  g_autofree double *expected = NULL;

  expected = evaluate_in_thread ((gpointer) &network);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("evaluate", evaluate_in_thread, (gpointer) &network);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autofree double *found = g_thread_join (threads[i]);

      g_assert_cmpmem (found, 150 * 150 * sizeof (double), expected, 150 * 150 * sizeof (double));
    }
}

/* What is wanted is there and right; what only led to it is not kept, and what does not is not made. */
static void
test_wanted (void)
{
  g_auto (Case) self;
  g_autoptr (GArray) wanted = NULL;
  g_autoptr (GHashTable) values = NULL;
  g_autoptr (GError) error = NULL;

  case_init (&self, &network);
  wanted = fixture_ids (self.diagram, "Z P");
  values = heddle_evaluate_wanted (
      self.diagram, self.sizes, self.inputs, wanted, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      const HeddleArray *full = g_hash_table_lookup (self.values, heddle_ids_index (wanted, i)),
                        *array = g_hash_table_lookup (values, heddle_ids_index (wanted, i));

      g_assert_cmpmem (
          full->data, full->n_elements * sizeof (double), array->data, array->n_elements * sizeof (double));
    }
  g_assert_false (g_hash_table_contains (values, heddle_diagram_find_value (self.diagram, "A")->id));
  g_assert_false (g_hash_table_contains (values, heddle_diagram_find_value (self.diagram, "H")->id));
  g_assert_false (g_hash_table_contains (values, heddle_diagram_find_value (self.diagram, "S")->id));
  g_assert_false (g_hash_table_contains (values, heddle_diagram_find_value (self.diagram, "L")->id));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/evaluate/blocks/tiles", test_tiles);
  g_test_add_func ("/evaluate/blocks/lines", test_lines);
  g_test_add_func ("/evaluate/blocks/several", test_several);
  g_test_add_func ("/evaluate/blocks/order", test_order);
  g_test_add_func ("/evaluate/blocks/reductions", test_reductions);
  g_test_add_func ("/evaluate/blocks/maps", test_maps);
  g_test_add_func ("/evaluate/blocks/programs", test_programs);
  g_test_add_func ("/evaluate/blocks/threads", test_threads);
  g_test_add_func ("/evaluate/blocks/at-once", test_at_once);
  g_test_add_func ("/evaluate/blocks/wanted", test_wanted);
  return g_test_run ();
}
