/* SPDX-License-Identifier: MIT */

/* In which order wires lie, so that few cross: what is free to choose is chosen. */

#include "figure-case.h"
#include "figure-check.h"

#include <math.h>
#include "figure/scene/scene.h"

static HeddleScene *
draw (const char *text)
{
  const FigureCase figure_case = { "order", text };

  return figure_case_render (&figure_case);
}

static guint
count_crossings (const char *text)
{
  g_autoptr (HeddleScene) scene = draw (text);

  figure_check_wires_meet ("order", scene);
  figure_check_labels_off_wires ("order", scene);
  return figure_count_crossings (scene);
}

/* The wires of @value and, if it is given, of @axis. */
static guint
count_wires (const HeddleScene *scene, const char *value, const char *axis)
{
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      n += item->part == HEDDLE_PART_WIRE && item->value == g_intern_string (value)
           && (axis == NULL || item->axis == g_intern_string (axis));
    }
  return n;
}

/* The height at which the first wire of @axis of @value ends. */
static double
height_of (const HeddleScene *scene, const char *value, const char *axis)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      Place ends[2];
      if (item->part != HEDDLE_PART_WIRE || !item->stroke || item->value != g_intern_string (value)
          || item->axis != g_intern_string (axis))
        continue;
      figure_check_ends (item, ends);
      return ends[1].y;
    }
  g_error ("%s has no wire of %s", value, axis);
}

/* --- parameters ------------------------------------------------------------------------------------------ */

/* Words are looked up in the table by which the next one is told: both boxes say so, and no wire comes from it. */
static void
test_shared_parameter (void)
{
  g_autoptr (HeddleScene) scene
      = draw ("S : i64[x=8]\nparam E : f32[v=32, m=16]\n"
              "A[x,m] = E[S[x],m]\nB[x,m] = relu(A[x,m])\nP[x,v] = B[x,m] E[v,m]\n");

  g_assert_cmpuint (count_wires (scene, "v.E", NULL), ==, 0);
  g_assert_cmpuint (figure_count_crossings (scene), ==, 0);
}

/* One of its readers is no linear map: then it is wired to both. */
static void
test_wired_parameter (void)
{
  g_autoptr (HeddleScene) scene = draw ("X : f32[x=8, m=16]\nparam W : f32[m, n=4]\nparam U : f32[m, n]\n"
                                        "Y[x,n] = X[x,m] W[m,n]\nZ[m,n] = W[m,n] U[m,n]\n");

  g_assert_cmpuint (count_wires (scene, "v.W", NULL), >, 0);
}

/* --- what an operation makes ------------------------------------------------------------------------------ */

/* The heads of the values join those of the scores from above: they lie over what is left, and cross the wires of the sum alone. */
static void
test_made_by_linear (void)
{
  static const char text[] = "P : f32[y=8, x=8, h=4]\nX : f32[x, m=16]\nparam W : f32[m, k=4, h]\n"
                             "param U : f32[k, h, m]\nV[x,k,h] = X[x,m] W[m,k,h]\n"
                             "A[y,k,h] = P[y,x,h] V[x,k,h]\nO[y,m] = A[y,k,h] U[k,h,m]\n";

  g_assert_cmpuint (count_crossings (text), ==, 1); /* h with x */
}

/* A window gives the wires that a linear map takes beside the other that it takes. */
static void
test_made_by_window (void)
{
  g_assert_cmpuint (count_crossings ("X : f32[c=3, u=16]\nparam W : f32[f=4, c, i=7]\naxis y = 8\n"
                                     "Y[f,y] = X[c,2*y+i-3] W[f,c,i]\n"),
      ==, 0);
}

/* Axes that go into a call and come out of it do not change places within its box. */
static void
test_through_call (void)
{
  g_autoptr (HeddleScene) scene
      = draw ("def f(X[k]) -> Y[p]:\n  axis p = 4\n  param W : f32[k, p]\n  Y[p] = X[k] W[k,p]\n\n"
              "X : f32[x=8, m=16]\nparam W : f32[m, h=4, k=4]\n"
              "Q[h,x,k] = X[x,m] W[m,h,k]\nY[h,x,p=4] = f(Q)\nZ[x,h,p] = relu(Y[h,x,p])\n");

  g_assert_cmpfloat (height_of (scene, "v.Y", "a.x"), <, height_of (scene, "v.Y", "a.h"));
}

/* --- operands --------------------------------------------------------------------------------------------- */

/* A product of three may be taken in any order: what is read by its own axis alone lies below. */
static void
test_product_of_three (void)
{
  g_assert_cmpuint (
      count_crossings ("A : f32[x=4, y=4, z=4]\nB : f32[z]\nC : f32[x, y]\n"
                       "D[z] = exp(B[z])\nE[x,y] = exp(C[x,y])\nF[x,y,z] = A[x,y,z] D[z] E[x,y]\n"),
      <=, 3);
}

/* --- copies of inputs -------------------------------------------------------------------------------------- */

/* The copy of an input of three axes crosses three wires: it is named instead, as one of two axes is not. */
static void
test_input_of_three (void)
{
  static const char three[] = "X : f32[u=4, v=4, c=4]\nA[u,v,c] = relu(X[u,v,c])\nB[u,v,c] = exp(X[u,v,c])\n";
  static const char two[] = "X : f32[u=4, c=4]\nA[u,c] = relu(X[u,c])\nB[u,c] = exp(X[u,c])\n";

  g_assert_cmpuint (count_crossings (three), ==, 0);
  g_assert_cmpuint (count_crossings (two), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/order/shared-parameter", test_shared_parameter);
  g_test_add_func ("/order/wired-parameter", test_wired_parameter);
  g_test_add_func ("/order/made-by-linear", test_made_by_linear);
  g_test_add_func ("/order/made-by-window", test_made_by_window);
  g_test_add_func ("/order/through-call", test_through_call);
  g_test_add_func ("/order/product-of-three", test_product_of_three);
  g_test_add_func ("/order/input-of-three", test_input_of_three);
  return g_test_run ();
}
