/* SPDX-License-Identifier: MIT */
#include "differentiate-case.h"

#include <math.h>
#include <string.h>
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/base/error.h"
#include "diagram/differentiate/build.h"
#include "diagram/differentiate/differentiate.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/expression/derivative.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/print.h"
#include "diagram/graph/diagram-compare.h"
#include "diagram/graph/diagram.h"

/* --- every row of the table, and whole models, against finite differences --------------- */

#define FUNCTION(text, body)                                                                                 \
  {                                                                                                          \
    "map-" text, "i=7", "X i; Z i",                                                                          \
    {                                                                                                        \
      "map|Y|i|X Z|" body                                                                                    \
    }                                                                                                        \
  }

static const DiagramText texts[] = {
  FUNCTION ("arithmetic", "($0 - $1*$0)/(2 + $1^2) - -$1"),
  FUNCTION ("exp", "exp($0*$1)"),
  FUNCTION ("log", "log(1 + $0^2)*$1"),
  FUNCTION ("roots", "sqrt(1 + $0^2)*rsqrt(2 + $1^2)"),
  FUNCTION ("sine", "sin($0)*cos($1*$0)"),
  FUNCTION ("tanh", "tanh($0 + $1)"),
  FUNCTION ("erf", "erf($0)*erf($1)"),
  FUNCTION ("sigmoid", "sigmoid($0*$1)"),
  FUNCTION ("relu", "relu($0)*relu($1 + 0.25)"),
  FUNCTION ("gelu", "gelu($0*$1)"),
  FUNCTION ("silu", "silu($0)*$1"),
  FUNCTION ("abs", "abs($0 - $1)"),
  FUNCTION ("steps", "floor($0)*$1 + ceil($1)*$0"),
  FUNCTION ("mod", "mod($0, 3 + $1^2)"),
  FUNCTION ("power", "(1 + $0^2)^$1 + $0^3 + 2^$1"),
  FUNCTION ("extremes", "min($0, $1)*3 + max($0, 2*$1)"),
  FUNCTION ("where", "where($0 < $1 and not index(i) == 2, $0^2, 3*$1)"),
  FUNCTION ("sizes", "$0*i^-0.5 + $1*index(i)"),
  { "map-fan-out", "i=4", "X i", { "map|Y|i|X X|$0*$1 + $0", "map|Z|i|X Y|$0*$1", "map|W|i|Z X|$0 - $1" } },
  { "map-unread", "i=4", "X i; Z i; A i; B i", { "map|Y|i|X Z|$0 + $1" } },
  { "map-broadcast", "t=3 m=4", "X t m; b m; g m; s",
      { "map|Y|t m|X g b s|$0*$1 + $2*$3", "map|Z|t m|Y s|tanh($0)*exp($1)", "map|W|t m|b|$0" } },
  { "contract", "i=3 j=4 k=5", "A i k; B k j", { "contract|C|i j|A B|k" } },
  { "contract-three", "b=2 i=3 j=4 k=2", "A b i k; B k; C j k b", { "contract|D|j b|A B C|i k" } },
  { "contract-alone", "i=3 j=4", "A i j; B i", { "contract|s||A B|i j" } },
  { "contract-outer", "i=3 j=4", "A i; B j", { "contract|C|j i|A B|" } },
  { "contract-twice", "i=3 k=4", "A i k", { "contract|C|i|A A|k", "contract|D||C C C|i" } },
  { "sum", "i=3 j=4 k=2", "X i j k", { "map|Y|i j k|X|$0^2", "sum|Z|k i|Y|j" } },
  { "max", "i=3 j=5", "X i j", { "max|Y|i|X|j", "map|Z|i|Y|$0^2" } },
  { "min", "i=3 j=5 k=2", "X i j k", { "min|Y|j|X|i k", "map|Z|j|Y|sin($0)" } },
  { "mean", "i=3 j=5 k=2", "X i j k", { "map|Y|i j k|X|$0^2", "mean|Z|j|Y|k i" } },
  { "prod", "i=3 j=5", "X i j", { "prod|Y|i|X|j" } },
  { "logsumexp", "i=3 j=5", "X i j", { "logsumexp|Y|i|X|j" } },
  { "softmax", "i=3 j=5", "X j i; W i", { "softmax|Y|j i|X|j", "map|Z|j i|Y W|$0^2*$1" } },
  { "softmax-two-axes", "i=3 j=4 k=2", "X i j k", { "softmax|Y|i j k|X|j k" } },
  { "l2norm", "t=3 m=5", "X t m", { "l2norm|Y|t m|X|m" } },
  { "l2norm-eps", "t=3 m=5", "X t m", { "l2norm|Y|t m|X|m|0.3" } },
  { "rmsnorm", "t=3 m=5", "X t m; g m", { "rmsnorm|N|t m|X|m|1e-2", "map|Y|t m|N g|$0*$1" } },
  { "layernorm", "t=3 m=5", "X t m; g m; b m", { "layernorm|N|t m|X|m", "map|Y|t m|N g b|$0*$1 + $2" } },
  { "layernorm-eps", "t=2 m=3 n=2", "X t m n", { "layernorm|Y|t m n|X|m n|0.5" } },
  { "reindex-transpose", "i=3 j=4 a=3 b=4", "X i j", { "reindex|Y|b a|X|index(a);index(b)" } },
  { "reindex-diagonal", "i=3 j=3 p=3", "X i j", { "reindex|Y|p|X|index(p);index(p)" } },
  { "reindex-diagonal-own", "i=3 j=3", "X i j", { "reindex|Y|j|X|index(j);index(j)" } },
  { "reindex-repeat", "i=3 p=4", "X i", { "reindex|Y|p i|X|index(i)", "map|Z|p i|Y|$0*index(p)" } },
  { "reindex-element", "i=3 j=4", "X i j", { "reindex|Y|j|X|2;index(j)" } },
  { "reindex-window", "x=9 z=4 w=3 c=2 f=2", "X x c; W w c f",
      { "reindex|T|z w c|X|2*index(z) + index(w);index(c)", "contract|Y|z f|T W|w c" } },
  { "reindex-padded", "x=5 w=3 c=2 f=2", "X x c; W w c f",
      { "reindex|T|x w c|X|index(x) + index(w) - 1;index(c)", "contract|Y|x f|T W|w c" } },
  { "map-shared", "t=3 m=4", "X t m; b m; Z t m", { "map|Y|t m|X b Z|gelu($0 + $1 + $2)" } },
  { "reindex-shift", "x=5", "X x; b", { "reindex|T|x|X|index(x) - 1", "map|Y|x|T b|$0*$1 + $1" } },
  { "reindex-split", "n=6 h=2 k=3", "X n", { "reindex|Y|h k|X|3*index(h) + index(k)", "softmax|Z|h k|Y|k" } },
  { "reindex-merge", "h=2 k=3 n=6", "X h k",
      { "reindex|Y|n|X|floor(index(n)/3);mod(index(n), 3)", "map|Z|n|Y|$0*index(n)" } },
  { "pooling-max", "x=5 w=3", "X x", { "reindex|T|x w|X|index(x) + index(w) - 1", "max|Y|x|T|w" } },
  { "pooling-mean", "x=5 w=3", "X x", { "reindex|T|x w|X|index(x) + index(w) - 1", "mean|Y|x|T|w" } },
  { "pooling-norm", "x=5 w=3", "X x",
      { "reindex|T|x w|X|index(x) + index(w) - 1", "layernorm|Y|x w|T|w|0.1" } },
  { "pooling-biased", "x=5 w=3", "X x; b w",
      { "reindex|T|x w|X|index(x) + index(w) - 1", "map|U|x w|T b|$0 + $1", "max|Y|x|U|w" } },
  { "pooling-exp", "x=6 w=3 y=3", "X x; b w",
      { "reindex|T|y w|X|2*index(y) + index(w) - 1", "map|U|y w|T b|exp($0)*$1 + 1",
          "rmsnorm|Y|y w|U|w|0.1" } },
  { "pooling-mean-biased", "x=5 w=3", "X x; b w",
      { "reindex|T|x w|X|index(x) + index(w) - 1", "map|U|x w|T b|$0*$1 + $1", "mean|Y|x|U|w" } },
  { "pooling-chosen", "x=5 w=3", "X x; b w",
      { "reindex|T|x w|X|index(x) + index(w) - 1", "map|U|x w|T b|where(index(w) < 2, exp($0), $1)",
          "max|Y|x|U|w" } },
  { "pooling-chosen-mean", "x=5 w=3", "X x; b w",
      { "reindex|T|x w|X|index(x) + index(w) - 1",
          "map|U|x w|T b|where(index(x) + index(w) < 4, $0 + 2, $1^2)", "mean|Y|x|U|w" } },
  { "pooling-by-value", "x=5 w=3", "X x; b w",
      { "reindex|T|x w|X|index(x) + index(w) - 1", "map|U|x w|T b|where($0 > 0, $0, 0.5) + $1",
          "rmsnorm|Y|x w|U|w|0.1" } },
  { "pooling-mixed", "x=5 w=3", "X x; Z x; b w",
      { "reindex|T|x w|X|index(x) + index(w) - 1", "reindex|S|x w|Z|index(x) + 2*index(w) - 2",
          "map|U|x w|T S b|exp($0)*$2 + $1 + 1", "logsumexp|Y|x|U|w" } },
  { "pooling-mixed-max", "x=6 w=3", "X x; b w",
      { "reindex|T|x w|X|index(x) + index(w) - 1", "reindex|S|x w|X|index(x) + 2*index(w) - 2",
          "map|U|x w|T S b|where(index(w) == 1, $0, $1) + $2", "mean|Y|x|U|w" } },
  { "pooling-read-again", "x=6 w=3 y=4", "X x; b w",
      { "reindex|T|x w|X|index(x) + index(w) - 1", "map|U|x w|T b|$0 + $1",
          "reindex|V|y w|U|index(y) + 1;index(w)", "max|Y|y|V|w" } },
  { "contract-outside", "x=4 w=3 c=2", "X x; Z x w c; b w",
      { "reindex|T|x w|X|index(x) + index(w) - 1", "map|U|x w|T b|exp($0) + $1", "contract|Y|x c|U Z|w",
          "contract|S|c|U Z U|x w" } },
  { "attention", "q=3 d=4 x=5 v=2", "Q q d; K x d; V x v",
      { "contract|S|q x|Q K|d", "map|_|q x|S|$0*d^-0.5", "softmax|P|q x|v.t|x", "contract|O|q v|P V|x" } },
  { "attention-masked", "q=4 d=3 x=4", "Q q d; K x d; V x d",
      { "contract|S|q x|Q K|d", "map|M|q x|S|where(index(x) <= index(q), $0*d^-0.5, -inf)",
          "softmax|P|q x|M|x", "contract|O|q d|P V|x" } },
  { "attention-window", "q=6 d=2 k=3", "Q q d; K q d; V q d",
      { "reindex|L|q k d|K|index(q) + index(k) - 1;index(d)", "contract|S|q k|Q L|d", "map|_|q k|S|$0*d^-0.5",
          "softmax|P|q k|v.t|k", "reindex|U|q k d|V|index(q) + index(k) - 1;index(d)",
          "contract|O|q d|P U|k" } },
  { "attention-self", "q=4 x=4 m=3 d=2", "X q m; A m d; B m d; C m d",
      { "contract|Q|q d|X A|m", "reindex|Y|x m|X|index(x);index(m)", "contract|K|x d|Y B|m",
          "contract|V|x d|Y C|m", "contract|S|q x|Q K|d", "softmax|P|q x|S|x", "contract|O|q d|P V|x" } },
  { "mlp-relu", "t=3 m=4 h=5 n=2", "X t m; W m h; b h; U h n; c n",
      { "contract|_|t h|X W|m", "map|H|t h|v.t b|relu($0 + $1)", "contract|_|t n|H U|h",
          "map|Y|t n|v.t-2 c|$0 + $1" } },
  { "mlp-gelu-residual", "t=3 m=4 h=5", "X t m; g m; W m h; U h m",
      { "rmsnorm|_|t m|X|m|1e-6", "map|N|t m|v.t g|$0*$1", "contract|H|t h|N W|m", "map|G|t h|H|gelu($0)",
          "contract|R|t m|G U|h", "map|Y|t m|X R|$0 + $1" } },
  { "several-outputs", "i=4", "X i; Z i", { "map|A|i|X|exp($0)", "map|B|i|A Z|$0*$1", "sum|C||X|i" } },
};

