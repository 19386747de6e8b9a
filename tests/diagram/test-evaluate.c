/* SPDX-License-Identifier: MIT */
#include "attention.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/base/error.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/graph/diagram.h"

#include <math.h>
#include <string.h>

/* --- a diagram with inputs, evaluated -------------------------------------------------- */

typedef struct
{
  HeddleDiagram *diagram;
  HeddleSizes *sizes;
  GHashTable *inputs;
  GHashTable *values;
} Case;

static void
case_init (Case *self)
{
  self->diagram = heddle_diagram_new ("case");
  self->inputs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  self->sizes = NULL;
  self->values = NULL;
}

static void
case_clear (Case *self)
{
  g_clear_pointer (&self->values, g_hash_table_unref);
  g_clear_pointer (&self->sizes, heddle_sizes_unref);
  g_clear_pointer (&self->inputs, g_hash_table_unref);
  g_clear_pointer (&self->diagram, heddle_diagram_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

/* Adds an axis of that size for each "name=size" of @axes. */
static void
add_axes (Case *self, const char *axes)
{
  g_auto (GStrv) parts = g_strsplit (axes, " ", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      char *size = strchr (parts[i], '=');

      *size = '\0';
      fixture_axis (self->diagram, parts[i], g_ascii_strtod (size + 1, NULL));
    }
}

static void
resolve (Case *self)
{
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->sizes, heddle_sizes_unref);
  self->sizes = heddle_sizes_new (self->diagram, NULL, &error);
  g_assert_no_error (error);
}

static void
evaluate_in (Case *self, HeddlePrecision precision)
{
  g_autoptr (GError) error = NULL;

  resolve (self);
  heddle_evaluate_fill_inputs (self->diagram, self->sizes, self->inputs, 17, &error);
  g_assert_no_error (error);
  g_clear_pointer (&self->values, g_hash_table_unref);
  self->values = heddle_evaluate (self->diagram, self->sizes, self->inputs, precision, NULL, &error);
  g_assert_no_error (error);
}

static void
evaluate (Case *self)
{
  evaluate_in (self, HEDDLE_PRECISION_F64);
}

static HeddleArray *
result (Case *self, const char *name)
{
  HeddleArray *array
      = g_hash_table_lookup (self->values, heddle_diagram_find_value (self->diagram, name)->id);

  g_assert_nonnull (array);
  return array;
}

/* An input of the values given. */
static void
set_input (Case *self, const char *name, const char *axes, const double *values)
{
  const char *id = fixture_input (self->diagram, name, axes);
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, id);
  gint64 shape[4];
  HeddleArray *array;

  resolve (self);
  for (guint i = 0; i < value->axes->len; i++)
    shape[i] = heddle_sizes_get (self->sizes, heddle_ids_index (value->axes, i));
  array = heddle_array_new (HEDDLE_DTYPE_F64, value->axes->len, shape, NULL);
  memcpy (array->data, values, array->n_elements * sizeof (double));
  g_hash_table_insert (self->inputs, g_strdup (name), array);
}

static HeddleExpr *
axis_symbol (const char *name, gpointer data)
{
  const HeddleAxis *axis = heddle_diagram_find_axis (data, name);

  return axis != NULL ? heddle_expr_size (axis->id) : NULL;
}

static HeddleExpr *
expression (Case *self, const char *text)
{
  g_autoptr (GError) error = NULL;
  HeddleExpr *expr = heddle_expr_parse (text, axis_symbol, self->diagram, &error);

  g_assert_no_error (error);
  return expr;
}

/* result[axes] = body (operands) */
static void
add_map (Case *self, const char *name, const char *axes, const char *operands, const char *body)
{
  fixture_operation (self->diagram, "map", name, axes, operands, "")->body = expression (self, body);
}

/* result[axes] = operand[indices], the indices separated by ";" */
static void
add_reindex (Case *self, const char *name, const char *axes, const char *operand, const char *indices)
{
  HeddleOperation *operation = fixture_operation (self->diagram, "reindex", name, axes, operand, "");
  g_auto (GStrv) parts = g_strsplit (indices, ";", -1);

  operation->indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  for (guint i = 0; parts[i] != NULL; i++)
    g_ptr_array_add (operation->indices, expression (self, parts[i]));
}

