/* SPDX-License-Identifier: MIT */
#include "equations-case.h"

#include <string.h>

#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/base/error.h"
#include "diagram/base/problem.h"
#include "diagram/check/snapshot.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/definitions.h"
#include "diagram/edit/group.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/flatten/flatten.h"
#include "diagram/graph/diagram-compare.h"
#include "diagram/graph/diagram.h"
#include "files/equations/write.h"
#include "files/ncd/read.h"
#include "files/ncd/write.h"

#define BLOCK                                                                                                \
  "def block(X[x,m]) -> Y[x,m]:\n  param W : [m, f=5]\n  H[x,f] = relu(X[x,m] W[m,f])\n"                     \
  "  Y[x,m] = X[x,m] + H[x,f] W[m,f]\n\n"
#define INPUT "X : [x=2, m=3]\n"

/* --- what is wrong, and where ---------------------------------------------------------- */

/* One definition within another, whose own definitions those beside it may call. */
#define NESTED "def f(X[m]) -> Y[m]:\n  def g(X[m]) -> Y[m]:\n    Y[m] = X[m] * 2\n\n  Y[m] = g(X) + 1\n"
#define INNER                                                                                                \
  "# outer\ndef f(X[m]) -> Y[m]:\n  # first\n  def g(X[m]) -> Y[m]:\n    # innermost\n    def i(X[m]) -> "   \
  "Y[m]:\n"                                                                                                  \
  "      Y[m] = X[m] + 1\n\n    Y[m] = i(X) * 2\n\n  # second\n  def h(X[m]) -> Y[m]:\n    Y[m] = g(X) + "   \
  "3\n\n"                                                                                                    \
  "  # of A\n  A[m] = h(X)\n  Y[m] = g(A)\n\ndef k(X[m]) -> Y[m]:\n  def g(X[m]) -> Y[m]:\n    Y[m] = X[m] " \
  "* 5\n\n"                                                                                                  \
  "  Y[m] = g(X)\n\n"

typedef struct
{
  const char *name, *text, *problems;
} Wrong;

