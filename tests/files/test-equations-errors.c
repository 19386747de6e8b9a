/* SPDX-License-Identifier: MIT */
#include <locale.h>
#include <string.h>

#include "equations-case.h"
#include "diagram/base/problem.h"
#include "files/equations/document.h"

#define A "A : f64[i=3, k=4]\n"

/* A text and every problem it has. */
typedef struct
{
  const char *name, *text, *problems;
} Wrong;

static const Wrong table[] = {
  { "syntax/end", A "O[i] = exp(A[i,k]",
      "2:18 expected an operator, “,” or “)”, found the end of the line\n" },
  { "syntax/operand", A "O[i] = 1 + * 2", "2:12 expected a number, a name or “(”, found “*”\n" },
  { "syntax/equals", A "O[i] A[i,k]", "2:6 expected “=”, found “A”\n" },
  { "syntax/statement", A "3 = A[i,k]",
      "2:1 expected a statement: NAME : type[axes], NAME[axes] = expression, axis NAME = size or -> NAME, "
      "found “3”\n" },
  { "syntax/rest", A "O[i] = 1 )", "2:10 expected an operator or the end of the line, found “)”\n" },
  { "syntax/character", A "O[i] = 1 $ 2", "2:10 “$” has no meaning here\n" },
  { "syntax/control", "A : f64[i=3]\nO[i] = \x01 A[i]",
      "2:8 the control character U+0001 has no place in a text\n" },
  { "syntax/columns-are-characters", A "β[i] = sum[k](A[i,k]) + ü%", "2:26 “%” has no meaning here\n" },
  { "syntax/number", A "O[i] = 1e999", "2:8 the number is too large; infinity is written inf\n" },
  { "syntax/divisor", A "O[i,k] = A[i,k] / k A[i,k]",
      "2:21 a factor set beside a divisor can be read in two ways: expected A / (B C) or A / B * C\n" },
  { "syntax/reserved", A "max[i] = 1", "2:1 “max” is a keyword of the language: expected another name\n" },
  { "syntax/dtype", "A : f46[i=3]",
      "1:5 “f46” is not a data type: expected f64, f32, tf32, f16, bf16, e4m3, e5m2, i64, i32 or bool\n" },
  { "syntax/twice", "A : f64[i=3, i]", "1:14 i occurs twice: an array's axes have different names\n" },
  { "syntax/arguments", A "O[i,k] = exp(A[i,k], 2)", "2:10 the function exp does not take 2 arguments\n" },
  { "syntax/reduction", A "O[i] = sum(A[i,k])",
      "2:11 expected the axes to reduce over, as in sum[k](…), found “(”\n" },
  { "syntax/option", A "O[i,k] = softmax[k, eps=1](A[i,k])", "2:21 softmax has no option “eps”\n" },
  { "syntax/option-value", A "O[i,k] = rmsnorm[k, eps=k](A[i,k])", "2:25 expected a number\n" },
  { "gather/real", "E : f64[n=7]\nT : f64[i=3]\nO[i] = E[T[i]]",
      "3:8 O reads at the values of T, which are not whole numbers\n" },
  { "merge/one", "H : f64[h=3]\nO[(h)] = H[h]",
      "2:6 expected two axes or more to be merged, side by side as in (h u)\n" },
  { "merge/twice", "G : f64[m=12]\nO[h=3] = G[(h h)]", "2:15 h occurs twice\n" },
  { "topk/values-alone", A "V[i,s=2] = topk[k, k=s](A[i,k])",
      "2:12 topk gives values and places: expected V[b,s], I[b,s] = topk[e, k=s](G[b,e]), or argtopk for the "
      "places alone\n" },
  { "names/array", A "O[i] = sum[k](B[i,k])",
      "2:15 “B” is not known: expected an array declared or computed above\n" },
  { "names/scalar", A "O[i,k] = A[i,k] + b",
      "2:19 “b” is not known: expected an array, an axis or a function\n" },
  { "names/bare", A "O[i,k] = A * 2", "2:10 A has axes: expected A[i,k]\n" },
  { "names/indices", A "O[i] = A[i]", "2:8 expected 2 indices for A[i,k], found 1\n" },
  { "names/axis-as-array", A "O[i] = k[i]", "2:8 “k” is an axis: expected an array\n" },
  { "names/array-as-axis", A "O[A] = 1", "2:3 “A” is an array: expected the name of an axis\n" },
  { "names/second", "A[i=2] = 1\nA[i] = 2", "2:1 A is defined already, on line 1: expected another name\n" },
  { "names/before", "O[i] = P[i]\nP[i=2] = 1",
      "1:8 “P” is not known: expected an array declared or computed above\n" },
  { "names/output", A "-> B", "2:4 “B” is not known: expected the name of an array\n" },
  { "names/parameter", "param W : f64[i=3]\nW[i] = 1",
      "2:1 W is defined already, on line 1: expected another name\n" },
  { "names/declared-axes", "B : f16[i=3, j=4]\nB[j,i] = 1",
      "2:1 the axes of B differ from those declared on line 1\n" },
  { "sums/call", A "O[i] = exp(A[i,k])",
      "2:12 k is not on the left and stands in no product of two factors: expected k on the left or "
      "sum[k](…)\n" },
  { "sums/read", A "O[i] = A[i,k]",
      "2:8 k is not on the left and stands in no product of two factors: expected k on the left or "
      "sum[k](…)\n" },
  { "sums/every-term", A "O[i] = (A[i,k] - A[i,k] * 2)^2",
      "2:9 k is not on the left and stands in no product of two factors: expected k on the left or "
      "sum[k](…)\n"
      "2:18 k is not on the left and stands in no product of two factors: expected k on the left or "
      "sum[k](…)\n" },
  { "sums/predicate", A "O[i] = where(k > 1, A[i,0], 0)",
      "2:8 k is not on the left and stands in no product of two factors: expected k on the left or "
      "sum[k](…)\n" },
  { "sums/own-axis", A "O[i] = softmax[k](A[i,k] A[i,k])",
      "2:8 k is not on the left and stands in no product of two factors: expected k on the left or "
      "sum[k](…)\n" },
  { "sums/absent", A "O[i,k] = softmax[z](A[i,k])",
      "2:18 z does not occur inside softmax[…](…): expected an index of what is reduced\n" },
  { "sums/twice", A "O[i] = sum[k,k](A[i,k])", "2:14 k occurs twice\n" },
  { "reads/affine", A "O[i] = A[i,i*i]", "2:12 expected an affine index such as 2*z + w - 1\n" },
  { "reads/fraction", A "O[i] = A[i,0.5*i]", "2:12 expected an affine index such as 2*z + w - 1\n" },
  { "reads/divided", A "O[i] = A[i,i/2]", "2:12 expected an affine index such as 2*z + w - 1\n" },
  { "reads/sizes", A "B : f64[j=5]\nO[i,k] = A[i,k] + B[k]",
      "3:21 k is 4 and j of B is 5: expected equal sizes where one is read as the other\n" },
  { "meant/function", A "O[i,k] = sofmax[k](A[i,k])",
      "2:10 “sofmax” is not known: expected an array declared or computed above; did you mean softmax?\n" },
  { "meant/scalar-function", A "O[i,k] = exq(A[i,k])",
      "2:10 “exq” is not known: expected an array, an axis or a function; did you mean exp?\n" },
  { "meant/swapped", A "Scroes[i] = max[k](A[i,k])\nO[i] = Scores[i] + 1",
      "3:8 “Scores” is not known: expected an array declared or computed above; did you mean Scroes?\n" },
  { "meant/nothing-like-it", A "O[i,k] = frobnicate(A[i,k])",
      "2:10 “frobnicate” is not known: expected an array, an axis or a function\n" },
  { "sizes/zero", "A : f64[i=0]", "1:11 the size of i is 0: expected a whole number of at least 1\n" },
  { "sizes/negative", "A : f64[i=2-5]", "1:11 the size of i is -3: expected a whole number of at least 1\n" },
  { "sizes/broken", "A : f64[i=3/2]", "1:11 the size of i is 1.5: expected a whole number of at least 1\n" },
  { "sizes/differ", A "B : f64[k=5]", "2:11 the size of k is 5 here, and 4 on line 1\n" },
  { "sizes/not-a-size", "A : f64[i=A+1]", "1:11 expected numbers and sizes of axes\n" },
  { "sizes/circle", "A : f64[i=j, j=i]", NULL },
  { "sizes/affine-only", A "O[z] = A[2-z,0]", "2:3 The size of z is not given\n" },
  { "where/two-meanings", "axis a = 4\nY[a] = where(a > 2, a, 0)",
      "warning 2:21 a is the index in the condition and the size here: expected size(a) or index(a)\n" },
  { "where/said", "axis a = 4\nB : [a]\nY[a] = where(a > 2, size(a), 0) + where(B[a] > 2, a, index(a))", "" },
  { "recovery", "A : f64[i=3\nB[i] = A[i] +\nC[i] = B[i] * nothing\nD[j] = 1 $\nE[i] = D[i]\n",
      "1:12 expected “,” or “]”, found the end of the line\n"
      "2:14 expected a number, a name or “(”, found the end of the line\n"
      "4:10 “$” has no meaning here\n"
      "3:15 “nothing” is not known: expected an array, an axis or a function\n"
      "5:8 “D” is not known: expected an array declared or computed above\n" },
};