static void
assert_values (Case *self, const char *name, const double *expected, guint n)
{
  const HeddleArray *array = result (self, name);

  g_assert_cmpint (array->n_elements, ==, n);
  for (guint i = 0; i < n; i++)
    if (!(fabs (array->data[i] - expected[i]) <= 1e-14 * fabs (expected[i])) && array->data[i] != expected[i])
      g_error ("%s at %u is %.17g, not %.17g", name, i, array->data[i], expected[i]);
}
#define assert_result(self, name, ...)                                                                       \
  assert_values ((self), (name), (const double[]){ __VA_ARGS__ },                                            \
      sizeof ((const double[]){ __VA_ARGS__ }) / sizeof (double))

/* --- whole algorithms against long double ---------------------------------------------- */

/* Scaled dot-product attention, row by row. */
static void
attend (const double *q, const double *k, const double *v, guint n_x, guint n_d, double *out)
{
  long double scores[64], greatest = -HUGE_VALL, total = 0.L;

  for (guint x = 0; x < n_x; x++)
    {
      long double dot = 0.L;

      for (guint d = 0; d < n_d; d++)
        dot += (long double) q[d] * k[x * n_d + d];
      scores[x] = dot / sqrtl (n_d);
      greatest = fmaxl (greatest, scores[x]);
    }
  for (guint x = 0; x < n_x; x++)
    total += scores[x] = expl (scores[x] - greatest);
  for (guint d = 0; d < n_d; d++)
    {
      long double sum = 0.L;

      for (guint x = 0; x < n_x; x++)
        sum += scores[x] / total * v[x * n_d + d];
      out[d] = (double) sum;
    }
}