static void
test_text (gconstpointer data)
{
  g_autoptr (HeddleDiagram) diagram = diagram_of (data);

  g_assert_true (assert_differences_agree (diagram, 7));
  g_assert_true (assert_differences_agree (diagram, 8));
}

/* --- what finite differences do not see -------------------------------------------------- */

static GHashTable *
inputs_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
}

static void
add_input (GHashTable *inputs, const char *name, gint64 n, const double *values)
{
  HeddleArray *array = heddle_array_new (HEDDLE_DTYPE_F64, 1, &n, NULL);

  for (gint64 i = 0; i < n; i++)
    array->data[i] = values[i];
  g_hash_table_insert (inputs, g_strdup (name), array);
}

/* dX of kind[i] (X), for X and dY given. */
static void
assert_reduction (const char *kind, const double *x, double dy, const double *expected)
{
  g_autofree char *line = g_strdup_printf ("%s|Y||X|i", kind);
  DiagramText text = { kind, "i=4", "X i", { line } };
  g_autoptr (HeddleDiagram) diagram = diagram_of (&text);
  g_autoptr (HeddleDiagram) backward = backward_of (diagram);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (backward, NULL, NULL);
  g_autoptr (GHashTable) inputs = inputs_new ();
  g_autoptr (GHashTable) values = NULL;
  HeddleArray *cotangent = heddle_array_new (HEDDLE_DTYPE_F64, 0, NULL, NULL);
  const HeddleArray *result;

  cotangent->data[0] = dy;
  g_hash_table_insert (inputs, g_strdup ("dY"), cotangent);
  add_input (inputs, "X", 4, x);
  values = heddle_evaluate (backward, sizes, inputs, HEDDLE_PRECISION_F64, NULL, NULL);
  result = g_hash_table_lookup (values, heddle_ids_index (backward->outputs, 0));
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat (result->data[i], ==, expected[i]);
}

