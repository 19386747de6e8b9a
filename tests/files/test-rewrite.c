/* SPDX-License-Identifier: MIT */

/* Rules that keep the meaning: each is tried on equations, compared with what is written by hand, and evaluated before and after. */

#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/problem.h"
#include "diagram/check/check.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/graph/diagram-compare.h"
#include "diagram/graph/diagram.h"
#include "diagram/rewrite/rewrite.h"
#include "files/equations/document.h"
#include "files/equations/write.h"

static HeddleSnapshot *
read_text (const char *text)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  HeddleSnapshot *snapshot = heddle_equations_read (text, -1, "rewrite", problems);

  g_assert_nonnull (snapshot);
  return snapshot;
}

/* On the same random inputs, all that has a name. */
static void
assert_same_values (const HeddleDiagram *a, const HeddleDiagram *b)
{
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (a, NULL, &error),
                          others = heddle_sizes_new (b, NULL, &error);
  guint n = 0;

  g_assert_no_error (error);
  g_assert_true (heddle_evaluate_fill_inputs (a, sizes, inputs, 7, &error));
  g_autoptr (GHashTable) before = heddle_evaluate (a, sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GHashTable) after = heddle_evaluate (b, others, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < a->values->len; i++)
    {
      const HeddleValue *value = a->values->pdata[i];

      if (value->name == NULL)
        continue;
      const HeddleValue *other = heddle_diagram_find_value (b, value->name);
      g_assert_cmpfloat (heddle_array_relative_error (g_hash_table_lookup (after, other->id),
                             g_hash_table_lookup (before, value->id), NULL),
          <, 1e-14);
      n++;
    }
  g_assert_cmpuint (n, >=, 2);
}

/* @n_places, and what comes out: NULL: as it was. */
static HeddleDiagram *
assert_rewrite (const char *text, const char *rule, guint n_places, const char *expected)
{
  g_autoptr (HeddleSnapshot) snapshot = read_text (text);
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  g_autoptr (HeddleDiagram) rewritten = heddle_diagram_copy (diagram);
  g_autoptr (GPtrArray) problems = NULL;

  g_assert_cmpuint (heddle_diagram_rewrite (rewritten, heddle_rewrite_rule (rule)), ==, n_places);
  problems = heddle_check_diagram (rewritten);
  g_assert_cmpuint (problems->len, ==, 0);
  g_autofree char *written = heddle_equations_write (rewritten);
  g_assert_cmpstr (written, ==, expected != NULL ? expected : text);
  assert_same_values (diagram, rewritten);
  return g_steal_pointer (&rewritten);
}

static void
check (const char *text, const char *rule, guint n_places, const char *expected)
{
  heddle_diagram_free (assert_rewrite (text, rule, n_places, expected));
}

#define SCORES "S : f64[q=3, x=5]\n"

static void
test_softmax (void)
{
  static const char text[] = SCORES "P[q,x] = softmax[x](S[q,x] * 2)\n";
  g_autoptr (HeddleSnapshot) snapshot = read_text (text);
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_copy (heddle_snapshot_get_diagram (snapshot, NULL));
  const HeddleDiagram *before = heddle_snapshot_get_diagram (snapshot, NULL);

  g_assert_cmpuint (heddle_diagram_rewrite (diagram, heddle_rewrite_rule ("expand-softmax")), ==, 1);
  /* the scale, max, exp, sum, and the quotient */
  g_assert_cmpuint (diagram->operations->len, ==, 5);
  assert_same_values (before, diagram);
  g_assert_cmpuint (heddle_diagram_rewrite (diagram, heddle_rewrite_rule ("expand-softmax")), ==, 0);
  g_assert_cmpuint (heddle_diagram_rewrite (diagram, heddle_rewrite_rule ("collapse-softmax")), ==, 1);
  g_autofree char *back = heddle_equations_write (diagram);
  g_assert_cmpstr (back, ==, text);
  check (SCORES "L[q] = logsumexp[x](S[q,x])\n", "expand-softmax", 1,
      SCORES "t1[q] = max[x](S[q,x])\n"
             "t3[q] = sum[x](where(S[q,x] == -inf, 0, exp(S[q,x] - t1[q])))\n"
             "L[q] = where(t3[q] == 0, -inf, t1[q] + log(t3[q]))\n");
}