static const Wrong wrongs[] = {
  { "count", BLOCK INPUT "Z[x,m] = block(X, X)\n", "7:10 block takes 1 argument: found 2\n" },
  { "rank", BLOCK "v : [m=3]\nZ[m] = block(v)\n", "7:14 block takes X with 2 axes or more, found 1\n" },
  { "result", BLOCK INPUT "Z[x] = block(X)\n", "7:8 block makes Y[x, m], which cannot be Z[x]\n" },
  { "woven", BLOCK "B : [b=4, x=2, m=3]\nZ[x,m] = block(B)\n",
      "7:10 block makes Y[x, m], here for each of b, which cannot be Z[x, m]\n" },
  { "recursion", "def f(X[m]) -> Y[m]:\n  Y[m] = f(X)\n\nX : [m=3]\nZ[m] = f(X)\n",
      "2:10 f calls itself without end: expected another definition\n" },
  { "recursion-of-two",
      "def f(X[m]) -> Y[m]:\n  Y[m] = g(X)\n\ndef g(X[m]) -> Y[m]:\n  Y[m] = f(X)\n\nX : [m=3]\nZ[m] = "
      "f(X)\n",
      "5:10 f calls itself without end: expected another definition\n" },
  { "repeated-type",
      "def f(X[m]) -> Y[n]:\n  axis n = 2*m\n  Y[n] = X[0] where(n > 0, 1, 2)\n\nX : [m=3]\nZ[k=6] = "
      "f^2(X)\n",
      "6:10 f takes X[m] and makes Y[n]: only what makes what it takes can be repeated\n" },
  { "repeated-never", BLOCK INPUT "Z[x,m] = block^0(X)\n",
      "7:10 Z repeats block 0 times: expected a whole number from 1 to 10000\n" },
  { "size", "def f(X[m]) -> Y[m]:\n  axis m = 4\n  Y[m] = 2 * X[m]\n\nX : [i=3]\nZ[i] = f(X)\n",
      "6:8 i is m of f in Z, but their sizes differ: one is 3, the other 4\n" },
  { "sizes", "def f(A[m], B[m]) -> Y[m]:\n  Y[m] = A[m] + B[m]\n\nP : [i=3]\nQ : [j=4]\nZ[i] = f(P, Q)\n",
      "6:8 m of f is i, and in Z also j, but their sizes differ: one is 3, the other 4\n" },
  { "given-size",
      "def f(X[m]; n) -> Y[m]:\n  param W : [m, n]\n  Y[m] = X[m] sum[n](W[m,n])\n\nX : [i=3]\nZ[i] = f(X, "
      "X)\n",
      "6:13 expected numbers and sizes of axes\n" },
  { "argument",
      "def f(X[m]; A) -> Y[m]:\n  A[m] = X[m] * 2\n  Y[m] = A[m] + 1\n\nX : [m=3]\nZ[m] = f(X, 2)\n",
      "1:13 “A” is neither a parameter nor an axis of what is defined: expected one of them\n" },
  { "no-size",
      "def f(X[m]; n) -> Y[k]:\n  axis k = m / n\n  Y[k] = X[size(n)*k]\n\nX : [m=6]\nZ[k=2] = f(X, 0)\n",
      "6:10 k is k of f in Z, but their sizes differ: one is 2, the other inf\n" },
  { "not-whole", "def f(X[m]; n) -> Y[m]:\n  Y[m] = X[m-size(n)]\n\nX : [m=6]\nZ[m] = f(X, 1/2)\n",
      "5:8 n of f is given a number that is not whole, or less than 0: one is 0.5, the other 0\n" },
  { "size-of-nothing",
      "def f(X[m]; n) -> Y[m]:\n  param W : [n]\n  Y[m] = X[m] sum[n](W[n])\n\nX : [m=6]\nZ[m] = f(X, 0)\n",
      "6:8 The size of Z.n is 0: sizes are whole numbers of at least 1\n" },
  { "output", "def f(X[m]) -> Y[m]:\n  A[m] = X[m] * 2\n\nX : [m=3]\n",
      "1:16 f should give Y, but nothing below makes it\n" },
  { "output-axes", "def f(X[m,n]) -> Y[n,m]:\n  Y[m,n] = X[m,n] * 2\n\nX : [m=3]\n",
      "1:18 Y has other axes below: expected the same in the same order\n" },
  { "twice", "def f(X[m]) -> X[m]:\n\ndef f(X[m]) -> X[m]:\n\nX : [m=3]\n",
      "3:5 f is defined already, on line 1: expected another name\n" },
  { "name", "def f(X[m]) -> X[m]:\n\nf : [m=3]\n", "3:1 “f” is a definition: expected another name\n" },
  { "reserved", "def exp(X[m]) -> X[m]:\n\nX : [m=3]\n",
      "1:5 “exp” is a keyword of the language: expected another name\n" },
  { "beyond", NESTED "\nX : [m=3]\nZ[m] = g(X)\n",
      "8:8 “g” is not known: expected an array, an axis or a function\n8:10 X has axes: expected X[m]\n" },
  { "shadow",
      "def f(X[m]) -> Y[m]:\n  def g(X[m]) -> X[m]:\n  Y[m] = g(X)\n\ndef g(X[m]) -> X[m]:\n\nX : [m=3]\n",
      "2:7 “g” is a definition: expected another name\n" },
  { "within-twice", "def f(X[m]) -> X[m]:\n  def g(X[m]) -> X[m]:\n  def g(X[m]) -> X[m]:\n\nX : [m=3]\n",
      "3:7 g is defined already, on line 2: expected another name\n" },
  { "within-name", "def f(X[m]) -> g[m]:\n  def g(X[m]) -> X[m]:\n  g[m] = X[m] * 2\n\nX : [m=3]\n",
      "1:16 “g” is a definition: expected another name\n" },
  { "within-itself",
      "def f(X[m]) -> Y[m]:\n  def g(X[m]) -> Y[m]:\n    Y[m] = f(X)\n\n  Y[m] = g(X)\n\nX : [m=3]\nZ[m] = "
      "f(X)\n",
      "3:12 f calls itself without end: expected another definition\n" },
  { "shared", INPUT "Z[x,m] = shared X[x,m]\n",
      "2:10 “shared” stands before a call, as in Z[x,m] = shared block^6(X)\n" },
  { "several", INPUT "A[x,m], B[x,m] = X[x,m] * 2\n",
      "2:9 the right side makes one array: expected “=”, or a call of a definition that makes several\n" },
  { "unnamed", "def f(X[m]) -> Y[n]:\n  Y[n=2] = X[0] where(n > 0, 1, 2)\n\nX : [m=3]\nZ[m] = X[m] + f(X)\n",
      "5:15 the results of f need axes that are named: expected a statement of its own, such as Z[x,m] = "
      "f(…)\n" },
  { "first-line", "def f(X[m]) -> Y[m]\n  Y[m] = X[m] * 2\n\nX : [m=3]\nZ[m] = f(X)\n",
      "1:20 expected “:”, found the end of the line\n" },
};

