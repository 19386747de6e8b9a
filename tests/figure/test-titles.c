/* SPDX-License-Identifier: MIT */

/* What is written on operations and wires: formulas in lines, masks, casts, calls of what takes nothing. */

#include "figure-case.h"
#include "figure-check.h"

#include <math.h>
#include <string.h>
#include "figure/scene/scene.h"

static HeddleScene *
draw (const char *text)
{
  const FigureCase figure_case = { "titles", text };

  return figure_case_render (&figure_case);
}

/* The text of an object's glyph, line by line from the top. */
static char *
title_of (const HeddleScene *scene, const char *object)
{
  g_autoptr (GPtrArray) items = heddle_scene_get_object_items (scene, object);
  GString *title = g_string_new (NULL);
  double baseline = -1e9;

  for (guint i = 0; i < items->len; i++)
    {
      const HeddleItem *item = items->pdata[i];
      if (item->kind != HEDDLE_ITEM_TEXT || item->part != HEDDLE_PART_GLYPH)
        continue;
      if (title->len > 0 && item->y > baseline + 12.)
        g_string_append_c (title, '\n');
      baseline = MAX (baseline, item->y);
      g_string_append (title, item->text);
    }
  g_string_replace (title, " ", "", 0); /* spaces are the typesetter's */
  g_string_replace (title, "\342\200\211", "", 0);
  g_string_replace (title, "\302\240", "", 0);
  return g_string_free (title, FALSE);
}

static guint
count_boxes (const HeddleScene *scene, const char *object)
{
  g_autoptr (GPtrArray) items = heddle_scene_get_object_items (scene, object);
  guint n = 0;

  for (guint i = 0; i < items->len; i++)
    n += ((const HeddleItem *) items->pdata[i])->part == HEDDLE_PART_BOX;
  return n;
}

static void
assert_title (const char *text, const char *object, const char *expected)
{
  g_autoptr (HeddleScene) scene = draw (text);
  g_autofree char *title = title_of (scene, object);

  g_assert_cmpstr (title, ==, expected);
  figure_check_labels_apart (object, scene);
  figure_check_labels_off_boxes (object, scene);
  figure_check_labels_off_wires (object, scene);
}

/* --- masks --------------------------------------------------------------------------------------------- */

#define SCORES "S : f32[y=64, x=64]\nD : f32[z=8, y=64, x=64]\n"

static void
test_mask (void)
{
  static const char scaled[] = SCORES "axis k = 128\nM[y,x] = where(x <= y, S[y,x] * k^-0.5, -inf)\n";
  g_autoptr (HeddleScene) scene = draw (scaled);

  g_assert_cmpuint (count_boxes (scene, "o.M"), >, 0);
  assert_title (SCORES "M[y,x] = where(x <= y, S[y,x], -inf)\n", "o.M", "x\342\211\244y");
  assert_title (scaled, "o.M", "x\342\211\244y\n\342\210\227k\342\210\2221/2");
}

/* What is left out as 0 is no mask of a softmax. */
static void
test_indicator (void)
{
  static const char text[] = SCORES "M[y,x] = where(x <= y, S[y,x], 0)\n";
  g_autoptr (HeddleScene) scene = draw (text);

  g_assert_cmpuint (count_boxes (scene, "o.M"), ==, 0);
  assert_title (text, "o.M", "\342\210\227[x\342\211\244y]");
}

static void
test_masked_sum (void)
{
  assert_title (SCORES
      "R : f32[y, x]\naxis k = 128\nM[y,x] = where(x <= y, (S[y,x] + R[y,x]) * k^-0.5, -inf)\n",
      "o.M", "(S+R)k\342\210\2221/2\nifx\342\211\244y");
}

/* --- long formulas --------------------------------------------------------------------------------------- */

static void
test_lines (void)
{
  assert_title (SCORES "M[y,x] = exp(S[y,x]) + sqrt(S[y,x])\n", "o.M", "exp(\302\267)+\302\2671/2");
  assert_title (SCORES "R : f32[y, x]\nM[y,x] = exp(S[y,x] + 1) * 2 + sin(R[y,x] * 3) - cos(R[y,x] * 3)\n",
      "o.M", "exp(S+1)2\n+sin(R3)\n\342\210\222cos(R3)");
}

static char *
between (const char *text, const char *before, const char *after)
{
  const char *begin = strstr (text, before) + strlen (before);

  return g_strndup (begin, strstr (begin, after) - begin);
}

/* Where a formula tells its operands apart, each has its name where it comes in: its own, or a letter. What is near its name, or is summed like
 * the others, needs none. */
static void
test_ports (void)
{
  static const char gated[]
      = "X : f32[b=8, m=64]\nparam W : f32[m, n=64]\nparam V : f32[m, n]\nparam U : f32[m, n]\n"
        "C[b,n] = X[b,m] U[m,n]\n"
        "Y[b,n] = sigmoid(X[b,m] W[m,n]) C[b,n] + tanh(X[b,m] V[m,n])\n";
  static const char summed[] = "X : f32[b=8, m=64]\nparam W : f32[m, n=64]\nparam V : f32[m, n]\n"
                               "Y[b,n] = tanh(X[b,m] W[m,n] + X[b,m] V[m,n])\n";
  g_autoptr (HeddleScene) scene = draw (gated);
  g_autofree char *title = title_of (scene, "o.Y");

  g_autofree char *first = between (title, "sigmoid(", ")"), *second = between (title, "tanh(", ")");
  g_assert_cmpstr (first, !=, "\302\267");
  g_assert_cmpstr (first, !=, second);
  for (guint i = 0; i < 3; i++) /* each once in the formula, and once at its wire */
    {
      const char *name = i == 0 ? first : i == 1 ? "C" : second;
      g_auto (GStrv) pieces = g_strsplit (title, name, -1);
      g_assert_cmpuint (g_strv_length (pieces), ==, 3);
    }
  figure_check_labels_apart ("ports", scene);
  figure_check_labels_off_wires ("ports", scene);
  figure_check_wires_meet ("ports", scene);
  assert_title (summed, "o.Y", "tanh(\302\267+\302\267)");
}