static void
test_attention (void)
{
  static const guint cases[][3] = { { 5, 7, 3 }, { 1, 1, 1 }, { 1, 33, 16 }, { 40, 64, 5 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint n_q = cases[i][0], n_x = cases[i][1], n_d = cases[i][2];
      g_auto (Case) self;
      g_autoptr (HeddleArray) expected = NULL;
      const HeddleArray *q, *k, *v;

      case_init (&self);
      heddle_diagram_free (self.diagram);
      self.diagram = fixture_attention ();
      for (guint j = 0; j < 3; j++)
        {
          HeddleAxis *axis = heddle_diagram_edit_axis (self.diagram,
              heddle_diagram_find_axis (self.diagram, (const char *[]){ "q", "x", "d" }[j])->id);

          heddle_expr_unref (axis->size);
          axis->size = heddle_expr_number (cases[i][j]);
        }
      evaluate (&self);
      q = result (&self, "Q");
      k = result (&self, "K");
      v = result (&self, "V");
      expected = heddle_array_new (HEDDLE_DTYPE_F64, 2, (const gint64[]){ n_q, n_d }, NULL);
      for (guint row = 0; row < n_q; row++)
        attend (q->data + row * n_d, k->data, v->data, n_x, n_d, expected->data + row * n_d);
      g_assert_cmpfloat (heddle_array_relative_error (result (&self, "O"), expected, NULL), <, 1e-14);
    }
}

/* C[i,j] = sum over k of A[i,k] B[k,j] for every order of the axes of the three arrays. */
static void
test_matrix_products (void)
{
  static const char *const orders[][3] = { { "i k", "k j", "i j" }, { "k i", "k j", "i j" },
    { "i k", "j k", "i j" }, { "k i", "j k", "i j" }, { "i k", "k j", "j i" }, { "k i", "k j", "j i" },
    { "i k", "j k", "j i" }, { "k i", "j k", "j i" } };
  const guint n_i = 4, n_j = 5, n_k = 6;

  for (gsize order = 0; order < G_N_ELEMENTS (orders); order++)
    {
      g_auto (Case) self;
      const double *a, *b, *c;
      gboolean a_first = orders[order][0][0] == 'i', b_first = orders[order][1][0] == 'k',
               c_first = orders[order][2][0] == 'i';

      case_init (&self);
      add_axes (&self, "i=4 j=5 k=6");
      fixture_input (self.diagram, "A", orders[order][0]);
      fixture_input (self.diagram, "B", orders[order][1]);
      fixture_operation (self.diagram, "contract", "C", orders[order][2], "A B", "k");
      evaluate (&self);
      a = result (&self, "A")->data;
      b = result (&self, "B")->data;
      c = result (&self, "C")->data;
      for (guint i = 0; i < n_i; i++)
        for (guint j = 0; j < n_j; j++)
          {
            long double sum = 0.L;

            for (guint k = 0; k < n_k; k++)
              sum += (long double) a[a_first ? i * n_k + k : k * n_i + i]
                     * b[b_first ? k * n_j + j : j * n_k + k];
            g_assert_cmpfloat_with_epsilon (c[c_first ? i * n_j + j : j * n_i + i], (double) sum, 1e-14);
          }
    }
}

/* Y[z,f] = sum over w, c of X[2 z + w - 1, c] W[w,c,f]: a convolution with stride 2 and padding 1. */
static void
test_convolution (void)
{
  g_auto (Case) self;
  g_autoptr (HeddleArray) expected = NULL;
  const double *x, *w;

  case_init (&self);
  add_axes (&self, "t=9 c=2 w=3 f=4 z=5");
  fixture_input (self.diagram, "X", "t c");
  fixture_input (self.diagram, "W", "w c f");
  add_reindex (&self, "T", "z w c", "X", "2*index(z) + index(w) - 1;index(c)");
  fixture_operation (self.diagram, "contract", "Y", "z f", "T W", "w c");
  evaluate (&self);
  x = result (&self, "X")->data;
  w = result (&self, "W")->data;
  expected = heddle_array_new (HEDDLE_DTYPE_F64, 2, (const gint64[]){ 5, 4 }, NULL);
  for (int z = 0; z < 5; z++)
    for (int f = 0; f < 4; f++)
      for (int k = 0; k < 3; k++)
        for (int c = 0; c < 2; c++)
          {
            int t = 2 * z + k - 1;

            if (t >= 0 && t < 9)
              expected->data[z * 4 + f] += x[t * 2 + c] * w[(k * 2 + c) * 4 + f];
          }
  g_assert_cmpfloat (heddle_array_relative_error (result (&self, "Y"), expected, NULL), <, 1e-14);
}

/* --- forms, by hand --------------------------------------------------------------------- */

static void
test_contractions (void)
{
  g_auto (Case) self;

  case_init (&self);
  add_axes (&self, "i=2 j=3");
  set_input (&self, "a", "i", (double[]){ 1, 2 });
  set_input (&self, "b", "j", (double[]){ 3, 4, 5 });
  set_input (&self, "s", "", (double[]){ 10 });
  set_input (&self, "M", "i j", (double[]){ 1, 0, 2, 0, 1, 1 });
  fixture_operation (self.diagram, "contract", "outer", "i j", "a b", "");
  fixture_operation (self.diagram, "contract", "form", "", "a M b", "i j");
  fixture_operation (self.diagram, "contract", "scaled", "j", "s b", "");
  fixture_operation (self.diagram, "contract", "square", "", "s s", "");
  fixture_operation (self.diagram, "contract", "batched", "i", "a a a", "");
  evaluate (&self);
  assert_result (&self, "outer", 3, 4, 5, 6, 8, 10);
  assert_result (&self, "form", 1 * (3 + 10) + 2 * (4 + 5));
  assert_result (&self, "scaled", 30, 40, 50);
  assert_result (&self, "square", 100);
  assert_result (&self, "batched", 1, 8);
}

static void
test_maps (void)
{
  g_auto (Case) self;

  case_init (&self);
  add_axes (&self, "i=2 j=3");
  set_input (&self, "a", "i", (double[]){ 1, 2 });
  set_input (&self, "b", "j", (double[]){ 3, 4, 5 });
  add_map (&self, "sum", "j i", "a b", "$0 + 10*$1");
  add_map (&self, "copy", "j i", "a", "$0");
  add_map (&self, "place", "i j", "", "index(i)*j + index(j)");
  add_map (&self, "triangle", "i j", "b", "where(index(j) <= index(i), $0, -inf)");
  add_map (&self, "constant", "", "", "2^3");
  evaluate (&self);
  assert_result (&self, "sum", 31, 32, 41, 42, 51, 52);
  assert_result (&self, "copy", 1, 2, 1, 2, 1, 2);
  assert_result (&self, "place", 0, 1, 2, 3, 4, 5);
  assert_result (&self, "triangle", 3, -INFINITY, -INFINITY, 3, 4, -INFINITY);
  assert_result (&self, "constant", 8);
}

static void
test_reductions (void)
{
  g_auto (Case) self;

  case_init (&self);
  add_axes (&self, "i=2 j=3");
  set_input (&self, "A", "i j", (double[]){ 1, -2, 4, 3, 5, 10 });
  fixture_operation (self.diagram, "sum", "sum", "i", "A", "j");
  fixture_operation (self.diagram, "sum", "columns", "j", "A", "i");
  fixture_operation (self.diagram, "max", "max", "i", "A", "j");
  fixture_operation (self.diagram, "min", "min", "", "A", "i j");
  fixture_operation (self.diagram, "mean", "mean", "i", "A", "j");
  fixture_operation (self.diagram, "prod", "prod", "i", "A", "j");
  fixture_operation (self.diagram, "logsumexp", "lse", "i", "A", "j");
  evaluate (&self);
  assert_result (&self, "sum", 3, 18);
  assert_result (&self, "columns", 4, 3, 14);
  assert_result (&self, "max", 4, 10);
  assert_result (&self, "min", -2);
  assert_result (&self, "mean", 1, 6);
  assert_result (&self, "prod", -8, 150);
  assert_result (&self, "lse", log (exp (1.) + exp (-2.) + exp (4.)), 10. + log1p (exp (-7.) + exp (-5.)));
}

static void
test_norms (void)
{
  g_auto (Case) self;
  double rms = sqrt (29. / 3. + 3.), mean = 3., deviation = sqrt (2. / 3. + .5);

  case_init (&self);
  add_axes (&self, "b=2 m=3");
  set_input (&self, "X", "b m", (double[]){ 2, 3, 4, 0, 0, 0 });
  fixture_operation (self.diagram, "rmsnorm", "rms", "b m", "X", "m")->options[0] = 3.;
  fixture_operation (self.diagram, "layernorm", "layer", "b m", "X", "m")->options[0] = .5;
  fixture_operation (self.diagram, "l2norm", "l2", "b m", "X", "m")->options[0] = 7.;
  fixture_operation (self.diagram, "rmsnorm", "bare", "m b", "X", "m");
  evaluate (&self);
  assert_result (&self, "rms", 2 / rms, 3 / rms, 4 / rms, 0, 0, 0);
  assert_result (&self, "layer", (2 - mean) / deviation, 0, (4 - mean) / deviation, 0, 0, 0);
  assert_result (&self, "l2", 2. / 6., 3. / 6., 4. / 6., 0, 0, 0);
  /* Without eps a row of zeros has no norm. */
  g_assert_cmpfloat_with_epsilon (result (&self, "bare")->data[0], 2. / sqrt (29. / 3.), 1e-15);
  g_assert_true (isnan (result (&self, "bare")->data[1]));
}

static void
test_masked_softmax (void)
{
  g_auto (Case) self;
  double e = exp (1.);

  case_init (&self);
  add_axes (&self, "q=3 x=3");
  set_input (&self, "S", "q x", (double[]){ 1, 2, 3, 4, 5, 6, 1e4, 1e4 + 1, -1e4 });
  add_map (&self, "masked", "q x", "S", "where(index(x) < index(q), $0, -inf)");
  fixture_operation (self.diagram, "softmax", "P", "q x", "masked", "x");
  fixture_operation (self.diagram, "logsumexp", "L", "q", "masked", "x");
  fixture_operation (self.diagram, "softmax", "all", "q x", "S", "x");
  evaluate (&self);
  assert_result (&self, "P", 0, 0, 0, 1, 0, 0, 1 / (1 + e), e / (1 + e), 0);
  assert_result (&self, "L", -INFINITY, 4, 1e4 + log (1 + e));
  g_assert_cmpfloat_with_epsilon (result (&self, "all")->data[0], 1 / (1 + e + e * e), 1e-15);
}

static void
test_softmax_of_two_axes (void)
{
  g_auto (Case) self;

  case_init (&self);
  add_axes (&self, "a=2 b=2 c=2");
  set_input (&self, "X", "a b c", (double[]){ 0, 5, 0, 5, 0, 5, 0, 5 });
  fixture_operation (self.diagram, "softmax", "P", "a b c", "X", "a b");
  evaluate (&self);
  assert_result (&self, "P", .25, .25, .25, .25, .25, .25, .25, .25);
}

static void
test_reindexing (void)
{
  g_auto (Case) self;

  case_init (&self);
  add_axes (&self, "i=2 j=2 k=2 m=4 y=2 s=2");
  set_input (&self, "A", "i j", (double[]){ 1, 2, 3, 4 });
  set_input (&self, "v", "m", (double[]){ 5, 6, 7, 8 });
  add_reindex (&self, "transpose", "j i", "A", "index(i);index(j)");
  add_reindex (&self, "diagonal", "k", "A", "index(k);index(k)");
  add_reindex (&self, "rename", "y j", "A", "index(y);index(j)");
  add_reindex (&self, "merge", "m", "A", "floor(index(m)/2);mod(index(m), 2)");
  add_reindex (&self, "split", "i j", "v", "index(i)*j + index(j)");
  add_reindex (&self, "slice", "s", "v", "index(s) + 1");
  add_reindex (&self, "row", "j", "A", "1;index(j)");
  add_reindex (&self, "shift", "m", "v", "index(m) - 1");
  evaluate (&self);
  assert_result (&self, "transpose", 1, 3, 2, 4);
  assert_result (&self, "diagonal", 1, 4);
  assert_result (&self, "rename", 1, 2, 3, 4);
  assert_result (&self, "merge", 1, 2, 3, 4);
  assert_result (&self, "split", 5, 6, 7, 8);
  assert_result (&self, "slice", 6, 7);
  assert_result (&self, "row", 3, 4);
  assert_result (&self, "shift", 0, 5, 6, 7);
}

/* --- reads outside ---------------------------------------------------------------------- */

/* T[z,w] = X[2 z + w - 1] reads x = -1 at z = 0, and 3 at z = 1, where X ends at 2. */
static void
init_window (Case *self, const double *x)
{
  case_init (self);
  add_axes (self, "t=3 z=2 w=3 k=2");
  set_input (self, "X", "t", x);
  add_reindex (self, "T", "z w", "X", "2*index(z) + index(w) - 1");
}

static void
test_pooling_leaves_out (void)
{
  g_auto (Case) self;

  init_window (&self, (double[]){ -1, -2, -4 });
  fixture_operation (self.diagram, "max", "max", "z", "T", "w");
  fixture_operation (self.diagram, "mean", "mean", "z", "T", "w");
  fixture_operation (self.diagram, "prod", "prod", "z", "T", "w");
  fixture_operation (self.diagram, "sum", "sum", "z", "T", "w");
  fixture_operation (self.diagram, "max", "all", "", "T", "z w");
  fixture_operation (self.diagram, "max", "along", "w", "T", "z");
  evaluate (&self);
  assert_result (&self, "T", 0, -1, -2, -2, -4, 0);
  assert_result (&self, "max", -1, -2);
  assert_result (&self, "mean", -1.5, -3);
  assert_result (&self, "prod", 2, 8);
  assert_result (&self, "sum", -3, -6);
  assert_result (&self, "all", -1);
  assert_result (&self, "along", -2, -1, -2);
}

static void
test_norms_leave_out (void)
{
  g_auto (Case) self;
  double e = exp (1.);

  init_window (&self, (double[]){ 1, 2, 2 });
  fixture_operation (self.diagram, "softmax", "P", "z w", "T", "w");
  fixture_operation (self.diagram, "layernorm", "N", "z w", "T", "w")->options[0] = 1.;
  fixture_operation (self.diagram, "max", "M", "z", "N", "w");
  evaluate (&self);
  assert_result (&self, "P", 0, 1 / (1 + e), e / (1 + e), .5, .5, 0);
  assert_result (&self, "N", 0, -.5 / sqrt (1.25), .5 / sqrt (1.25), 0, 0, 0);
  /* The norm has taken the mark: to the maximum after it the 0 is a value like others. */
  assert_result (&self, "M", .5 / sqrt (1.25), 0);
}

static void
test_all_left_out (void)
{
  g_auto (Case) self;

  case_init (&self);
  add_axes (&self, "t=2 z=2 w=2");
  set_input (&self, "X", "t", (double[]){ 3, 4 });
  add_reindex (&self, "T", "z w", "X", "index(z)*9 + index(w)");
  fixture_operation (self.diagram, "max", "max", "z", "T", "w");
  fixture_operation (self.diagram, "sum", "sum", "z", "T", "w");
  fixture_operation (self.diagram, "softmax", "P", "z w", "T", "w");
  fixture_operation (self.diagram, "mean", "mean", "z", "T", "w");
  evaluate (&self);
  assert_result (&self, "max", 4, -INFINITY);
  assert_result (&self, "sum", 7, 0);
  g_assert_cmpfloat (result (&self, "P")->data[2], ==, 0.);
  g_assert_true (isnan (result (&self, "mean")->data[1]));
}

static void
test_marks_pass_maps (void)
{
  g_auto (Case) self;

  init_window (&self, (double[]){ -1, -2, -4 });
  set_input (&self, "B", "k", (double[]){ 1, 3 });
  add_map (&self, "U", "z w", "T", "$0 - 10");
  fixture_operation (self.diagram, "max", "max", "z", "U", "w");
  /* A product with another array, and its sum over an axis that is not the read's. */
  add_map (&self, "V", "w k z", "T B", "$0*$1 - 1");
  fixture_operation (self.diagram, "sum", "W", "z w", "V", "k");
  fixture_operation (self.diagram, "max", "then", "z", "W", "w");
  fixture_operation (self.diagram, "contract", "C", "z w", "T B", "k");
  fixture_operation (self.diagram, "max", "contracted", "z", "C", "w");
  evaluate (&self);
  assert_result (&self, "max", -11, -12);
  assert_result (&self, "then", -6, -10);
  assert_result (&self, "contracted", -4, -8);
}

/* The innermost reduction over any axis of the read takes the mark: here that over c, of which nothing is left at w = 0. */
static void
test_innermost_takes (void)
{
  g_auto (Case) self;

  case_init (&self);
  add_axes (&self, "t=2 c=2 z=1 w=2");
  set_input (&self, "X", "t c", (double[]){ -1, -2, -3, -4 });
  add_reindex (&self, "T", "z w c", "X", "index(z) + index(w) - 1;index(c)");
  fixture_operation (self.diagram, "sum", "S", "z w", "T", "c");
  fixture_operation (self.diagram, "max", "M", "z", "S", "w");
  fixture_operation (self.diagram, "max", "both", "z", "T", "w c");
  evaluate (&self);
  assert_result (&self, "S", 0, -3);
  assert_result (&self, "M", 0);
  assert_result (&self, "both", -1);
}

/* Infinity times what is outside is left out, not NaN. */
static void
test_contraction_leaves_out (void)
{
  g_auto (Case) self;

  init_window (&self, (double[]){ 1, 2, 4 });
  set_input (&self, "F", "w", (double[]){ INFINITY, 1, 10 });
  fixture_operation (self.diagram, "contract", "Y", "z", "T F", "w");
  evaluate (&self);
  assert_result (&self, "Y", 1 + 20, INFINITY);
}

/* Two reads in one term, of which a reduction takes only its own. */
static void
test_two_reads (void)
{
  g_auto (Case) self;

  case_init (&self);
  add_axes (&self, "t=2 a=2 b=2");
  set_input (&self, "X", "t", (double[]){ -1, -2 });
  add_reindex (&self, "A", "a", "X", "index(a) + 1");
  add_reindex (&self, "B", "b", "X", "index(b) - 1");
  add_map (&self, "D", "a b", "A B", "$0 + $1 - 5");
  fixture_operation (self.diagram, "max", "over_a", "b", "D", "a");
  fixture_operation (self.diagram, "max", "over_b", "", "over_a", "b");
  fixture_operation (self.diagram, "max", "over_both", "", "D", "a b");
  evaluate (&self);
  /* A is -2 and outside, B outside and -1. */
  assert_result (&self, "over_a", -7, -8);
  assert_result (&self, "over_b", -8);
  assert_result (&self, "over_both", -8);
}

static void
test_where_chooses (void)
{
  g_auto (Case) self;

  init_window (&self, (double[]){ -1, -2, -4 });
  /* Padding given by hand is read in place of what is outside … */
  add_map (&self, "padded", "z w", "T", "where(2*index(z) + index(w) - 1 >= 0, $0, -0.5)");
  fixture_operation (self.diagram, "max", "max", "z", "padded", "w");
  /* … and what does not depend on the choice is left out as before. */
  add_map (&self, "shifted", "z w", "T", "where(index(w) == 1, 0, 1) + $0");
  fixture_operation (self.diagram, "max", "shifted_max", "z", "shifted", "w");
  evaluate (&self);
  assert_result (&self, "max", -.5, -2);
  assert_result (&self, "shifted_max", -1, -1);
}

/* The mark depends on an axis that a reduction before the taking one removes. */
static void
test_choice_reduced (void)
{
  g_auto (Case) self;

  case_init (&self);
  add_axes (&self, "t=2 z=2 k=2");
  set_input (&self, "X", "t", (double[]){ -1, -2 });
  add_reindex (&self, "T", "z", "X", "index(z) - 1");
  add_map (&self, "C", "k z", "T", "where(index(k) == 0, $0, -7)");
  fixture_operation (self.diagram, "sum", "S", "z", "C", "k");
  fixture_operation (self.diagram, "max", "M", "", "S", "z");
  evaluate (&self);
  assert_result (&self, "S", -7, -8);
  assert_result (&self, "M", -8);
}

/* A read of what was itself read outside. */
static void
test_read_of_read (void)
{
  g_auto (Case) self;

  init_window (&self, (double[]){ -1, -2, -4 });
  add_reindex (&self, "R", "w z", "T", "index(z);2 - index(w)");
  fixture_operation (self.diagram, "max", "M", "w", "R", "z");
  fixture_operation (self.diagram, "mean", "N", "z", "R", "w");
  evaluate (&self);
  assert_result (&self, "R", -2, 0, -1, -4, 0, -2);
  assert_result (&self, "M", -2, -1, -2);
  assert_result (&self, "N", -1.5, -3);
}

/* --- precision, errors, inputs ----------------------------------------------------------- */

static void
test_declared_precision (void)
{
  g_auto (Case) self;

  case_init (&self);
  add_axes (&self, "i=2");
  set_input (&self, "a", "i", (double[]){ .1, 300. });
  fixture_operation (self.diagram, "contract", "square", "i", "a a", "");
  add_map (&self, "wide", "i", "square", "$0/3");
  heddle_diagram_edit_value (self.diagram, heddle_diagram_find_value (self.diagram, "wide")->id)->dtype
      = HEDDLE_DTYPE_F32;

  evaluate (&self);
  assert_result (&self, "square", .1 * .1, 90000);
  evaluate_in (&self, HEDDLE_PRECISION_DECLARED);
  assert_result (&self, "a", 0x1.998p-4, 300);
  assert_result (&self, "square", heddle_dtype_round (HEDDLE_DTYPE_F16, 0x1.998p-4 * 0x1.998p-4), INFINITY);
  assert_result (
      &self, "wide", (float) (heddle_dtype_round (HEDDLE_DTYPE_F16, 0x1.998p-4 * 0x1.998p-4) / 3.), INFINITY);
  g_assert_cmpuint (result (&self, "square")->dtype, ==, HEDDLE_DTYPE_F16);
  g_assert_cmpuint (result (&self, "wide")->dtype, ==, HEDDLE_DTYPE_F32);
}

static void
assert_fails (Case *self, GCancellable *cancellable, GQuark domain, int code, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (
      heddle_evaluate (self->diagram, self->sizes, self->inputs, HEDDLE_PRECISION_F64, cancellable, &error));
  g_assert_error (error, domain, code);
  if (message != NULL)
    g_assert_cmpstr (error->message, ==, message);
}

static void
test_errors (void)
{
  g_auto (Case) self;
  gint64 shape[] = { 3, 2 };

  case_init (&self);
  add_axes (&self, "i=2 j=3");
  fixture_input (self.diagram, "A", "i j");
  fixture_operation (self.diagram, "sum", "s", "i", "A", "j");
  resolve (&self);
  assert_fails (&self, NULL, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INPUT,
      "input “A” of shape [i=2, j=3] is missing");
  g_hash_table_insert (self.inputs, g_strdup ("A"), heddle_array_new (HEDDLE_DTYPE_F64, 2, shape, NULL));
  assert_fails (&self, NULL, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INPUT,
      "input “A” has shape [3, 2], not [i=2, j=3]");
  g_hash_table_insert (self.inputs, g_strdup ("A"), heddle_array_new (HEDDLE_DTYPE_F64, 1, shape, NULL));
  assert_fails (&self, NULL, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INPUT,
      "input “A” has shape [3], not [i=2, j=3]");
}

static void
test_too_large (void)
{
  g_auto (Case) self;
  g_autoptr (GError) error = NULL;

  case_init (&self);
  add_axes (&self, "i=1048576 j=1048576 k=1048576");
  add_map (&self, "A", "i j k", "", "1");
  resolve (&self);
  assert_fails (&self, NULL, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_LIMIT, NULL);
  g_assert_null (heddle_evaluate (self.diagram, self.sizes, self.inputs, HEDDLE_PRECISION_F64, NULL, &error));
  g_assert_true (g_str_has_prefix (error->message, "its arrays take "));
}

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (20000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

/* Each of these would take hours. */
static void
test_cancel (void)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_auto (Case) self;
      GThread *thread;

      case_init (&self);
      add_axes (&self, "i=100 j=100000 k=100000 l=100000");
      set_input (&self, "s", "", (double[]){ 1 });
      if (i == 0)
        fixture_operation (self.diagram, "contract", "C", "i", "s s", "j k l");
      else if (i == 1)
        fixture_operation (self.diagram, "contract", "C", "j", "s s", "i k l");
      else
        add_map (&self, "M", "i j", "s", "exp($0)*sin(index(i))");
      resolve (&self);
      if (i == 2)
        g_cancellable_cancel (cancellable);
      thread = g_thread_new ("cancel", cancel_soon, cancellable);
      assert_fails (&self, cancellable, G_IO_ERROR, G_IO_ERROR_CANCELLED, NULL);
      g_thread_join (thread);
    }
}