static void
test_wrong (gconstpointer data)
{
  const Wrong *wrong = data;
  g_autofree char *problems = equations_problems (wrong->text);

  g_assert_cmpstr (problems, ==, wrong->problems);
}

/* --- text that stays as it is ------------------------------------------------------------ */

/* A random document: definitions of one to three inputs, results and arguments, each calling some of those before it. */
static char *
random_text (GRand *random)
{
  GString *text = g_string_new (NULL);
  guint n = (guint) g_rand_int_range (random, 1, 5);

  for (guint i = 0; i < n; i++)
    {
      gboolean two = g_rand_boolean (random), size = g_rand_boolean (random);

      if (g_rand_boolean (random))
        g_string_append_printf (text, "# definition %u\n", i);
      g_string_append_printf (text, "def f_%u(X[x,m]%s; W%s) -> Y[x,m], S[x]:%s\n", i, two ? ", U[m]" : "",
          size ? ", f" : "", g_rand_boolean (random) ? "  # behind" : "");
      if (g_rand_boolean (random))
        g_string_append (text, "  # an input\n  X : f16[x, m]\n");
      g_string_append (text, "  param W : [m, m']\n  param V : [m', f]\n");
      g_string_append (text, "  H[x,f] = X[x,m] W[m,m'] V[m',f]\n");
      g_string_append_printf (
          text, "  A[x,m] = X[x,m] * %d%s\n", g_rand_int_range (random, 2, 9), two ? " + U[m]" : "");
      for (guint j = 0; j < i; j++)
        if (g_rand_boolean (random) && strstr (text->str, "def") != NULL)
          {
            g_autofree char *start = g_strdup_printf ("def f_%u(X[x,m], U[m]", j);
            g_autofree char *sized
                = g_strdup_printf ("def f_%u(X[x,m]%s; W, f)", j, strstr (text->str, start) ? ", U[m]" : "");
            g_string_append_printf (text, "  B_%u[x,m], C_%u[x] = %sf_%u%s(A%s, W%s)\n", j, j,
                g_rand_boolean (random) ? "shared " : "", j, "", strstr (text->str, start) ? ", X[0,m]" : "",
                strstr (text->str, sized) ? ", 3*m + 1" : "");
          }
      g_string_append (text, "  S[x] = sum[f](H[x,f])\n  Y[x,m] = A[x,m] / 2\n\n");
    }
  g_string_append (text, "X : [x=4, m=3]\nE[x,m] = exp(X[x,m])\n");
  return g_string_free (text, FALSE);
}

