/* SPDX-License-Identifier: MIT */
#include <locale.h>

#include "equations-case.h"
#include "diagram/base/dtype.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/print.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/plan.h"
#include "files/equations/write.h"

/* --- canonical text ------------------------------------------------------------------ */

#define DECLARATIONS                                                                                         \
  "A : f64[i=3, k=4]\nB : f64[k, j=5]\nC : f64[i, k]\nv : f64[k]\ns : f64\nX : f64[t=9, c=2]\n"              \
  "W : f64[w=3, c, f=4]\nQ : f64[q=5, d=4]\nK : f64[x=6, d]\nV : f64[x, d]\n"

/* A statement below the declarations above, and what it is written as; NULL: the same. */
typedef struct
{
  const char *name, *statement, *canonical;
} Line;

static const Line lines[] = {
  { "product", "O[i,j] = A[i,k] B[k,j]", NULL },
  { "product-star", "O[i,j] = A[i,k]*B[k,j]", "O[i,j] = A[i,k] B[k,j]" },
  { "explicit", "O[i,j] = sum[k](A[i,k] B[k,j])", "O[i,j] = A[i,k] B[k,j]" },
  { "plus-one", "O[i,j] = A[i,k] B[k,j] + 1", NULL },
  { "two-terms", "O[i,j] = A[i,k] B[k,j] + C[i,k] B[k,j]", NULL },
  { "sum-as-factor", "O[i,j] = A[i,k] (B[k,j] + v[k])", NULL },
  { "divisor", "O[i,j] = A[i,k] B[k,j] / v[k]", NULL },
  { "weighted-mean", "O[i,j] = exp(A[i,k]) B[k,j] / sum[k](exp(A[i,k]))", NULL },
  { "minus-and-power", "O[i,j] = -A[i,k] B[k,j]^2", NULL },
  { "scalar-and-size", "O[i,j] = s A[i,k] B[k,j] k^-0.5", "O[i,j] = s * A[i,k] B[k,j] * k^-0.5" },
  { "scalar-outside", "O[i,j] = s (A[i,k] B[k,j])", "O[i,j] = s * (A[i,k] B[k,j])" },
  { "number-first", "O[i,j] = 2 A[i,k] B[k,j]", "O[i,j] = 2 * A[i,k] B[k,j]" },
  { "three-factors", "O[i,j] = A[i,k] B[k,j] v[k]", NULL },
  { "nested-products", "O[i] = (A[i,k] B[k,j]) B[k,j]", NULL },
  { "whole-sum", "O = sum[i,k](A[i,k])", NULL },
  { "dot", "O = v[k] v[k]", NULL },
  { "elementwise-product", "O[i,k] = A[i,k] C[i,k]", NULL },
  { "sum-of-squares", "O[i] = sum[k](A[i,k]^2)", NULL },
  { "channel-wise", "O[q,d] = softmax[x](Q[q,d] K[x,d]) V[x,d]", NULL },
  { "attention", "O[q,d] = softmax[x](Q[q,e] K[x,e] * e^-0.5) V[x,d]", NULL },
  { "windowed", "O[q,d] = softmax[x](where(q - x < 3 and q >= x, Q[q,e] K[x,e], -inf)) V[x,d]", NULL },
  { "convolution", "O[z=4,f] = X[2*z+w-1,c] W[w,c,f]", "axis z = 4\nO[z,f] = X[2*z+w-1,c] W[w,c,f]" },
  { "pooling", "O[z=4,c] = max[w](X[2*z + w - 1, c])", "axis z = 4\nO[z,c] = max[w](X[2*z+w-1,c])" },
  { "two-maxima", "O[i,k] = max(A[i,k], 0) - min[k](A[i,k])", NULL },
  { "minus-between", "O[i,k] = A[i,k] -C[i,k]", "O[i,k] = A[i,k] - C[i,k]" },
  { "minus-of-sum", "O[i,k] = A[i,k] - (C[i,k] + 1)", NULL },
  { "powers", "O[i,k] = 2^3^2 A[i,k]", "O[i,k] = 2^3^2 * A[i,k]" },
  { "power-of-minus", "O[i,k] = (-A[i,k])^2 - -A[i,k]^-2", NULL },
  { "index-and-size", "O[k] = index(k) / k", NULL },
  { "size-in-index", "O[k] = v[size(k)-1-k]", NULL },
  { "one-factor", "O[i] = A[i,k] B[k,j]", "O[i] = A[i,k] sum[j](B[k,j])" },
  { "one-factor-each", "O = v[k] B[k,j] C[i,k]", "O = v[k] sum[j](B[k,j]) sum[i](C[i,k])" },
  { "no-axes", "O[k,q,d] = sum[](v[k] Q[q,d])", NULL },
  { "size-in-predicate", "O[k] = where(k < size(k) / 2 or not k == 3, v[k], 0)", NULL },
  { "rename", "O[i,y] = A[i,k] A[y,k]", NULL },
  { "diagonal", "O[x] = V[x,x]", "" },
  { "element", "O[i] = A[i,2] + A[0,1]", NULL },
  { "transpose", "O[k,i] = A[i,k]", NULL },
  { "transposed-product", "O[j,i] = A[i,k] B[k,j]", NULL },
  { "alias", "O[i,k] = A[i,k]", NULL },
  { "identity-function", "O[i,k] = (A[i,k])", NULL },
  { "scalar-alias", "O = s", NULL },
  { "repeat", "O[i,k,c] = A[i,k]", NULL },
  { "repeat-constant", "O[i] = 3", NULL },
  { "repeat-product", "O[i,j,c] = A[i,k] B[k,j]", "t1[i,j] = A[i,k] B[k,j]\nO[i,j,c] = t1[i,j]" },
  { "options", "O[i,k] = rmsnorm[k, eps=1e-6](A[i,k]) + layernorm[i,k](C[i,k])",
      "O[i,k] = rmsnorm[k, eps=1e-06](A[i,k]) + layernorm[i,k](C[i,k])" },
  { "norm-in-norm", "O[i,k] = softmax[k](l2norm[k](A[i,k]))", NULL },
  { "function-of-function", "O[i,k] = exp(relu(A[i,k]) + 1)", NULL },
  { "comparison", "O[i,k] = (A[i,k] < C[i,k]) * 2", NULL },
  { "functions", "O[k] = mod(index(k), 2) + gelu(v[k]) rsqrt(abs(v[k])) / min(k, 3)", NULL },
};

