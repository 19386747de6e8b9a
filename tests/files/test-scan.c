/* SPDX-License-Identifier: MIT */
#include "equations-case.h"

#include <math.h>

#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/base/error.h"
#include "diagram/base/problem.h"
#include "diagram/check/snapshot.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/group.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/flatten/flatten.h"
#include "diagram/flatten/steps.h"
#include "diagram/graph/diagram-compare.h"
#include "diagram/graph/diagram.h"
#include "files/equations/write.h"
#include "files/ncd/read.h"
#include "files/ncd/write.h"

/* Calls that are scanned along an axis. */

#define CELL                                                                                                 \
  "def cell(h[u], x[i]; W) -> g[u]:\n  param W : [u, i]\n  param R : [u, v=u]\n"                             \
  "  g[u] = tanh(W[u,i] x[i] + R[u,v] h[v])\n\n"
#define GIVEN "X : [t=4, b=2, i=3]\nS : [b, u=2]\nW : [u, i]\n"

/* --- what is wrong, and where ---------------------------------------------------------- */

typedef struct
{
  const char *name, *text, *problems;
} Wrong;

static const Wrong wrongs[] = {
  { "axis", CELL GIVEN "H[b,u] = cell[k](S, X[0,b,i], W)\n",
      "9:15 “k” is not known: expected the axis that cell is scanned along\n" },
  { "no-axis", CELL GIVEN "H[t,b,u] = cell[](S, X, W)\n",
      "9:17 expected the name of the axis that the definition is scanned along, found “]”\n" },
  { "two-axes", CELL GIVEN "H[t,b,u] = cell[t,b](S, X, W)\n", "9:18 expected “]”, found “,”\n" },
  { "repeated", CELL GIVEN "H[t,b,u] = cell^2[t](S, X, W)\n",
      "9:19 a call is repeated, as in cell^2(…), or scanned, as in cell[t](…), but not both\n" },
  { "shared", CELL GIVEN "H[t,b,u] = shared cell[t](S, X, W)\n",
      "9:19 H scans cell: its parameters are shared by all steps without being said so\n" },
  { "result", CELL GIVEN "H[b,u] = cell[t](S, X, W)\n",
      "9:10 cell makes g[u], here for each of b, t, which cannot be H[b, u]\n" },
  { "first-state", CELL GIVEN "H[t,b,u] = cell[t](X[t,b,0] S[b,u], X, W)\n",
      "9:12 H scans cell along t, but t2[t, b, u], its first state, is along that axis\n" },
  { "woven", CELL GIVEN "H[t,b,u] = cell[t](S[0,u], X, W)\n",
      "9:12 H scans cell for each of b, but t1[u] is not along all of them\n" },
  { "axes", "def f(h[u], x[i]) -> g[i]:\n  g[i] = x[i] * sum[u](h[u])\n\n" GIVEN "H[t,b,i] = f[t](S, X)\n",
      "7:12 f takes h[u] and makes g[i]: what is scanned makes its states as it takes them\n" },
  { "types",
      "def f(h[u], x[u]) -> g[u]:\n  h : f32[u]\n  g : f16[u]\n  g[u] = x[u] + h[u]\n\n"
      "X : [t=4, u=3]\nS : [u]\nH[t,u] = f[t](S, X)\n",
      "8:10 f takes h[u] as f32 and makes g[u] as f16: a state has one type\n" },
  { "more",
      "def f(h[u]) -> g[u], e[u]:\n  g[u] = 2 * h[u]\n  e[u] = h[u] + 1\n\nS : [u=2]\naxis t = 3\n"
      "G[t,u], E[t,u] = f[t](S)\n",
      "7:18 f makes more than it takes, so that it cannot be scanned\n" },
  { "long", "def f(h[u]) -> g[u]:\n  g[u] = tanh(h[u])\n\nS : [u=2]\naxis t = 10001\nG[t,u] = f[t](S)\n",
      "6:10 G scans f along t, which is 10001 long: a scan has at most 10000 steps\n" },
};

static void
test_wrong (gconstpointer data)
{
  const Wrong *wrong = data;
  g_autofree char *problems = equations_problems (wrong->text);

  g_assert_cmpstr (problems, ==, wrong->problems);
}