static void
test_stays (void)
{
  equations_assert_stays (BLOCK INPUT "Z[x,m] = block^6(X)\n");
  equations_assert_stays (
      "# above\n" BLOCK "# of X\n" INPUT "# of Z\nZ[x,m] = shared block^6(X)  # behind\n# at the end\n");
  equations_assert_stays (BLOCK INPUT "Z[x,m] = 2 * X[x,m] + exp(block(X))\n-> Z\n");
  equations_assert_stays ("def two(X[m]) -> A[m], B[m]:\n  A[m] = X[m] * 2\n  B[m] = A[m] + 1\n\n" INPUT
                          "P : f16[x, m]\nP[x,m], Q[x,m] = two(X)\n");
  equations_assert_stays (BLOCK "def unused(X[m]; m) -> X[m]:\n\n" INPUT "Z[x,m] = block(X)\n");
  equations_assert_stays (INNER INPUT "Z[x,m] = f(X)\nV[x,m] = k(Z)\nU[x,m] = f.g(V)\n");
  equations_assert_stays ("def f.g(X[m]) -> Y[m]:\n  Y[m] = X[m] * 2\n\n" INPUT "Z[x,m] = f.g(X)\n");
  equations_assert_stays (
      "def f(X[m]; s, p) -> Y[k]:\n  axis k = ceil(m / s)\n  Y[k] = X[size(s)*k-size(p)]\n\n" INPUT
      "axis k = ceil(m / 2)\nZ[x,k] = f(X, 2, 0)\n");
}

/* ((x + 1) 2 + 3 + 1) 2, times 5, and ((y + 1) 2). Names are told apart by where they stand, and go with what they stand in. */
static void
test_nested (void)
{
  g_autoptr (HeddleSnapshot) snapshot
      = equations_read (INNER "X : [m=1]\nZ[m] = f(X)\nV[m] = k(Z)\nU[m] = f.g(V)\n");
  static const char *const names[] = { "f", "f.g", "f.g.i", "f.h", "k", "k.g" };
  g_autoptr (GPtrArray) problems = heddle_check_snapshot (snapshot);
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GError) error = NULL;
  HeddleArray *array = heddle_array_new (HEDDLE_DTYPE_F64, 1, (gint64[]){ 1 }, NULL);

  g_assert_false (heddle_problems_have_errors (problems));
  g_assert_cmpuint (snapshot->diagrams->len, ==, 1 + G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpstr (((HeddleDiagram *) snapshot->diagrams->pdata[i + 1])->name, ==, names[i]);
  array->data[0] = 10.;
  g_hash_table_insert (inputs, g_strdup ("X"), array);
  g_autoptr (HeddleSnapshot) flat
      = heddle_snapshot_flatten (snapshot, heddle_snapshot_get_diagram (snapshot, NULL), NULL, NULL, &error);
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (flat, NULL);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, &error);
  g_autoptr (GHashTable) values
      = heddle_evaluate (diagram, sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  const HeddleArray *u = g_hash_table_lookup (values, heddle_diagram_find_value (diagram, "U")->id);
  g_assert_no_error (error);
  g_assert_cmpfloat (u->data[0], ==, ((((10. + 1.) * 2. + 3. + 1.) * 2.) * 5. + 1.) * 2.);
}

/* Reading what was written of a random document and writing it again gives the same. */
static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint i = 0; i < 60; i++)
    {
      g_autofree char *text = random_text (random);
      g_autoptr (HeddleSnapshot) snapshot = equations_read (text);
      g_autofree char *written
          = heddle_equations_write_snapshot (snapshot, heddle_snapshot_get_diagram (snapshot, NULL));
      equations_assert_stays (written);
    }
}

/* --- limits ------------------------------------------------------------------------------- */

/* Each definition calls the one before a hundred times: a hundred million operations that are never made. */
static void
test_explosion (void)
{
  g_autoptr (GString) text = g_string_new ("def f_0(X[m]) -> Y[m]:\n  Y[m] = X[m] * 2\n\n");
  g_autofree char *problems = NULL;

  for (guint i = 1; i < 5; i++)
    g_string_append_printf (text, "def f_%u(X[m]) -> Y[m]:\n  Y[m] = f_%u^100(X)\n\n", i, i - 1);
  g_string_append (text, "X : [m=3]\nZ[m] = f_4(X)\n");
  problems = equations_problems (text->str);
  g_assert_cmpstr (problems, ==, "17:8 The called definitions expand to more than 200000 operations\n");
}