/* The size of an axis, where its index is meant as well, stands between bars; else its name is enough. */
static void
test_sizes (void)
{
  assert_title ("X : f32[p=64]\nY[p] = X[p] * (index(p) / p)\n", "o.Y", "\342\210\227(p/|p|)");
  assert_title ("X : f32[p=64]\nY[p] = X[p] * p\n", "o.Y", "\342\210\227p");
}

/* --- types ------------------------------------------------------------------------------------------------ */

static void
test_cast (void)
{
  static const char text[] = "X : f16[t=64, m=64]\nparam W : f16[m, f=64]\n"
                             "Q : e4m3[t, m]\nQ[t,m] = X[t,m] * 2\nY[t,f] = Q[t,m] W[m,f]\n";
  g_autoptr (HeddleScene) scene = draw (text);

  assert_title (text, "v.Q", "e4m3");
  g_autofree char *other = title_of (scene, "v.Y");
  g_assert_cmpstr (other, ==, ""); /* of the type of what it is made of */
}

/* --- rotary embeddings --------------------------------------------------------------------------------------- */

#define ROTARY(size)                                                                                         \
  "X : f32[x=8, p=4, r=" size "]\n"                                                                          \
  "A[x,p] = index(x) * 10^(-index(p)/p)\n"                                                                   \
  "Y[x,p,r] = X[x,p,r] cos(A[x,p]) + where(r == 0, -X[x,p,1], X[x,p,0]) sin(A[x,p])\n"

/* Its two reads are within it, and no formula stands there; where it is no turn, all is drawn. */
static void
test_rotary (void)
{
  g_autoptr (HeddleScene) turn = draw (ROTARY ("2")), other = draw (ROTARY ("3"));
  g_autofree char *title = title_of (turn, "o.Y"), *formula = title_of (other, "o.Y");

  g_assert_cmpstr (title, ==, "");
  g_assert_nonnull (strstr (formula, "cos"));
  g_assert_cmpuint (
      figure_count_crossings (turn), ==, 1); /* of the angles, which come from above: p with x */
  g_assert_cmpuint (figure_count_crossings (other), >, 8);
  figure_check_wires_meet ("rotary", turn);
  figure_check_labels_off_wires ("rotary", turn);
  figure_check_labels_apart ("rotary", turn);
}

/* --- calls -------------------------------------------------------------------------------------------------- */

static void
test_call_of_nothing (void)
{
  static const char text[] = "def table() -> T[v,m]:\n  axis v = 10\n  axis m = 8\n  param W : f32[v, m]\n"
                             "  T[v,m] = W[v,m] * 2\n\nX : f32[b=4, m=8]\nT[v=10,m] = table()\n"
                             "Y[b,v] = X[b,m] T[v,m]\n";
  g_autoptr (HeddleScene) scene = draw (text);

  g_assert_cmpuint (count_boxes (scene, "o.T"), >, 0);
  assert_title (text, "o.T", "table");
  figure_check_wires_meet ("call", scene);
}

/* Returns how far below the letter of @object's linear map @text stands, in px; it must be there. */
static double
below_letter (const HeddleScene *scene, const char *object, const char *text)
{
  g_autoptr (GPtrArray) items = heddle_scene_get_object_items (scene, object);
  double letter = NAN, other = NAN;

  for (guint i = 0; i < items->len; i++)
    {
      const HeddleItem *item = items->pdata[i];

      if (item->kind == HEDDLE_ITEM_TEXT && g_str_equal (item->text, text))
        other = item->y;
      else if (item->kind == HEDDLE_ITEM_TEXT)
        letter = item->y;
    }
  g_assert_false (isnan (letter) || isnan (other));
  return other - letter;
}

/* A letter or a word in a weight's name stands on top of L, a number below it, and the plus of a bias is in the way of
 * neither. */
static void
test_linear (void)
{
  g_autoptr (HeddleScene) scene = draw (
      "X : [x=8, a=8]\nparam W_Q : [a, b=8]\nparam W_2 : [b, c=8]\nparam b_2 : [c]\nparam W3 : [c, d=8]\n"
      "param L : [d, e=8]\nA[x,b] = X[x,a] W_Q[a,b]\nB[x,c] = A[x,b] W_2[b,c] + b_2[c]\n"
      "C[x,d] = B[x,c] W3[c,d]\nD[x,e] = C[x,d] L[d,e]\n");
  g_autofree char *plain = title_of (scene, "o.D");

  g_assert_cmpfloat (below_letter (scene, "o.A", "Q"), <, -4.);
  g_assert_cmpfloat (below_letter (scene, "o.t", "2"), >, 1.);
  g_assert_cmpfloat (below_letter (scene, "o.C", "3"), >, 1.);
  g_assert_cmpstr (plain, ==, "L");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/titles/mask", test_mask);
  g_test_add_func ("/titles/indicator", test_indicator);
  g_test_add_func ("/titles/masked-sum", test_masked_sum);
  g_test_add_func ("/titles/lines", test_lines);
  g_test_add_func ("/titles/sizes", test_sizes);
  g_test_add_func ("/titles/ports", test_ports);
  g_test_add_func ("/titles/cast", test_cast);
  g_test_add_func ("/titles/rotary", test_rotary);
  g_test_add_func ("/titles/call-of-nothing", test_call_of_nothing);
  g_test_add_func ("/titles/linear", test_linear);
  return g_test_run ();
}
