/* SPDX-License-Identifier: MIT */

/* A small edit moves little: a function is put in between, and what was there is looked for in both figures. */

#include "figure-check.h"

#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/figure.h"
#include "figure/scene/scene.h"
#include "files/equations/document.h"

#include <math.h>
#include <string.h>

static HeddleSnapshot *
read_text (const char *text)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  HeddleSnapshot *snapshot = heddle_equations_read (text, strlen (text), "stable", problems);

  g_assert_nonnull (snapshot);
  return snapshot;
}

/* The upper left corner of what stands for an operation. */
static gboolean
find_operation (const HeddleScene *scene, const char *id, Place *place)
{
  g_autoptr (GPtrArray) items = heddle_scene_get_object_items (scene, id);

  *place = (Place){ G_MAXDOUBLE, G_MAXDOUBLE };
  for (guint i = 0; i < items->len; i++)
    {
      const Box box = figure_check_box (items->pdata[i]);
      place->x = MIN (place->x, box.x);
      place->y = MIN (place->y, box.y);
    }
  return items->len > 0;
}

typedef struct
{
  guint moved_down; /* of all that were there */
  guint moved_right; /* by different ways */
} Moves;

/* What is made before @inserted must be where it was; the rest goes right together. */
static Moves
compare (const char *before_text, const char *after_text, const char *inserted)
{
  g_autoptr (HeddleSnapshot) before = read_text (before_text), after = read_text (after_text);
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (before, NULL);
  const HeddleFigure first = { .diagram = diagram },
                     second = { .diagram = heddle_snapshot_get_diagram (after, NULL) };
  g_autoptr (HeddleScene) one = heddle_figure_render (&first), other = heddle_figure_render (&second);
  Moves moves = { 0, 0 };
  Place new_place;
  double way = 0.;

  g_assert_true (find_operation (other, inserted, &new_place));
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const char *id = ((const HeddleOperation *) diagram->operations->pdata[i])->id;
      Place old, now;
      g_assert_true (find_operation (one, id, &old));
      g_assert_true (find_operation (other, id, &now));
      moves.moved_down += fabs (now.y - old.y) > 0.01;
      if (old.x < new_place.x - 40.)
        g_assert_cmpfloat_with_epsilon (now.x, old.x, 0.01);
      else if (fabs (now.x - old.x - way) > 0.01)
        {
          way = now.x - old.x;
          moves.moved_right++;
        }
    }
  return moves;
}

#define ATTENTION                                                                                            \
  "Q : f16[y=4096, k=128]\n"                                                                                 \
  "K : f16[x=4096, k]\n"                                                                                     \
  "V : f16[x, k]\n"                                                                                          \
  "S[y,x] = Q[y,k] K[x,k]\n"                                                                                 \
  "P[y,x] = softmax[x](S[y,x])\n"

static void
test_attention (void)
{
  const Moves moves = compare (ATTENTION "O[y,k] = P[y,x] V[x,k]\n",
      ATTENTION "R[y,x] = relu(P[y,x])\nO[y,k] = R[y,x] V[x,k]\n", "o.R");

  g_assert_cmpuint (moves.moved_down, ==, 0);
  g_assert_cmpuint (moves.moved_right, <=, 1);
}

#define BACKWARD                                                                                             \
  "Q : f16[y=4096, k=128]\n"                                                                                 \
  "K : f16[x=4096, k]\n"                                                                                     \
  "V : f16[x, k]\n"                                                                                          \
  "G : f16[y, k]\n"                                                                                          \
  "P[y,x] = softmax[x](Q[y,k] K[x,k])\n"                                                                     \
  "D[y,x] = G[y,k] V[x,k]\n"                                                                                 \
  "E[y] = P[y,x] D[y,x]\n"                                                                                   \
  "S[y,x] = P[y,x] * (D[y,x] - E[y])\n"

/* Where wires have changed places so that fewer cross, they stay there. */
static void
test_crossings (void)
{
  const Moves moves = compare (BACKWARD "dQ[y,k] = S[y,x] K[x,k]\ndK[x,k] = S[y,x] Q[y,k]\n",
      BACKWARD "R[y,x] = relu(S[y,x])\ndQ[y,k] = R[y,x] K[x,k]\ndK[x,k] = R[y,x] Q[y,k]\n", "o.R");

  g_assert_cmpuint (moves.moved_down, ==, 0);
  g_assert_cmpuint (moves.moved_right, <=, 1);
}

/* Ten blocks of three operations, with what skips them; a function goes into block @at, if it is one of them. */
static char *
make_blocks (guint at)
{
  GString *text = g_string_new ("X0 : f32[b=64, m=32]\n");

  for (guint i = 0; i < 10; i++)
    g_string_append_printf (text, "W%u : f32[m, n%u=64]\n", i, i);
  for (guint i = 0; i < 10; i++)
    {
      g_string_append_printf (text, "N%u[b,m] = rmsnorm[m](X%u[b,m])\n", i, i);
      g_autofree char *normed = i == at ? g_strdup ("R") : g_strdup_printf ("N%u", i);
      if (i == at)
        g_string_append_printf (text, "R[b,m] = relu(N%u[b,m])\n", i);
      g_string_append_printf (text, "H%u[b,n%u] = %s[b,m] W%u[m,n%u]\n", i, i, normed, i, i);
      g_string_append_printf (text, "X%u[b,m] = X%u[b,m] + max[n%u](H%u[b,n%u])\n", i + 1, i, i, i, i);
    }
  return g_string_free (text, FALSE);
}

static void
test_blocks (void)
{
  g_autofree char *before = make_blocks (10);

  for (guint at = 0; at < 10; at++)
    {
      g_autofree char *after = make_blocks (at);
      const Moves moves = compare (before, after, "o.R");
      g_assert_cmpuint (moves.moved_down, ==, 0);
      g_assert_cmpuint (moves.moved_right, <=, 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stable/attention", test_attention);
  g_test_add_func ("/stable/blocks", test_blocks);
  g_test_add_func ("/stable/crossings", test_crossings);
  return g_test_run ();
}