static void
test_special_points (void)
{
  assert_reduction ("max", (double[]){ 1., 3., 3., 2. }, 8., (double[]){ 0., 4., 4., 0. });
  assert_reduction ("min", (double[]){ 1., 1., 1., 2. }, 6., (double[]){ 2., 2., 2., 0. });
  assert_reduction ("prod", (double[]){ 2., 3., 0., 4. }, .5, (double[]){ 0., 0., 12., 0. });
  assert_reduction ("prod", (double[]){ 2., 0., 0., 4. }, 1., (double[]){ 0., 0., 0., 0. });
  assert_reduction ("prod", (double[]){ 2., 4., 1., .5 }, 1., (double[]){ 2., 1., 4., 8. });
  assert_reduction (
      "logsumexp", (double[]){ -INFINITY, 5., -INFINITY, -INFINITY }, 3., (double[]){ 0., 3., 0., 0. });
}

static void
test_derivatives (void)
{
  static const char *const pairs[][2] = { { "$0*$1", "$1" }, { "$0", "1" }, { "$1", "0" },
    { "exp($0)", "exp($0)" }, { "3*$0 + $1", "3" }, { "$0^2", "2*$0" }, { "relu($0)", "where($0 > 0, 1, 0)" },
    { "where($1 > 0, $0, 2)", "where($1 > 0, 1, 0)" }, { "floor($0) + $1", "0" } };

  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autoptr (HeddleExpr) expr = heddle_expr_literal (pairs[i][0]);
      g_autoptr (HeddleExpr) one = heddle_expr_number (1.);
      g_autoptr (HeddleExpr) derivative = heddle_expr_pull_back (expr, 0, one);
      g_autofree char *text = heddle_expr_to_string (derivative, NULL, NULL);

      g_assert_cmpstr (text, ==, pairs[i][1]);
    }
}