/* What is nearly a softmax stays what it is: other axes, a name on the way, another function. */
static void
test_no_softmax (void)
{
  static const char *const others[] = {
    SCORES "t1[q] = max[x](S[q,x])\n"
           "Z[q] = sum[x](where(S[q,x] == -inf, 0, exp(S[q,x] - t1[q])))\n"
           "P[q,x] = where(Z[q] == 0, 0, where(S[q,x] == -inf, 0, exp(S[q,x] - t1[q])) / Z[q])\n",
    SCORES "t1[q] = min[x](S[q,x])\n"
           "t2[q] = sum[x](where(S[q,x] == -inf, 0, exp(S[q,x] - t1[q])))\n"
           "P[q,x] = where(t2[q] == 0, 0, where(S[q,x] == -inf, 0, exp(S[q,x] - t1[q])) / t2[q])\n",
    SCORES "P[q,x] = l2norm[x](S[q,x])\n",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    check (others[i], "collapse-softmax", 0, NULL);
}

static void
test_norms (void)
{
  static const char *const norms[] = { "rmsnorm[x, eps=0.001]", "layernorm[x, eps=0.5]", "l2norm[x]" };

  for (gsize i = 0; i < G_N_ELEMENTS (norms); i++)
    {
      g_autofree char *text = g_strdup_printf (SCORES "P[q,x] = %s(S[q,x])\n", norms[i]);
      g_autoptr (HeddleSnapshot) snapshot = read_text (text);
      const HeddleDiagram *before = heddle_snapshot_get_diagram (snapshot, NULL);
      g_autoptr (HeddleDiagram) diagram = heddle_diagram_copy (before);

      g_assert_cmpuint (heddle_diagram_rewrite (diagram, heddle_rewrite_rule ("expand-softmax")), ==, 0);
      g_assert_cmpuint (heddle_diagram_rewrite (diagram, heddle_rewrite_rule ("expand-norms")), ==, 1);
      g_assert_cmpuint (diagram->operations->len, >=, 3);
      assert_same_values (before, diagram);
    }
}

/* Terms outside are left out of a norm: written out, they would not be. */
static void
test_outside (void)
{
  check ("A : f64[i=4]\nP[i] = softmax[i](A[i-1])\n", "expand-softmax", 0, NULL);
}

static void
test_contractions (void)
{
  static const char arrays[] = "A : f64[i=2, j=3]\nB : f64[j, k=4]\nC : f64[k, l=5]\n";
  g_autofree char *apart = g_strconcat (arrays, "D[i,l] = sum[k](sum[j](A[i,j] B[j,k]) C[k,l])\n", NULL);
  g_autofree char *merged = g_strconcat (arrays, "D[i,l] = A[i,j] B[j,k] C[k,l]\n", NULL);
  g_autofree char *named = g_strconcat (arrays, "T[i,k] = A[i,j] B[j,k]\nD[i,l] = T[i,k] C[k,l]\n", NULL);
  g_autoptr (HeddleSnapshot) snapshot = read_text (apart), other = read_text (merged);
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  g_autoptr (HeddleDiagram) rewritten = heddle_diagram_copy (diagram);
  g_autofree char *why = NULL;

  g_assert_cmpuint (heddle_diagram_rewrite (rewritten, heddle_rewrite_rule ("merge-contractions")), ==, 1);
  assert_same_values (diagram, rewritten);
  g_assert_cmpuint (rewritten->operations->len, ==, 1);
  heddle_diagram_isomorphic (rewritten, heddle_snapshot_get_diagram (other, NULL), &why);
  g_assert_cmpstr (why, ==, NULL);
  check (named, "merge-contractions", 0, NULL);
}

static void
test_common (void)
{
  check (SCORES "P[q,x] = exp(S[q,x])\nR[q] = max[x](S[q,x]) + sum[x](S[q,x]) * max[x](S[q,x])\n",
      "common-subexpressions", 1,
      SCORES "P[q,x] = exp(S[q,x])\nt1[q] = max[x](S[q,x])\nR[q] = t1[q] + sum[x](S[q,x]) t1[q]\n");
  check (SCORES "R[q] = max[x](S[q,x]) + min[x](S[q,x])\n", "common-subexpressions", 0, NULL);
}

static void
test_identity (void)
{
  check (SCORES "R[q] = max[x](1 * S[q,x] / 1)\n", "remove-identity", 1, SCORES "R[q] = max[x](S[q,x])\n");
  check (SCORES "R[q] = max[x](S[q,x] * 2)\n", "remove-identity", 0, NULL);
  check (SCORES "R[q,x] = S[q,x] * 1\n", "remove-identity", 0, NULL); /* it has a name */
}

/* --- contractions, maps and views ----------------------------------------------------- */

#define PAIR "A : f64[i=2, j=3]\nB : f64[j, k=4]\n"

static void
test_merge (void)
{
  check (PAIR "C[i] = sum[k](tanh(A[i,j] B[j,k]))\n", "merge-contractions", 0, NULL);
  check ("A : f64[i=2, j=3]\nB : f64[i, j]\nT[i,j] = A[i,j] B[i,j]\nC[i] = sum[j](T[i,j])\n",
      "merge-contractions", 0, NULL); /* T has a name */
}

/* The least work first: B C makes a vector. */
static void
test_split (void)
{
  check ("A : f64[i=20, j=30]\nB : f64[j, k=40]\nC : f64[k]\nD[i] = A[i,j] B[j,k] C[k]\n",
      "split-contractions", 1,
      "A : f64[i=20, j=30]\nB : f64[j, k=40]\nC : f64[k]\nD[i] = A[i,j] (B[j,k] C[k])\n");
  check (PAIR "C[i,k] = A[i,j] B[j,k]\n", "split-contractions", 0, NULL);
}

static void
test_units (void)
{
  check ("A : f64[j=3, k=4]\naxis i = 3\nC[i,k] = where(i == j, 1, 0) * A[j,k]\n", "remove-units", 1,
      "A : f64[j=3, k=4]\naxis i = 3\nC[i,k] = (A[i,k])\n");
  check ("A : f64[j=3, k=4]\naxis i = 2\nC[i,k] = where(i == j, 1, 0) * A[j,k]\n", "remove-units", 0, NULL);
  check ("A : f64[j=3, k=4]\naxis i = 3\nC[i,k] = where(i <= j, 1, 0) * A[j,k]\n", "remove-units", 0, NULL);
}

static void
test_maps (void)
{
  static const char apart[] = "A : f64[i=2, j=3]\nb : f64[j]\nC[i,j] = tanh(A[i,j] + exp(b[j]))\n";
  g_autoptr (HeddleSnapshot) snapshot = read_text (apart);
  g_autoptr (HeddleDiagram) steps = heddle_diagram_copy (heddle_snapshot_get_diagram (snapshot, NULL));

  g_assert_cmpuint (heddle_diagram_rewrite (steps, heddle_rewrite_rule ("split-maps")), ==, 2);
  g_assert_cmpuint (steps->operations->len, ==, 3);
  /* exp (b) is made for each j once and not again for each i: it stays */
  g_assert_cmpuint (heddle_diagram_rewrite (steps, heddle_rewrite_rule ("fuse-maps")), ==, 1);
  assert_same_values (heddle_snapshot_get_diagram (snapshot, NULL), steps);
}

static void
test_views (void)
{
  check ("A : f64[i=2, j=3]\nt1[j,i] = A[i,j]\nC[j] = sum[i](exp(A[i,j]))\n-> C\n", "dead-code", 1,
      "A : f64[i=2, j=3]\nC[j] = sum[i](exp(A[i,j]))\n-> C\n");
  check ("v : f64[j=3]\naxis i = 2\nC[i,j] = tanh(v[j])\n", "slide-broadcasts", 1,
      "v : f64[j=3]\naxis i = 2\nt1[j] = tanh(v[j])\nC[i,j] = (t1[j])\n");
  check ("A : f64[i=2, j=3]\nC[i,j] = tanh(A[i,j])\n", "slide-broadcasts", 0, NULL);
}

/* Before the sum, reads of the product become a product of reads, and that a contraction. */
static void
test_reads (void)
{
  static const char arrays[] = "Y : f64[y=4, f=2]\nW : f64[w=3, f]\naxis x = 5\n";
  g_autofree char *apart
      = g_strconcat (arrays, "t1[y,w] = Y[y,f] W[w,f]\nZ[x] = sum[w](t1[x-w+1,w])\n", NULL);
  g_autofree char *one = g_strconcat (arrays, "Z[x] = Y[x-w+1,f] W[w,f]\n", NULL);
  g_autoptr (HeddleSnapshot) snapshot = read_text (apart), other = read_text (one);
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  g_autoptr (HeddleDiagram) rewritten = heddle_diagram_copy (diagram);
  g_autofree char *why = NULL;

  g_assert_cmpuint (heddle_diagram_rewrite (rewritten, heddle_rewrite_rule ("slide-reads")), ==, 1);
  g_assert_cmpuint (heddle_diagram_rewrite (rewritten, heddle_rewrite_rule ("merge-contractions")), ==, 1);
  heddle_diagram_isomorphic (rewritten, heddle_snapshot_get_diagram (other, NULL), &why);
  g_assert_cmpstr (why, ==, NULL);
}

/* The logit of the right word needs no other logit: it is a product of a row and the one that is chosen, whoever else reads the logits. */
static void
test_chosen (void)
{
  check ("H : f64[x=4, m=3]\nE : f64[v=5, m]\nT : i64[x]\nt1[x,v] = H[x,m] E[v,m]\nZ[x] = "
         "logsumexp[v](t1[x,v])\n"
         "Y[x] = t1[x,T[x]]\n-> Z, Y\n",
      "read-products", 1,
      "H : f64[x=4, m=3]\nE : f64[v=5, m]\nT : i64[x]\nZ[x] = logsumexp[v](H[x,m] E[v,m])\n"
      "Y[x] = H[x,m] E[T[x],m]\n-> Z, Y\n");
  check ("H : f64[x=4, m=3]\nE : f64[v=5, m]\nT : i64[x]\nL[x,v] = H[x,m] E[v,m]\nS[x,m] = L[x,T[x]] H[x,m]\n"
         "-> S, L\n",
      "read-products", 1,
      "H : f64[x=4, m=3]\nE : f64[v=5, m]\nT : i64[x]\nL[x,v] = H[x,m] E[v,m]\n"
      "S[x,m] = sum[m](H[x,m] E[T[x],m]) H[x,m]\n-> S, L\n");
  /* L would be an output. */
  check (
      "H : f64[x=4, m=3]\nE : f64[v=5, m]\nT : i64[x]\nL[x,v] = H[x,m] E[v,m]\nS[x,m] = L[x,T[x]] H[x,m]\n",
      "read-products", 0,
      "H : f64[x=4, m=3]\nE : f64[v=5, m]\nT : i64[x]\nL[x,v] = H[x,m] E[v,m]\nS[x,m] = L[x,T[x]] H[x,m]\n");
}

/* A map of which one number in a row is read is worked out for that one; 0 where it is read outside, as before. */
static void
test_chosen_of_maps (void)
{
  check (
      "L : f64[x=4, v=5]\nZ : f64[x]\nT : i64[x]\nt1[x,v] = L[x,v] - 2 * Z[x]\nC[x] = -t1[x,T[x]+2]\n-> C\n",
      "read-maps", 1,
      "L : f64[x=4, v=5]\nZ : f64[x]\nT : i64[x]\nt1[x] = where(0 <= T[x] + 2 and T[x] + 2 < size(v), "
      "L[x,T[x]+2] - 2 * Z[x], "
      "0)\nC[x] = -t1[x]\n-> C\n");
  /* by where it stands */
  check ("L : f64[x=4, v=5]\nT : i64[x]\nt1[x,v] = where(v < 3, L[x,v], 1)\nC[x] = t1[x,T[x]]\n-> C\n",
      "read-maps", 0, NULL);
}

/* A projection that is read as heads is one for each head; what would be read outside stays. */
static void
test_parts (void)
{
  check ("X : f64[s=4, i=12]\nb : f64[i]\naxis h = 2\naxis k = 6\nt1[s,i] = X[s,i] + b[i]\n"
         "Y[s,h,k] = t1[s,(h k)]\n-> Y\n",
      "part-maps", 1,
      "X : f64[s=4, i=12]\nb : f64[i]\naxis h = 2\naxis k = 6\nY[s,h,k] = X[s,(h k)] + b[(h k)]\n-> Y\n");
  check ("X : f64[s=4, m=3]\nW : f64[m, i=12]\naxis h = 2\naxis k = 6\nt1[s,i] = X[s,m] W[m,i]\n"
         "Y[s,h,k] = t1[s,(h k)]\n-> Y\n",
      "part-products", 1,
      "X : f64[s=4, m=3]\nW : f64[m, i=12]\naxis h = 2\naxis k = 6\nY[s,h,k] = X[s,m] W[m,(h k)]\n-> Y\n");
  check (
      "X : f64[s=4, m=3]\nW : f64[m, i=12]\naxis j = 6\nt1[s,i] = X[s,m] W[m,i]\nY[s,j] = t1[s,j+7]\n-> Y\n",
      "part-products", 0, NULL);
}

/* The heads of a part of an array are read at once; what a read leaves, and a value with a name, stay. */
static void
test_join_reads (void)
{
  check ("X : f64[s=4, i=18]\nb : f64[j=6]\naxis h = 2\naxis k = 3\nt1[s,j] = X[s,j+12]\nY[h,s,k] = t1[s,(h "
         "k)]\n"
         "Z[j] = b[j] * 2\n-> Y, Z\n",
      "join-reads", 1,
      "X : f64[s=4, i=18]\nb : f64[j=6]\naxis h = 2\naxis k = 3\nY[h,s,k] = X[s,h*size(k)+k+12]\nZ[j] = b[j] "
      "* 2\n"
      "-> Y, Z\n");
  check ("X : f64[s=4, i=18]\naxis j = 6\naxis k = 3\nt1[s,j] = X[s,j+13]\nY[s,k] = t1[s,k+2]\n-> Y\n",
      "join-reads", 0, NULL);
  check ("X : f64[s=4, i=18]\naxis j = 6\naxis k = 3\nt1[s,j] = X[s,j+12]\nY[s,k] = t1[s,k+4]\n-> Y\n",
      "join-reads", 0, NULL);
  check ("X : f64[s=4, i=18]\naxis j = 6\naxis k = 3\nA[s,j] = X[s,j+12]\nY[s,k] = A[s,k+2]\n-> Y\n",
      "join-reads", 0, NULL);
}

/* Halves that are turned are chosen of what is read; where a part is made otherwise, or has a name, they stay joined. */
static void
test_choose_joined (void)
{
#define LENGTHS "A : f64[i=3]\nB : f64[j=3]\n"
#define OTHERS "Z[i] = A[i] * 2\nU[j] = B[j] * 2\n-> Y, Z, U\n"
  check ("X : f64[s=4, k=6]\n" LENGTHS "Y[s,k] = concat[k](-X[s,i+3], X[s,j+0]) * 2\n" OTHERS,
      "choose-joined", 1,
      "X : f64[s=4, k=6]\n" LENGTHS
      "t4[s,k] = where(k < 3, -X[s,k+3], X[s,k-3])\nY[s,k] = t4[s,k] * 2\n" OTHERS);
  check ("X : f64[s=4, k=6]\n" LENGTHS "Y[s,k] = concat[k](exp(A[i]) X[s,i+3], X[s,j+0])\n" OTHERS,
      "choose-joined", 0, NULL);
  check ("X : f64[s=4, k=6]\n" LENGTHS "H[s,j] = X[s,j+0]\nY[s,k] = concat[k](-X[s,i+3], H[s,j])\n" OTHERS,
      "choose-joined", 0, NULL);
#undef OTHERS
#undef LENGTHS
}

/* Heads that were put one behind the other only to be summed are summed as they are. */
static void
test_split_sums (void)
{
  check ("A : f64[h=2, s=4, k=3]\nW : f64[o=6, m=5]\nt1[s,o] = A[floor(o/size(k)),s,mod(o, size(k))]\n"
         "Y[s,m] = t1[s,o] W[o,m]\n-> Y\n",
      "split-sums", 1, "A : f64[h=2, s=4, k=3]\nW : f64[o=6, m=5]\nY[s,m] = A[h,s,k] W[(h k),m]\n-> Y\n");
  /* one of the two axes is there already */
  check ("A : f64[h=2, s=4, k=3]\nW : f64[o=6, k]\nt1[s,o] = A[floor(o/size(k)),s,mod(o, size(k))]\n"
         "Y[s,k] = t1[s,o] W[o,k]\n-> Y\n",
      "split-sums", 0, NULL);
}

/* Keys of the same tokens under another index: worked out under the tokens' own, and read under the other. */
static void
test_renames (void)
{
  static const char arrays[] = "X : f64[x=4, m=3]\nA : f64[m, k=2]\nB : f64[m, k]\nb : f64[k]\n";
  g_autofree char *keys
      = g_strconcat (
          arrays, "Q[x,k] = X[x,m] A[m,k]\nK[y,k] = X[y,m] B[m,k] + b[k]\nS[x,y] = Q[x,k] K[y,k]\n", NULL),
      *made = g_strconcat (arrays,
          "Q[x,k] = X[x,m] A[m,k]\nt1[x,k] = X[x,m] B[m,k] + b[k]\nK[y,k] = t1[y,k]\nS[x,y] = Q[x,k] "
          "K[y,k]\n",
          NULL),
      *both = g_strdup ("X : f64[x=4, m=3]\nS[x,y] = X[x,m] X[y,m]\n");

  check (keys, "slide-renames", 2, made);
  /* it has both names */
  check (both, "slide-renames", 0, NULL);
}

static void
test_logarithm (void)
{
  check ("L : f64[x=4, v=5]\nC[x,v] = 3 * log(softmax[v](L[x,v]))\n", "log-softmax", 1,
      "L : f64[x=4, v=5]\nC[x,v] = 3 * (L[x,v] - logsumexp[v](L[x,v]))\n");
  check ("L : f64[x=4, v=5]\nP[x,v] = softmax[v](L[x,v])\nH[x] = sum[v](P[x,v] * log(P[x,v]))\n",
      "log-softmax", 1,
      "L : f64[x=4, v=5]\nP[x,v] = softmax[v](L[x,v])\nH[x] = P[x,v] (L[x,v] - logsumexp[v](L[x,v]))\n");
  check ("L : f64[x=4, v=5]\nC[x,v] = log(1 + softmax[v](L[x,v]))\n", "log-softmax", 0, NULL);
}

static void
test_table (void)
{
  guint n;
  const HeddleRewriteRule *rules = heddle_rewrite_table (&n);

  g_assert_cmpuint (n, ==, 24);
  for (guint i = 0; i < n; i++)
    g_assert_true (heddle_rewrite_rule (rules[i].name) == &rules[i]);
  g_assert_null (heddle_rewrite_rule ("make-faster"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rewrite/softmax", test_softmax);
  g_test_add_func ("/rewrite/no-softmax", test_no_softmax);
  g_test_add_func ("/rewrite/norms", test_norms);
  g_test_add_func ("/rewrite/outside", test_outside);
  g_test_add_func ("/rewrite/contractions", test_contractions);
  g_test_add_func ("/rewrite/common", test_common);
  g_test_add_func ("/rewrite/identity", test_identity);
  g_test_add_func ("/rewrite/merge", test_merge);
  g_test_add_func ("/rewrite/split", test_split);
  g_test_add_func ("/rewrite/units", test_units);
  g_test_add_func ("/rewrite/maps", test_maps);
  g_test_add_func ("/rewrite/views", test_views);
  g_test_add_func ("/rewrite/reads", test_reads);
  g_test_add_func ("/rewrite/chosen", test_chosen);
  g_test_add_func ("/rewrite/chosen-of-maps", test_chosen_of_maps);
  g_test_add_func ("/rewrite/parts", test_parts);
  g_test_add_func ("/rewrite/join-reads", test_join_reads);
  g_test_add_func ("/rewrite/choose-joined", test_choose_joined);
  g_test_add_func ("/rewrite/split-sums", test_split_sums);
  g_test_add_func ("/rewrite/renames", test_renames);
  g_test_add_func ("/rewrite/logarithm", test_logarithm);
  g_test_add_func ("/rewrite/table", test_table);
  return g_test_run ();
}