/* --- text that stays as it is ------------------------------------------------------------ */

static void
test_stays (void)
{
  equations_assert_stays (CELL GIVEN "H[t,b,u] = cell[t](S, X, W)\nY[b,u] = H[size(t)-1,b,u]\n-> H, Y\n");
  equations_assert_stays (CELL GIVEN "Y[t,b,u] = 2 * exp(cell[t](S, X, W))\n");
  equations_assert_stays (
      CELL GIVEN "H[t,b,u] = cell[t](0 * S[b,u], X[size(t)-1-t,b,i], W)  # from the end\n");
  equations_assert_stays ("def two(a[u], b[u]; s) -> c[u], d[u]:\n  c[u] = a[u] + s\n  d[u] = c[u] b[u]\n\n"
                          "A : [u=3]\naxis t = 5\nC[t,u], D[t,u] = two[t](A, A, 2)\n");
}

/* A call that is scanned differs from one that is not, in what is compared and in a file. */
static void
test_differs (void)
{
  g_autoptr (HeddleSnapshot) one
      = equations_read ("def f(h[u]) -> g[u]:\n  g[u] = 2 * h[u]\n\nS : [t=2, u=2]\nG[t,u] = f(S)\n");
  g_autoptr (HeddleSnapshot) other
      = equations_read ("def f(h[u]) -> g[u]:\n  g[u] = 2 * h[u]\n\nS : [t=2, u=2]\nG[t,u] = f[t](S[0,u])\n");
  const HeddleDiagram *a = heddle_snapshot_get_diagram (one, NULL);
  HeddleDiagram *b = heddle_snapshot_get_diagram (other, NULL);
  HeddleOperation *call = heddle_diagram_edit_operation (
      b, ((HeddleOperation *) b->operations->pdata[b->operations->len - 1])->id);

  g_assert_false (heddle_diagram_isomorphic (a, b, NULL));
  g_assert_cmpuint (call->axes->len, ==, 1);
}

/* --- meaning -------------------------------------------------------------------------------- */

/* Returns what the text makes of @inputs, HeddleArray by name, with axis t @t long; value id -> HeddleArray. */
static GHashTable *
evaluate (const char *text, GHashTable *inputs, gint64 t, HeddleSnapshot **flat)
{
  g_autoptr (HeddleSnapshot) snapshot = equations_read (text);
  g_autoptr (GHashTable) overrides = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GError) error = NULL;

  g_hash_table_insert (overrides, (gpointer) "t", g_memdup2 (&t, sizeof t));
  *flat = heddle_snapshot_flatten (
      snapshot, heddle_snapshot_get_diagram (snapshot, NULL), overrides, NULL, &error);
  g_assert_no_error (error);
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (*flat, NULL);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, overrides, &error);
  g_assert_no_error (error);
  g_assert_true (heddle_evaluate_fill_inputs (diagram, sizes, inputs, 5, &error));
  GHashTable *values = heddle_evaluate (diagram, sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  return values;
}

static const double *
find (GHashTable *values, HeddleSnapshot *flat, const char *name)
{
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (flat, NULL);
  const HeddleArray *array = g_hash_table_lookup (values, heddle_diagram_find_value (diagram, name)->id);
  g_assert_nonnull (array);
  return array->data;
}

static const double *
given (GHashTable *inputs, const char *name)
{
  return ((const HeddleArray *) g_hash_table_lookup (inputs, name))->data;
}

/* Two states of different axes, a batch, an input read at its place, one that is the same at each step, a weight
 * of each step's own, and a parameter that all steps share. */
static const char *const general
    = "def step(h[u], s, x[i], a[u]; W) -> g[u], r:\n  param W : [u, i]\n  param R : [u, v=u]\n"
      "  g[u] = tanh(W[u,i] x[i] + R[u,v] h[v]) + a[u]\n  r = s / 2 + sum[u](g[u])\n\n"
      "X : [b=2, t=4, i=3]\nH0 : [b, u=2]\nS0 : [b]\nA : [u]\nW : [t, u, i]\n"
      "H[b,t,u], S[t,b] = step[t](H0, S0, X, A, W)\n";