static void
test_line (gconstpointer data)
{
  const Line *line = data;
  g_autofree char *text = g_strconcat (DECLARATIONS, line->statement, "\n", NULL);
  g_autofree char *expected = NULL, *written = NULL, *again = NULL;
  g_autoptr (HeddleSnapshot) snapshot = NULL;

  if (line->canonical != NULL && *line->canonical == '\0')
    {
      g_autofree char *problems = equations_problems (text);
      g_assert_cmpstr (problems, ==,
          "11:12 x is 6 and d of V is 4: expected equal sizes where one is read as the other\n");
      return;
    }
  expected
      = g_strconcat (DECLARATIONS, line->canonical != NULL ? line->canonical : line->statement, "\n", NULL);
  written = equations_canonical (text);
  g_assert_cmpstr (written, ==, expected);
  again = equations_canonical (written);
  g_assert_cmpstr (again, ==, written);
  snapshot = equations_read (text);
  equations_assert_round_trip (heddle_snapshot_get_diagram (snapshot, NULL));
}

/* --- whole texts --------------------------------------------------------------------- */

static const char attention[]
    = "# attention.eq\n"
      "Q : f16[q=4096, d=128]\n"
      "K : f16[x=4096, d]\n"
      "V : f16[x, d]\n"
      "S[q,x] = Q[q,d] K[x,d]  # an index missing on the left is summed\n"
      "P[q,x] = softmax[x](S[q,x] * d^-0.5)  # outside index brackets an axis name is its size\n"
      "O[q,d] = P[q,x] V[x,d]\n";

static void
test_example (void)
{
  g_autofree char *text = equations_canonical (
      "# attention.eq\nQ : f16[q=4096, d=128]\nK : f16[x=4096, d]\nV : f16[x, d]\n"
      "S[q,x] = Q[q,d] K[x,d]                  # an index missing on the left is summed\n"
      "P[q,x] = softmax[x](S[q,x] * d^-0.5)    # outside index brackets an axis name is its size\n"
      "O[q,d] = P[q,x] V[x,d]");

  g_assert_cmpstr (text, ==, attention);
}

static const char *
operation_text (const HeddleDiagram *diagram, guint i)
{
  const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

  return operation->kind->id;
}