/* What stands for a variance has a root: of what no arithmetic makes positive, also where it is read elsewhere first. */
static void
test_fill_roots (void)
{
  static const struct
  {
    const char *body;
    gboolean negative;
  } rows[] = { { "sqrt($0 + 1)", FALSE }, { "1/log(2*$0)", FALSE }, { "$0^0.5", FALSE },
    { "sqrt($0*$0)", TRUE }, { "$0^2", TRUE }, { "exp($0)", TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Case) self;
      const HeddleArray *a;
      gboolean negative = FALSE;

      case_init (&self);
      add_axes (&self, "i=64");
      fixture_input (self.diagram, "A", "i");
      add_reindex (&self, "R", "i", "A", "63-i");
      add_map (&self, "B", "i", "R", rows[i].body);
      evaluate (&self);
      a = g_hash_table_lookup (self.inputs, "A");
      for (gint64 k = 0; k < a->n_elements; k++)
        negative |= a->data[k] < 0;
      g_assert_cmpint (negative, ==, rows[i].negative);
    }
}

static void
test_fill_inputs (void)
{
  g_auto (Case) self;
  g_autoptr (HeddleArray) before = NULL;
  HeddleArray *a, *b;

  case_init (&self);
  add_axes (&self, "i=64");
  fixture_input (self.diagram, "A", "i");
  fixture_input (self.diagram, "B", "i");
  evaluate (&self);
  a = g_hash_table_lookup (self.inputs, "A");
  b = g_hash_table_lookup (self.inputs, "B");
  g_assert_cmpuint (a->dtype, ==, HEDDLE_DTYPE_F16);
  g_assert_cmpfloat (heddle_array_relative_error (a, b, NULL), >, .5);

  before = heddle_array_ref (b);
  g_hash_table_remove (self.inputs, "B");
  evaluate (&self);
  g_assert_true (g_hash_table_lookup (self.inputs, "A") == a);
  g_assert_true (g_hash_table_lookup (self.inputs, "B") != before);
  g_assert_cmpfloat (
      heddle_array_relative_error (g_hash_table_lookup (self.inputs, "B"), before, NULL), ==, 0.);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/evaluate/attention", test_attention);
  g_test_add_func ("/evaluate/matrix-products", test_matrix_products);
  g_test_add_func ("/evaluate/convolution", test_convolution);
  g_test_add_func ("/evaluate/contractions", test_contractions);
  g_test_add_func ("/evaluate/maps", test_maps);
  g_test_add_func ("/evaluate/reductions", test_reductions);
  g_test_add_func ("/evaluate/norms", test_norms);
  g_test_add_func ("/evaluate/masked-softmax", test_masked_softmax);
  g_test_add_func ("/evaluate/softmax-of-two-axes", test_softmax_of_two_axes);
  g_test_add_func ("/evaluate/reindexing", test_reindexing);
  g_test_add_func ("/evaluate/outside/pooling", test_pooling_leaves_out);
  g_test_add_func ("/evaluate/outside/norms", test_norms_leave_out);
  g_test_add_func ("/evaluate/outside/all", test_all_left_out);
  g_test_add_func ("/evaluate/outside/marks-pass-maps", test_marks_pass_maps);
  g_test_add_func ("/evaluate/outside/innermost", test_innermost_takes);
  g_test_add_func ("/evaluate/outside/contraction", test_contraction_leaves_out);
  g_test_add_func ("/evaluate/outside/two-reads", test_two_reads);
  g_test_add_func ("/evaluate/outside/where-chooses", test_where_chooses);
  g_test_add_func ("/evaluate/outside/choice-reduced", test_choice_reduced);
  g_test_add_func ("/evaluate/outside/read-of-read", test_read_of_read);
  g_test_add_func ("/evaluate/declared-precision", test_declared_precision);
  g_test_add_func ("/evaluate/errors", test_errors);
  g_test_add_func ("/evaluate/too-large", test_too_large);
  g_test_add_func ("/evaluate/cancel", test_cancel);
  g_test_add_func ("/evaluate/fill-inputs", test_fill_inputs);
  g_test_add_func ("/evaluate/fill-roots", test_fill_roots);
  return g_test_run ();
}