static void
assert_is_loop (gint64 steps)
{
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (HeddleSnapshot) flat = NULL;
  g_autoptr (GHashTable) values = evaluate (general, inputs, steps, &flat);
  const double *x = given (inputs, "X"), *h0 = given (inputs, "H0"), *s0 = given (inputs, "S0"),
               *a = given (inputs, "A"), *w = given (inputs, "W"), *r = given (inputs, "H.R"),
               *all = find (values, flat, "H"), *sums = find (values, flat, "S");

  for (gint64 b = 0; b < 2; b++)
    {
      double h[2] = { h0[2 * b], h0[2 * b + 1] }, s = s0[b];
      for (gint64 t = 0; t < steps; t++)
        {
          double g[2];
          for (int u = 0; u < 2; u++)
            {
              double sum = 0.;
              for (int i = 0; i < 3; i++)
                sum += w[(t * 2 + u) * 3 + i] * x[(b * steps + t) * 3 + i];
              for (int v = 0; v < 2; v++)
                sum += r[2 * u + v] * h[v];
              g[u] = tanh (sum) + a[u];
            }
          s = s / 2. + (g[0] + g[1]);
          for (int u = 0; u < 2; u++)
            {
              h[u] = g[u];
              g_assert_cmpfloat_with_epsilon (all[(b * steps + t) * 2 + u], h[u], 1e-9);
            }
          g_assert_cmpfloat_with_epsilon (sums[t * 2 + b], s, 1e-9);
        }
    }
}

static void
test_loop (void)
{
  static const gint64 steps[] = { 1, 2, 7, 256, 257, 513 };
  g_autoptr (HeddleSnapshot) snapshot = equations_read (general);
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSnapshot) flat
      = heddle_snapshot_flatten (snapshot, heddle_snapshot_get_diagram (snapshot, NULL), NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) problems = heddle_check_snapshot (flat);
  g_assert_false (heddle_problems_have_errors (problems));

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    assert_is_loop (steps[i]);
}

/* A scan within a definition that is called for each of an axis, and one along each place of another scan:
 * c sums its rows, d doubles and adds what c's last states are. */
static void
test_nested (void)
{
  const char *text = "def add(s, x) -> r:\n  r = s + x\n\n"
                     "def row(d, X[k]) -> e:\n  C[k] = add[k](0 * d, X)\n  e = 2 * d + C[size(k)-1]\n\n"
                     "X : [n=2, t=3, k=4]\nD : [n]\nE[n,t] = row[t](D, X)\n";
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (HeddleSnapshot) flat = NULL;
  g_autoptr (GHashTable) values = evaluate (text, inputs, 3, &flat);
  const double *x = given (inputs, "X"), *d = given (inputs, "D"), *e = find (values, flat, "E");

  for (int n = 0; n < 2; n++)
    {
      double state = d[n];
      for (int t = 0; t < 3; t++)
        {
          double sum = 0.;
          for (int k = 0; k < 4; k++)
            sum += x[(n * 3 + t) * 4 + k];
          state = 2. * state + sum;
          g_assert_cmpfloat_with_epsilon (e[n * 3 + t], state, 1e-9);
        }
    }
}

static guint
count (HeddleSnapshot *flat, const char *kind)
{
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (flat, NULL);
  guint n = 0;

  for (guint i = 0; i < diagram->operations->len; i++)
    n += g_str_equal (((const HeddleOperation *) diagram->operations->pdata[i])->kind->id, kind);
  return n;
}

/* A step that is linear in its state, in each way in which that can be said, becomes one recurrence for all places:
 * a gated mean, of which nothing but the gate is a function, and a sum of its states that turns back. */