static void
test_operations (void)
{
  g_autoptr (HeddleSnapshot) snapshot = equations_read (attention);
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  const HeddleOperation *scale, *product;
  g_autofree char *body = NULL;

  g_assert_cmpstr (diagram->name, ==, "case");
  g_assert_cmpuint (diagram->operations->len, ==, 4);
  g_assert_cmpstr (operation_text (diagram, 0), ==, "contract");
  g_assert_cmpstr (operation_text (diagram, 1), ==, "map");
  g_assert_cmpstr (operation_text (diagram, 2), ==, "softmax");
  g_assert_cmpstr (operation_text (diagram, 3), ==, "contract");
  scale = g_ptr_array_index (diagram->operations, 1);
  g_assert_null (heddle_diagram_get_value (diagram, scale->result)->name);
  body = heddle_expr_to_string (scale->body, NULL, NULL);
  g_assert_cmpstr (body, ==, "$0*a.d^-0.5");
  product = g_ptr_array_index (diagram->operations, 3);
  g_assert_cmpuint (product->axes->len, ==, 1);
  g_assert_cmpstr (heddle_ids_index (product->axes, 0), ==, "a.x");
}

/* A text that is canonical already. */
typedef struct
{
  const char *name, *text;
} Text;

static const Text texts[] = {
  { "labels", "A : f64[i=3, k=4]\nt1[i,k] = A[i,k] + 1\nt2[i,k] = t1[i,k] * 2\nO[i] = "
              "sum[k](t2[i,k])\nU[i,k] = t1[i,k] A[i,k]\n" },
  { "function-of-function-values", "A : f64[i=3]\nt1[i] = exp(A[i])\nO[i] = t1[i] + 1\n" },
  { "outputs", "A : f64[i=3]\nB[i] = exp(A[i])\nC[i] = B[i] + 1\n-> B, C\n" },
  { "parameters", "X : f16[b=8, m=16]\nparam W : bf16[m, n=2*m]\nY[b,n] = relu(X[b,m] W[m,n])\n" },
  { "open-sizes", "A : [i, j]\ns : f32\nO[i] = s * max[j](A[i,j])\n" },
  { "declared-between",
      "A : f16[i=3, j=4]\n# stored narrow\nB : f16[i]\nB[i] = sum[j](A[i,j])  # why\nC[i] = exp(B[i])\n" },
  { "names", "\\bar x : f64[c_{i+1}=3, \\alpha=2]\nβ'[\\alpha] = mean[c_{i+1}](\\bar x[c_{i+1},\\alpha])\n" },
  { "comments", "# one\n#\n#  two\nA : f64[i=3]  # input\nB[i] = A[i] + 1  # output # twice\n# the end\n" },
  { "self-attention", "X : f64[x=7, m=4]\nS[y,x] = X[y,m] X[x,m]\nO[y,m] = softmax[x](S[y,x]) X[x,m]\n" },
  { "sizes-of-sizes", "X : f64[n=64*2^i, i=3]\nO[n] = max[i](X[n,i])\n" },
  { "unused-axis", "X : f64[n=3]\naxis k = n + 1\nO[n] = X[n] * k\n" },
};

static void
test_text (gconstpointer data)
{
  const Text *text = data;
  g_autofree char *written = equations_canonical (text->text);
  g_autoptr (HeddleSnapshot) snapshot = equations_read (text->text);

  g_assert_cmpstr (written, ==, text->text);
  equations_assert_round_trip (heddle_snapshot_get_diagram (snapshot, NULL));
}

/* A name that a person gave stays, even one that looks like a label. */
static void
test_given_labels (void)
{
  static const char *const texts_with_labels[] = {
    "A : f64[i=3]\nt1[i] = softmax[i](A[i])\nO[i] = softmax[i](t1[i])\n",
    "A : f64[i=3]\nt5[i] = exp(A[i])\nO[i] = t5[i] + 1\n",
    "A : f64[i=3]\nt1[i] = exp(A[i])\nt3[i] = t1[i] + 1\nt2[i] = t3[i] + 1\nO[i] = t2[i] + 1\n",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts_with_labels); i++)
    {
      g_autofree char *text = equations_canonical (texts_with_labels[i]);
      g_assert_cmpstr (text, ==, texts_with_labels[i]);
    }
}

static void
test_bytes (void)
{
  g_autofree char *text = equations_canonical ("\xef\xbb\xbf"
                                               "A\t:\tf64[ i = 3 ]\r\n\r\n  O[i]=A[i]+1\r\n");

  g_assert_cmpstr (text, ==, "A : f64[i=3]\nO[i] = A[i] + 1\n");
}