static void
test_wrong (gconstpointer data)
{
  const Wrong *wrong = data;
  g_autofree char *problems = equations_problems (wrong->text);

  if (wrong->problems != NULL)
    g_assert_cmpstr (problems, ==, wrong->problems);
  else
    g_assert_cmpstr (problems, !=, "");
}

static void
test_caret (void)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autofree char *text = NULL;

  g_assert_null (heddle_equations_read (A "Ö[i] = ü(1)\n", -1, "folder/case.eq", problems));
  g_assert_cmpuint (problems->len, ==, 1);
  text = heddle_problem_to_string (g_ptr_array_index (problems, 0));
  g_assert_cmpstr (text, ==,
      "folder/case.eq:2:8: error: “ü” is not known: expected an array, an axis or a function\nÖ[i] = ü(1)\n  "
      "     ^\n");
}

/* --- hostile text -------------------------------------------------------------------- */

static char *
repeated (const char *before, const char *what, guint n, const char *after)
{
  GString *text = g_string_new (before);

  for (guint i = 0; i < n; i++)
    g_string_append (text, what);
  g_string_append (text, after);
  return g_string_free (text, FALSE);
}

static void
assert_first (const char *text, const char *expected)
{
  g_autofree char *problems = equations_problems (text);

  if (!g_str_has_prefix (problems, expected))
    g_error ("expected %s, found %.200s", expected, problems);
}