static void
test_linear (void)
{
  const char *text = "def step(h[u], s[u], x[u], z[u]) -> g[u], r[u]:\n"
                     "  a[u] = sigmoid(z[u])\n  g[u] = (1 - a[u]) * x[u] - -(h[u] * a[u])\n"
                     "  r[u] = where(z[u] > 0, s[u] / 2 - g[u], 3 - s[u])\n\n"
                     "X : [t, b=2, u=3]\nZ : [t, b, u]\nH0 : [b, u]\nS0 : [b, u]\nG[t,b,u], R[t,b,u] = "
                     "step[t](H0, S0, X, Z)\n";
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (HeddleSnapshot) flat = NULL;
  g_autoptr (GHashTable) values = evaluate (text, inputs, 9, &flat);
  const double *x = given (inputs, "X"), *z = given (inputs, "Z"), *h0 = given (inputs, "H0"),
               *s0 = given (inputs, "S0"), *g = find (values, flat, "G"), *r = find (values, flat, "R");

  g_assert_cmpuint (count (flat, "recurrence"), ==, 2);
  g_assert_cmpuint (count (flat, "concat"), ==, 0);
  for (int i = 0; i < 6; i++)
    {
      double h = h0[i], s = s0[i];
      for (int t = 0; t < 9; t++)
        {
          const double here = z[t * 6 + i], a = 1. / (1. + exp (-here));
          h = (1. - a) * x[t * 6 + i] + h * a;
          s = here > 0. ? s / 2. - h : 3. - s;
          g_assert_cmpfloat_with_epsilon (g[t * 6 + i], h, 1e-9);
          g_assert_cmpfloat_with_epsilon (r[t * 6 + i], s, 1e-9);
        }
    }
}

/* Steps that are not linear in their state, or read it elsewhere, are written out. */
static void
test_not_linear (void)
{
  static const char *const steps[] = { "tanh(h[u]) + x[u]", "h[u] * h[u] + x[u]", "x[u] / h[u]",
    "where(h[u] > 0, x[u], h[u])", "max(h[u], x[u])", "h[u] + x[u] * sum[u](h[u])", "x[u] + floor(h[u])",
    "h[size(u)-1-u] + x[u]", "x[u] ^ h[u]" };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autofree char *text = g_strdup_printf ("def step(h[u], x[u]) -> g[u]:\n  g[u] = %s\n\n"
                                               "X : [t, u=3]\nH : [u]\nG[t,u] = step[t](H, X)\n",
          steps[i]);
      g_autoptr (GHashTable) inputs
          = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
      g_autoptr (HeddleSnapshot) flat = NULL;
      g_autoptr (GHashTable) values = evaluate (text, inputs, 2, &flat);

      g_assert_cmpuint (count (flat, "recurrence"), ==, 0);
      g_assert_cmpuint (count (flat, "concat"), ==, 1);
    }
}