/* A comment of another source may end in spaces, or be nothing but those: what is written of it is written again. */
static void
test_comment_spaces (void)
{
  g_autoptr (HeddleSnapshot) snapshot = equations_read ("A : f64[i=3]\nB[i] = A[i] + 1\n"), again = NULL;
  HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  g_autofree char *first = NULL, *second = NULL;

  for (guint i = 0; i < diagram->values->len; i++)
    {
      HeddleValue *value = g_ptr_array_index (diagram->values, i);

      value->comment = g_strdup (i == 0 ? "one \n\n  two\t\fbehind  " : " \f ");
    }
  diagram->comment = g_strdup ("  ");
  first = heddle_equations_write_snapshot (snapshot, diagram);
  g_assert_cmpstr (first, ==, "# one\n#\n#   two\nA : f64[i=3]  # behind\nB[i] = A[i] + 1\n");
  again = equations_read (first);
  second = heddle_equations_write_snapshot (again, heddle_snapshot_get_diagram (again, NULL));
  g_assert_cmpstr (second, ==, first);
}

/* A document's comment may hold what a text may not: a space stands for it, so that the text can be read. */
static void
test_comment_characters (void)
{
  g_autoptr (HeddleSnapshot) snapshot = equations_read ("A : f64[i=3]\nB[i] = A[i] + 1\n"), again = NULL;
  HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  HeddleValue *value = g_ptr_array_index (diagram->values, 0);
  g_autofree char *first = NULL, *second = NULL;

  value->comment = g_strdup ("one\x7ftwo\rthree\fbe\x7fhind\r");
  diagram->comment = g_strdup ("a\360\237\277\276b\tc"); /* U+1FFFE */
  first = heddle_equations_write_snapshot (snapshot, diagram);
  g_assert_nonnull (strstr (first, "# a b\tc\n"));
  g_assert_nonnull (strstr (first, "# one two three\nA : f64[i=3]  # be hind\n"));
  again = equations_read (first);
  second = heddle_equations_write_snapshot (again, heddle_snapshot_get_diagram (again, NULL));
  g_assert_cmpstr (second, ==, first);
}

/* The names in the text find the values, also of those that have none. */
static void
test_find (void)
{
  g_autoptr (HeddleSnapshot) snapshot
      = equations_read ("A : f64[i=3]\nB[i] = softmax[i](A[i] + 1)\nt1[i] = softmax[i](B[i] * 2)\nO[i] = "
                        "t1[i] / (1 + t1[i])\nt2[i] = exp(O[i])\n"
                        "U[i] = t2[i] + 1\n");
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  const HeddleValue *label = heddle_equations_find_value (diagram, "t1");

  g_assert_null (label->name);
  g_assert_cmpstr (heddle_diagram_get_producer (diagram, label->id)->kind->id, ==, "softmax");
  g_assert_cmpstr (heddle_equations_find_value (diagram, "B")->name, ==, "B");
  g_assert_null (heddle_equations_find_value (diagram, "t3"));
  g_assert_null (heddle_equations_find_value (diagram, "C"));
}

/* The channel-wise slip is told, and is no error. */
static void
test_warning (void)
{
  g_autofree char *problems = equations_problems (DECLARATIONS "O[q,d] = softmax[x](Q[q,d] K[x,d]) V[x,d]\n");
  g_autofree char *none = equations_problems (
      DECLARATIONS "O[q,d] = softmax[x](Q[q,e] K[x,e]) V[x,d]\nR[q,x] = softmax[x](Q[q,d] K[x,d])\n");

  g_assert_cmpstr (problems, ==,
      "warning 11:10 d is on the left, so that softmax[x] is taken for each d on its own; to sum over it "
      "inside, "
      "give the index another name there\n");
  g_assert_cmpstr (none, ==, "");
}

#define GATED "X : f16[x=3, m=4]\nG : f16[m, f=5]\nU : f16[m, f]\n"

/* A gate in one line sums outside of its function, which is told; where sums are written, or each product has a line, nothing is. */
static void
test_gate (void)
{
  g_autofree char *problems = equations_problems (GATED "Y[x,f] = silu(X[x,m] G[m,f]) * (X[x,m] U[m,f])\n");
  g_autofree char *none = equations_problems (
      GATED "Y[x,f] = silu(sum[m](X[x,m] G[m,f])) * sum[m](X[x,m] U[m,f])\n"
            "A[x,f] = X[x,m] G[m,f]\nB[x,f] = silu(A[x,f]) * A[x,f]\nC[x,f] = silu(X[x,m]) G[m,f]\n"
            "D[x,f] = silu(X[x,m] G[m,f])\n");

  g_assert_cmpstr (problems, ==,
      "warning 4:10 m is summed over the whole product, of which this factor is taken for each m on its own; "
      "to sum inside, write sum[m](…) there, and for the other factor\n");
  g_assert_cmpstr (none, ==, "");
}