/* --- names, zeros, refusals -------------------------------------------------------------- */

static void
test_names (void)
{
  static const DiagramText text = { "names", "i=2", "X i; dY i; \\alpha i; unread i",
    { "map|Y|i|X dY|$0*$1", "map|ef|i|Y|$0^2", "map|Z|i|Y|-$0", "map|W|i|\\alpha|$0" } };
  g_autoptr (HeddleDiagram) diagram = diagram_of (&text);
  g_autoptr (HeddleDiagram) backward = backward_of (diagram);
  g_autoptr (GArray) ids = heddle_diagram_get_inputs (backward);
  g_autofree char *inputs = names_of (backward, ids);
  g_autofree char *outputs = names_of (backward, backward->outputs);
  g_autofree char *bar = heddle_cotangent_name ("\\bar x");

  g_assert_cmpstr (bar, ==, "d_{\\bar x}");
  g_assert_cmpstr (inputs, ==, "X dY \\alpha unread d_{ef} dZ dW ");
  g_assert_cmpstr (outputs, ==, "dX ddY d_{\\alpha} dunread ");
  g_assert_nonnull (heddle_diagram_find_value (backward, "dY'"));
  g_assert_true (backward->explicit_outputs);
}

/* A cotangent that is passed on keeps its name; one whose axes lie in another order is put into that of the value. */
static void
test_names_kept (void)
{
  static const DiagramText text = { "kept", "i=2 j=3", "X i j; Z j",
    { "map|N|i j|X Z|$0 + $1", "map|E|i j|N|exp($0)", "map|Y|j i|X E|$0 + $1" } };
  g_autoptr (HeddleDiagram) diagram = diagram_of (&text);
  g_autoptr (HeddleDiagram) backward = backward_of (diagram);
  g_autofree char *outputs = names_of (backward, backward->outputs);

  g_assert_cmpstr (outputs, ==, "dX dZ ");
  g_assert_nonnull (heddle_diagram_find_value (backward, "dN"));
  g_assert_null (heddle_diagram_find_value (backward, "dX'"));
  g_assert_true (assert_differences_agree (diagram, 5));
}