/* A document in which steps are definitions of their own means the same, and is right; its text is read again. */
static void
test_steps (void)
{
  static const char *const nested
      = "def add(s, x) -> r:\n  param w : []\n  r = tanh(s + w x)\n\n"
        "def row(d, X[k]) -> e:\n  C[k] = add[k](0.5, X)\n  e = tanh(2*d + C[size(k)-1])\n\n"
        "X : [n=2, t=3, k=4]\nD : [n]\nE[n,t] = row[t](D, X)\n-> E\n";
  const char *const texts[] = { general, nested };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (HeddleSnapshot) snapshot = equations_read (texts[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleSnapshot) steps = heddle_snapshot_flatten_steps (
          snapshot, heddle_snapshot_get_diagram (snapshot, NULL), NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (steps->diagrams->len, ==, i + 2);
      g_autoptr (GPtrArray) problems = heddle_check_snapshot (steps);
      for (guint k = 0; k < problems->len; k++)
        g_test_message ("%s", ((const HeddleProblem *) problems->pdata[k])->message);
      g_assert_false (heddle_problems_have_errors (problems));
      g_autofree char *again
          = heddle_equations_write_snapshot (steps, heddle_snapshot_get_diagram (steps, NULL));
      g_autoptr (GHashTable) inputs
          = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
      g_autoptr (HeddleSnapshot) one = NULL, other = NULL;
      const gint64 t = i == 0 ? 4 : 3;
      const char *name = i == 0 ? "H" : "E";
      g_autoptr (GHashTable) a = evaluate (texts[i], inputs, t, &one);
      g_autoptr (GHashTable) b = evaluate (again, inputs, t, &other);
      for (gint64 k = 0; k < (i == 0 ? 16 : 6); k++)
        g_assert_cmpfloat (find (a, one, name)[k], ==, find (b, other, name)[k]);
    }
}

/* A scan that is taken apart in the editor is its steps; one that is linear is a recurrence. The results are what
 * they were, and the text of the whole is read again. */
static void
test_taken_apart (void)
{
  static const char *const steps[] = { "tanh(h[u] + x[u])", "h[u] * x[u]" };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autofree char *text = g_strdup_printf ("def step(h[u], x[u]) -> g[u]:\n  g[u] = %s\n\n"
                                               "X : [b=2, t=3, u=2]\nH : [b, u]\nG[t,b,u] = step[t](H, X)\n",
          steps[i]);
      g_autoptr (HeddleSnapshot) snapshot = equations_read (text), one = NULL, other = NULL;
      g_autoptr (GError) error = NULL;
      HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
      gboolean done = heddle_edit_ungroup (snapshot, diagram,
          heddle_diagram_get_producer (diagram, heddle_diagram_find_value (diagram, "G")->id)->id, &error);
      g_assert_no_error (error);
      g_assert_true (done);
      g_autofree char *apart = heddle_equations_write (heddle_snapshot_get_diagram (snapshot, NULL));
      g_autoptr (GHashTable) inputs
          = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
      g_autoptr (GHashTable) a = evaluate (text, inputs, 3, &one), b = evaluate (apart, inputs, 3, &other);
      for (guint k = 0; k < 12; k++)
        g_assert_cmpfloat (find (a, one, "G")[k], ==, find (b, other, "G")[k]);
      g_assert_cmpuint (count (other, "recurrence"), ==, i);
      g_assert_cmpuint (count (other, "call"), ==, 0);
    }
}

/* A diagram whose scanned axis has no size is right; what it computes is not known yet. */
static void
test_unsized (void)
{
  const char *text = CELL "X : [t, b=2, i=3]\nS : [b, u=2]\nW : [u, i]\nH[t,b,u] = cell[t](S, X, W)\n";
  g_autofree char *problems = equations_problems (text);
  g_autoptr (HeddleSnapshot) snapshot = equations_read (text);
  g_autoptr (GError) error = NULL;
  const char *call = NULL;

  g_assert_cmpstr (problems, ==, "");
  g_assert_null (
      heddle_snapshot_flatten (snapshot, heddle_snapshot_get_diagram (snapshot, NULL), NULL, &call, &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_UNSUPPORTED);
  g_assert_cmpstr (
      error->message, ==, "H scans cell along t, whose size is not known: it can be computed once it is");
  g_assert_cmpstr (call, ==, "o.H");
}

/* Steps within steps, a hundred million operations, are never made. */
static void
test_explosion (void)
{
  g_autofree char *problems
      = equations_problems ("def f(h, x) -> g:\n  g = tanh(h * x)\n\n"
                            "def k(h, X[t]) -> g:\n  A[t] = f[t](h, X)\n  g = A[0]\n\nX : [s=10000, "
                            "t=10000]\nh : []\nG[s] = k[s](h, X)\n");

  g_assert_cmpstr (problems, ==, "10:8 The called definitions expand to more than 200000 operations\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autofree char *path = g_strconcat ("/scan/wrong/", wrongs[i].name, NULL);
      g_test_add_data_func (path, &wrongs[i], test_wrong);
    }
  g_test_add_func ("/scan/stays", test_stays);
  g_test_add_func ("/scan/differs", test_differs);
  g_test_add_func ("/scan/loop", test_loop);
  g_test_add_func ("/scan/nested", test_nested);
  g_test_add_func ("/scan/linear", test_linear);
  g_test_add_func ("/scan/not-linear", test_not_linear);
  g_test_add_func ("/scan/steps", test_steps);
  g_test_add_func ("/scan/taken-apart", test_taken_apart);
  g_test_add_func ("/scan/unsized", test_unsized);
  g_test_add_func ("/scan/explosion", test_explosion);
  return g_test_run ();
}