/* --- written, not read --------------------------------------------------------------- */

static const char *
add_value (
    HeddleDiagram *diagram, const char *name, HeddleValueRole role, const char *first, const char *second)
{
  g_autoptr (GArray) axes = heddle_ids_new ();

  heddle_ids_append (axes, first);
  if (second != NULL)
    heddle_ids_append (axes, second);
  return heddle_diagram_add_value (diagram, NULL, name, role, HEDDLE_DTYPE_UNSET, axes)->id;
}

static HeddleOperation *
add_operation (HeddleDiagram *diagram, const char *kind, const char *operand, const char *other,
    const char *result, const char *axis)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autoptr (GArray) axes = heddle_ids_new ();

  heddle_ids_append (operands, operand);
  if (other != NULL)
    heddle_ids_append (operands, other);
  if (axis != NULL)
    heddle_ids_append (axes, axis);
  return heddle_diagram_add_operation (
      diagram, NULL, heddle_operation_kind (kind), operands, result, axes, -1);
}

/* A sum of a product's values is not a contraction: the product is a statement of its own. */
static void
test_sum_of_product (void)
{
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("case");
  const char *i = heddle_diagram_add_axis (diagram, NULL, "i", heddle_expr_number (3.))->id;
  const char *k = heddle_diagram_add_axis (diagram, NULL, "k", heddle_expr_number (4.))->id;
  const char *a = add_value (diagram, "A", HEDDLE_ROLE_INPUT, i, k);
  const char *b = add_value (diagram, "B", HEDDLE_ROLE_INPUT, i, k);
  const char *product = add_value (diagram, NULL, HEDDLE_ROLE_INTERMEDIATE, i, k);
  const char *o = add_value (diagram, "O", HEDDLE_ROLE_INTERMEDIATE, i, NULL);
  g_autofree char *text = NULL;

  add_operation (diagram, "map", a, b, product, NULL)->body = heddle_expr_literal ("$0 * $1");
  add_operation (diagram, "sum", product, NULL, o, k);
  equations_assert_round_trip (diagram);
  text = heddle_equations_write (diagram);
  g_assert_cmpstr (text, ==, "A : [i=3, k=4]\nB : [i, k]\nt1[i,k] = A[i,k] B[i,k]\nO[i] = sum[k](t1[i,k])\n");
}

/* Operands in another order than they are used in are written all the same. */
static void
test_operand_order (void)
{
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("case");
  const char *i = heddle_diagram_add_axis (diagram, NULL, "i", heddle_expr_number (3.))->id;
  const char *a = add_value (diagram, "A", HEDDLE_ROLE_INPUT, i, NULL);
  const char *b = add_value (diagram, "B", HEDDLE_ROLE_INPUT, i, NULL);
  const char *norm = add_value (diagram, NULL, HEDDLE_ROLE_INTERMEDIATE, i, NULL);
  const char *o = add_value (diagram, "O", HEDDLE_ROLE_INTERMEDIATE, i, NULL);
  g_autofree char *text = NULL;

  add_operation (diagram, "softmax", a, NULL, norm, i);
  add_operation (diagram, "map", norm, b, o, NULL)->body = heddle_expr_literal ("$1 - $0 + $1");
  text = heddle_equations_write (diagram);
  g_assert_cmpstr (text, ==, "A : [i=3]\nB : [i]\nO[i] = B[i] - softmax[i](A[i]) + B[i]\n");
}

int
main (int argc, char *argv[])
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *path = g_strconcat ("/equations/line/", lines[i].name, NULL);
      g_test_add_data_func (path, &lines[i], test_line);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *path = g_strconcat ("/equations/text/", texts[i].name, NULL);
      g_test_add_data_func (path, &texts[i], test_text);
    }
  g_test_add_func ("/equations/example", test_example);
  g_test_add_func ("/equations/operations", test_operations);
  g_test_add_func ("/equations/given-labels", test_given_labels);
  g_test_add_func ("/equations/comment-spaces", test_comment_spaces);
  g_test_add_func ("/equations/comment-characters", test_comment_characters);
  g_test_add_func ("/equations/find", test_find);
  g_test_add_func ("/equations/bytes", test_bytes);
  g_test_add_func ("/equations/warning", test_warning);
  g_test_add_func ("/equations/gate", test_gate);
  g_test_add_func ("/equations/sum-of-product", test_sum_of_product);
  g_test_add_func ("/equations/operand-order", test_operand_order);
  return g_test_run ();
}