static void
assert_refused (const DiagramText *text, const char *names, HeddleDiagramError code, const char *part)
{
  g_autoptr (HeddleDiagram) diagram = diagram_of (text);
  g_auto (GStrv) list = g_strsplit (names, " ", -1);
  g_autoptr (GPtrArray) wrt = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; list[i] != NULL; i++)
    g_ptr_array_add (wrt, list[i]);
  g_assert_null (heddle_diagram_differentiate (diagram, wrt, &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, (gint) code);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_refusals (void)
{
  static const DiagramText text = { "refusals", "i=4", "X i; Z i", { "map|Y|i|X|$0" } };
  static const DiagramText wrong = { "wrong", "i=4 j=3", "X i; Z i", { "map|Y|j|X|$0" } };
  static const DiagramText outside = { "outside", "x=5 w=3", "X x; b w",
    { "reindex|T|x w|X|index(x) + index(w) - 1", "map|U|x w|T b|where($1 > 0, $0, 2) + 1", "max|Y|x|U|w" } };

  g_autoptr (GString) line = g_string_new ("map|Y|i|X|$0");
  DiagramText tower = { "long", "i=4", "X i", { NULL } };

  for (guint i = 0; i < 1500; i++)
    g_string_append (line, "*$0");
  tower.operations[0] = line->str;
  assert_refused (&tower, "X", HEDDLE_DIAGRAM_ERROR_UNSUPPORTED, "the function of Y is too long");
  assert_refused (&text, "X A", HEDDLE_DIAGRAM_ERROR_INVALID, "no value “A”");
  assert_refused (&text, "Y", HEDDLE_DIAGRAM_ERROR_INVALID, "“Y” is made by an operation");
  assert_refused (&text, "X Z X", HEDDLE_DIAGRAM_ERROR_INVALID, "“X” is named twice");
  assert_refused (&wrong, "X", HEDDLE_DIAGRAM_ERROR_INVALID, "Y");
  assert_refused (&outside, "X", HEDDLE_DIAGRAM_ERROR_UNSUPPORTED, "U stands for reads outside");
}

/* The diagram is left as it was, and what the way back does not read is not in it. */
static void
test_tape (void)
{
  static const DiagramText text
      = { "tape", "i=4 j=3", "X i; W i j", { "contract|A|j|X W|i", "map|B|j|A|exp($0)", "sum|C||B|j" } };
  g_autoptr (HeddleDiagram) diagram = diagram_of (&text);
  g_autoptr (HeddleDiagram) before = heddle_diagram_copy (diagram);
  g_autoptr (HeddleDiagram) backward = backward_of (diagram);

  g_assert_true (heddle_diagram_isomorphic (diagram, before, NULL));
  g_assert_nonnull (heddle_diagram_find_value (backward, "A"));
  g_assert_null (heddle_diagram_find_value (backward, "B"));
  g_assert_null (heddle_diagram_find_value (backward, "C"));
  g_assert_cmpstr (backward->name, ==, "tape-backward");
}

/* The way back through a window two apart reads the cotangent at solved indices: one contraction and a mask. */
static void
test_window (void)
{
  static const DiagramText text = { "window", "x=9 z=4 w=3 c=2 f=2", "X x c; W w c f",
    { "reindex|T|z w c|X|2*index(z) + index(w);index(c)", "contract|_|z f|T W|w c" } };
  g_autoptr (HeddleDiagram) diagram = diagram_of (&text);
  g_autoptr (HeddleDiagram) backward = NULL;
  const HeddleOperation *back, *read, *mask;

  /* T is read once, by the contraction: without a name it is part of it. */
  g_clear_pointer (
      &heddle_diagram_edit_value (diagram, heddle_diagram_find_value (diagram, "T")->id)->name, g_free);
  backward = backward_of (diagram);
  back = heddle_diagram_get_producer (backward, heddle_diagram_find_value (backward, "dX")->id);
  g_assert_cmpstr (back->kind->id, ==, "contract");
  g_assert_cmpuint (back->operands->len, ==, 3);
  read = heddle_diagram_get_producer (backward, heddle_ids_index (back->operands, 0));
  g_assert_cmpstr (read->kind->id, ==, "reindex");
  mask = heddle_diagram_get_producer (backward, heddle_ids_index (back->operands, 2));
  g_assert_cmpuint (mask->operands->len, ==, 0);
  g_assert_cmpuint (heddle_diagram_get_value (backward, mask->result)->axes->len, ==, 2);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *path = g_strconcat ("/differentiate/differences/", texts[i].name, NULL);

      g_test_add_data_func (path, &texts[i], test_text);
    }
  g_test_add_func ("/differentiate/special-points", test_special_points);
  g_test_add_func ("/differentiate/derivatives", test_derivatives);
  g_test_add_func ("/differentiate/names", test_names);
  g_test_add_func ("/differentiate/names-kept", test_names_kept);
  g_test_add_func ("/differentiate/refusals", test_refusals);
  g_test_add_func ("/differentiate/tape", test_tape);
  g_test_add_func ("/differentiate/window", test_window);
  return g_test_run ();
}