static void
test_nesting (void)
{
  static const char *const openings[] = { "(", "-", "exp(", "2^", "max(1,", "where(not ", "sum[i](", "A[" };

  for (gsize i = 0; i < G_N_ELEMENTS (openings); i++)
    {
      g_autofree char *text = repeated (A "O = ", openings[i], 100000, "");
      g_autofree char *problems = equations_problems (text);
      g_assert_nonnull (strstr (problems, "nested more than 500 levels deep"));
    }
}

/* As deep as is allowed, all the way through. */
static void
test_deep (void)
{
  g_autofree char *opened = repeated ("A : f64[i=3]\nO[i] = ", "exp(", 499, "A[i]");
  g_autofree char *text = repeated (opened, ")", 499, "\n");
  g_autofree char *written = equations_canonical (text);

  g_assert_cmpstr (written, ==, text);
}

static void
test_long (void)
{
  g_autofree char *sum = repeated ("A : f64[i=3]\nO[i] = A[i]", " + A[i]", 1000, "\n");
  g_autofree char *written = equations_canonical (sum);
  g_autofree char *longer = repeated ("A : f64[i=3]\nO[i] = A[i]", " + A[i]", 100000, "\n");
  g_autofree char *logic = repeated ("O[i=3] = where(i", " and i", 100000, ", 1, 0)\n");

  g_assert_cmpstr (written, ==, sum);
  assert_first (longer, "2:8 the expression is more than 4000 operations long\n");
  assert_first (logic, "1:");
}