/* Definitions that stand within one another without end, and ever more of them set in alike. */
static void
test_nesting_depth (void)
{
  g_autoptr (GString) text = g_string_new (NULL), many = g_string_new ("def f(X[m]) -> X[m]:\n");
  g_autofree char *problems = NULL;
  g_autoptr (HeddleSnapshot) snapshot = NULL;

  for (guint i = 0; i < 70; i++)
    {
      g_autofree char *indent = g_strnfill (i, ' ');
      g_string_append_printf (text, "%sdef f_%u(X[m]) -> X[m]:\n", indent, i);
    }
  g_string_append (text, "X : [m=3]\n");
  problems = equations_problems (text->str);
  g_assert_cmpstr (problems, ==, "65:69 definitions are nested more than 64 deep\n");
  for (guint i = 0; i < 3000; i++)
    g_string_append_printf (many, "  def g_%u(X[m]) -> X[m]:\n\n", i);
  g_string_append (many, "\nX : [m=3]\nZ[m] = f.g_2999(X)\n");
  snapshot = equations_read (many->str);
  g_assert_cmpuint (snapshot->diagrams->len, ==, 3002);
}

static void
test_depth (void)
{
  g_autoptr (GString) text = g_string_new ("def f_0(X[m]) -> Y[m]:\n  Y[m] = X[m] * 2\n\n");
  g_autofree char *problems = NULL;

  for (guint i = 1; i < 70; i++)
    g_string_append_printf (text, "def f_%u(X[m]) -> Y[m]:\n  Y[m] = f_%u(X)\n\n", i, i - 1);
  g_string_append (text, "X : [m=3]\nZ[m] = f_69(X)\n");
  problems = equations_problems (text->str);
  g_assert_nonnull (strstr (problems, "Definitions call one another more than 64 deep"));
}

/* --- edits ---------------------------------------------------------------------------------- */