static char *
names (char letter, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%c%u", i > 0 ? "," : "", letter, i);
  return g_string_free (text, FALSE);
}

static void
test_many (void)
{
  g_autofree char *lines = repeated ("", "?\n", 100000, "");
  g_autofree char *statements = repeated ("", "A : f64\n", 100001, "");
  g_autofree char *problems = equations_problems (lines);
  g_autofree char *some = names ('a', 40), *others = names ('b', 40), *many = names ('a', 65);
  g_autofree char *indices
      = g_strdup_printf ("A : [%s]\nB : [%s]\nO[a0] = A[%s] B[%s]\n", some, others, some, others);
  g_autofree char *axes = g_strdup_printf ("A : [%s]\n", many);

  assert_first (statements, "100001:1 the text is too long: it has more than 100000 statements\n");
  g_assert_true (g_str_has_prefix (problems, "1:1 “?” has no meaning here\n2:1 "));
  g_assert_true (g_str_has_suffix (problems, "1000:1 there are more errors; these are the first\n"));
  assert_first (indices, "3:250 more than 64 different indices in one statement\n");
  assert_first (axes, "1:252 an array has at most 64 axes\n");
}

static void
assert_bytes (const char *bytes, gsize length, const char *expected)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autofree char *text = NULL;

  g_assert_null (heddle_equations_read (bytes, (gssize) length, "x.eq", problems));
  text = heddle_problem_to_string (g_ptr_array_index (problems, 0));
  g_assert_true (g_str_has_prefix (text, expected));
}

static void
test_encoding (void)
{
  g_autofree char *large = g_malloc0 (16 * 1024 * 1024 + 1);

  assert_bytes ("A : f64[i=3]\nÖ \xff", 17, "x.eq:2:3: error: the byte 0xFF is not valid UTF-8 here");
  assert_bytes ("A : f64\0[i=3]", 13, "x.eq:1:8: error: the byte 0x00 is not valid UTF-8 here");
  assert_bytes ("# \xc3", 3, "x.eq:1:3: error: the byte 0xC3 is not valid UTF-8 here");
  memset (large, '#', 16 * 1024 * 1024 + 1);
  assert_bytes (large, 16 * 1024 * 1024 + 1, "x.eq:1:1: error: the text is larger than 16 MiB");
}

/* Any part of a right text is read or refused, never more. */
static void
test_truncated (void)
{
  static const char text[] = "# c\nQ : f16[q=5, d=2*3]\nparam K : [x=4, d]\naxis z = q+1\n"
                             "O[q,z] = softmax[x](where(q >= x and not x == 2, Q[q,d] K[x,d] * d^-0.5, "
                             "-inf)) K[x,z-1] / 2\n-> O\n";

  for (gsize i = 0; i < strlen (text); i++)
    for (gsize j = i; j <= strlen (text); j += 7)
      {
        g_autofree char *part = g_strndup (text + i, j - i);
        g_autofree char *problems = equations_problems (part);
        g_assert_nonnull (problems);
      }
}

int
main (int argc, char *argv[])
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autofree char *path = g_strconcat ("/equations-errors/", table[i].name, NULL);
      g_test_add_data_func (path, &table[i], test_wrong);
    }
  g_test_add_func ("/equations-errors/caret", test_caret);
  g_test_add_func ("/equations-errors/hostile/nesting", test_nesting);
  g_test_add_func ("/equations-errors/hostile/deep", test_deep);
  g_test_add_func ("/equations-errors/hostile/long", test_long);
  g_test_add_func ("/equations-errors/hostile/many", test_many);
  g_test_add_func ("/equations-errors/hostile/encoding", test_encoding);
  g_test_add_func ("/equations-errors/hostile/truncated", test_truncated);
  return g_test_run ();
}