static void
test_set_repeat (void)
{
  g_autoptr (HeddleSnapshot) snapshot = equations_read (BLOCK INPUT "Z[x,m] = block(X)\n");
  HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  g_autoptr (GError) error = NULL;
  const char *call = g_intern_string ("o.Z");

  g_assert_true (heddle_edit_set_repeat (snapshot, diagram, call, "2*m", TRUE, &error));
  g_autofree char *text = heddle_equations_write_snapshot (snapshot, diagram);
  g_assert_cmpstr (text, ==, BLOCK INPUT "Z[x,m] = shared block^(2*m)(X)\n");
  g_assert_false (heddle_edit_set_repeat (snapshot, diagram, call, "0", FALSE, &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_true (heddle_edit_set_repeat (snapshot, diagram, call, NULL, FALSE, &error));
  g_autofree char *once = heddle_equations_write_snapshot (snapshot, diagram);
  g_assert_cmpstr (once, ==, BLOCK INPUT "Z[x,m] = block(X)\n");
}

#define DEFINED                                                                                              \
  "def block(X[x,m], W[m,f]) -> Y[x,m]:\n  H[x,f] = relu(X[x,m] W[m,f])\n"                                   \
  "  Y[x,m] = X[x,m] + H[x,f] W[m,f]\n\nX : [x=2, m=3]\nparam W : [m, f=5]\nY[x,m] = block(X, W)\n"          \
  "Z[x,m] = exp(Y[x,m])\n"

static void
choose (const HeddleDiagram *diagram, const char *name, GArray *ids)
{
  const HeddleValue *value = heddle_diagram_find_value (diagram, name);
  g_autoptr (GPtrArray) operations = heddle_diagram_statement_operations (diagram, value->id);

  for (guint i = 0; i < operations->len; i++)
    heddle_ids_append (ids, ((HeddleOperation *) g_ptr_array_index (operations, i))->id);
}

/* What is grouped is a definition and a call; taken apart it is what it was, but for the names within. */
static void
test_group (void)
{
  g_autoptr (HeddleSnapshot) snapshot
      = equations_read (INPUT "param W : [m, f=5]\nH[x,f] = relu(X[x,m] W[m,f])\n"
                              "Y[x,m] = X[x,m] + H[x,f] W[m,f]\nZ[x,m] = exp(Y[x,m])\n");
  HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  g_autoptr (GArray) apart = heddle_ids_new (), ids = heddle_ids_new ();
  g_autoptr (GError) error = NULL;

  choose (diagram, "H", apart);
  choose (diagram, "Z", apart);
  g_assert_null (heddle_edit_group (snapshot, diagram, apart, "block", &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID);
  g_clear_error (&error);
  choose (diagram, "H", ids);
  choose (diagram, "Y", ids);
  g_assert_null (heddle_edit_group (snapshot, diagram, ids, "X", &error));
  g_clear_error (&error);
  const char *call = heddle_edit_group (snapshot, diagram, ids, "block", &error);
  g_assert_no_error (error);
  g_autofree char *text = heddle_equations_write_snapshot (snapshot, diagram);
  g_assert_cmpstr (text, ==, DEFINED);
  g_autoptr (GPtrArray) problems = heddle_check_snapshot (snapshot);
  g_assert_false (heddle_problems_have_errors (problems));
  g_assert_true (heddle_edit_ungroup (snapshot, diagram, call, &error));
  g_autofree char *flat = heddle_equations_write (diagram);
  g_assert_cmpstr (flat, ==,
      INPUT "param W : [m, f=5]\nY.H[x,f] = relu(X[x,m] W[m,f])\nY[x,m] = X[x,m] + Y.H[x,f] W[m,f]\n"
            "Z[x,m] = exp(Y[x,m])\n");
}

/* What is edited as text keeps the ids of what is still there, and definitions come and go. */
static void
test_replace_document (void)
{
  g_autoptr (HeddleSnapshot) snapshot = equations_read (BLOCK INPUT "Z[x,m] = block(X)\n");
  const char *text = "def other(X[m]) -> Y[m]:\n  Y[m] = X[m] * 2\n\n" BLOCK INPUT
                     "Z[x,m] = block(X)\nU[x,m] = other^2(Z)\n";
  g_autoptr (HeddleSnapshot) read = equations_read (text),
                             back = equations_read (INPUT "Z[x,m] = X[x,m] + 1\n");
  HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);

  heddle_edit_replace_document (snapshot, diagram, read);
  g_assert_cmpuint (snapshot->diagrams->len, ==, 3);
  g_assert_nonnull (heddle_diagram_get_operation (diagram, g_intern_string ("o.Z")));
  g_autoptr (GPtrArray) problems = heddle_check_snapshot (snapshot);
  g_assert_false (heddle_problems_have_errors (problems));
  heddle_edit_replace_document (snapshot, diagram, back);
  g_assert_cmpuint (snapshot->diagrams->len, ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autofree char *path = g_strconcat ("/definitions/wrong/", wrongs[i].name, NULL);
      g_test_add_data_func (path, &wrongs[i], test_wrong);
    }
  g_test_add_func ("/definitions/stays", test_stays);
  g_test_add_func ("/definitions/nested", test_nested);
  g_test_add_func ("/definitions/random", test_random);
  g_test_add_func ("/definitions/explosion", test_explosion);
  g_test_add_func ("/definitions/depth", test_depth);
  g_test_add_func ("/definitions/nesting-depth", test_nesting_depth);
  g_test_add_func ("/definitions/set-repeat", test_set_repeat);
  g_test_add_func ("/definitions/group", test_group);
  g_test_add_func ("/definitions/replace-document", test_replace_document);
  return g_test_run ();
}
