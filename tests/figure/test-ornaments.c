/* SPDX-License-Identifier: MIT */
#include "diagram/document/document.h"
#include "diagram/document/ornament.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/figure.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "figure/layout/bundle.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/figure.h"
#include "figure/scene/scene.h"
#include "figure/typeset/math-expr.h"
#include "figure-case.h"
#include "figure-check.h"

#include <math.h>
#include <string.h>

static const FigureCase multi_head = { "multi-head", "Y : f16[y=64, m=32]\n"
                                                     "X : f16[x=64, m]\n"
                                                     "param W_Q : f16[m, k=16]\n"
                                                     "param W_K : f16[m, k]\n"
                                                     "param W_V : f16[m, k]\n"
                                                     "Q[y,k] = Y[y,m] W_Q[m,k]\n"
                                                     "K[x,k] = X[x,m] W_K[m,k]\n"
                                                     "V[x,k] = X[x,m] W_V[m,k]\n"
                                                     "P[y,x] = softmax[x](Q[y,k] K[x,k])\n"
                                                     "O[y,k] = P[y,x] V[x,k]\n" };

static const FigureCase chains = { "chains", "Y : f16[y=64, m=32]\n"
                                             "X : f16[x=64, m]\n"
                                             "param W_Q : f16[m, k=16]\n"
                                             "param W_K : f16[m, k]\n"
                                             "param W_V : f16[m, k]\n"
                                             "Q[y,k] = Y[y,m] W_Q[m,k]\n"
                                             "P[y,k] = softmax[k](Q[y,k])\n"
                                             "K[x,k] = X[x,m] W_K[m,k]\n"
                                             "L[x,k] = softmax[k](K[x,k])\n"
                                             "S[y,x] = P[y,k] L[x,k]\n"
                                             "V[x,k] = X[x,m] W_V[m,k]\n"
                                             "O[y,k] = S[y,x] V[x,k]\n" };
static const FigureCase gate = { "gate", "Q : f16[y=64, k=16]\n"
                                         "K : f16[x=64, k]\n"
                                         "L[x,k] = relu(K[x,k])\n"
                                         "S[y,x] = Q[y,k] L[x,k]\n" };

static const FigureCase chain = { "chain", "X : f16[y=64, k=16]\n"
                                           "A[y,k] = relu(X[y,k])\n"
                                           "B[y,k] = exp(A[y,k])\n"
                                           "C[y,k] = softmax[k](B[y,k])\n"
                                           "D[y,k] = tanh(C[y,k])\n"
                                           "E[y,k] = exp(D[y,k])\n" };
static const FigureCase ends = { "ends", "X : f16[y=64, k=16]\n"
                                         "S[y] = sum[k](X[y,k])\n"
                                         "P[y] = exp(S[y])\n"
                                         "Q[y] = tanh(P[y])\n"
                                         "R[y] = exp(Q[y])\n" };

/* Attention with what a figure may have beside it. */
typedef struct
{
  HeddleSnapshot *snapshot;
  HeddleDiagram *diagram;
  HeddlePresentation *presentation;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->snapshot = figure_case_read (data != NULL ? data : figure_case_find ("attention"));
  self->diagram = heddle_snapshot_get_diagram (self->snapshot, NULL);
  self->presentation = heddle_snapshot_get_presentation (self->snapshot, self->diagram);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  heddle_snapshot_unref (self->snapshot);
}

static HeddleScene *
render (const Fixture *self)
{
  const HeddleFigure figure = { .diagram = self->diagram, .presentation = self->presentation };

  return heddle_figure_render (&figure);
}

static GArray *
make_ids (const char *names)
{
  g_auto (GStrv) parts = g_strsplit (names, " ", -1);
  GArray *ids = heddle_ids_new ();

  for (guint i = 0; parts[i] != NULL; i++)
    heddle_ids_append (ids, g_intern_string (parts[i]));
  return ids;
}

static const char *
add_block (Fixture *self, const char *operations, const char *title)
{
  g_autoptr (GArray) ids = make_ids (operations);
  g_autoptr (GError) error = NULL;
  const char *id = heddle_edit_add_block (self->snapshot, self->diagram, ids, title, &error);

  g_assert_no_error (error);
  return id;
}

/* The filled path of an object with that part, in the order of painting. */
static Box
find_box (const HeddleScene *scene, const char *object, HeddlePart part)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      if (item->kind == HEDDLE_ITEM_PATH && item->part == part && g_strcmp0 (item->object, object) == 0)
        return figure_check_box (item);
    }
  g_error ("nothing of %s", object);
}

static gboolean
holds (Box outer, Box inner)
{
  return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width
         && inner.y + inner.height <= outer.y + outer.height;
}

static char *
text_of (const HeddleScene *scene, const char *object)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      if (item->kind == HEDDLE_ITEM_TEXT && g_strcmp0 (item->object, object) == 0)
        g_string_append (text, item->text);
    }
  return g_string_free (text, FALSE);
}

/* --- blocks ------------------------------------------------------------------------------------------ */

static void
test_backdrops (Fixture *self, gconstpointer data)
{
  const char *inner = add_block (self, "o.P", "Inner"), *outer = add_block (self, "o.S o.t o.P o.O", "Outer");
  g_autoptr (HeddleScene) scene = render (self);
  const Box softmax = find_box (scene, "o.P", HEDDLE_PART_BOX);
  const Box around = find_box (scene, inner, HEDDLE_PART_BACKGROUND),
            all = find_box (scene, outer, HEDDLE_PART_BACKGROUND);
  g_autofree char *title = text_of (scene, outer);

  g_assert_true (holds (around, softmax));
  g_assert_true (holds (all, around));
  g_assert_true (holds (all, find_box (scene, "o.S", HEDDLE_PART_BOX)));
  g_assert_cmpstr (title, ==, "Outer");
  figure_check_wires_meet ("blocks", scene);
  figure_check_labels_apart ("blocks", scene);
  /* What is picked on the backdrop away from all else is the block. */
  const HeddleItem *hit = heddle_scene_pick (scene, all.x + 3., all.y + 3., 0.);
  g_assert_cmpstr (hit->object, ==, outer);
}

/* An operation waits for the others of its block where it can. */
static void
test_aligned (Fixture *self, gconstpointer data)
{
  g_autoptr (HeddleScene) before = render (self);
  const Box early = find_box (before, "o.Q", HEDDLE_PART_BOX),
            late = find_box (before, "o.K", HEDDLE_PART_BOX);

  g_assert_cmpfloat (early.x + early.width, <, late.x);
  add_block (self, "o.Q o.K o.V", NULL);
  g_autoptr (HeddleScene) after = render (self);
  const Box first = find_box (after, "o.Q", HEDDLE_PART_BOX),
            second = find_box (after, "o.K", HEDDLE_PART_BOX);
  g_assert_cmpfloat (fabs (first.x - second.x), <, 0.01);
  figure_check_wires_meet ("aligned", after);
}

/* Where the contraction begins that comes after the blocks. */
static double
begin_with (Fixture *self, const char *operations)
{
  if (operations != NULL)
    add_block (self, operations, NULL);
  g_autoptr (HeddleScene) scene = render (self);
  return find_box (scene, "o.t", HEDDLE_PART_BOX).x;
}

/* A block takes room beside what is in it. Those that lie above one another take it once, not as often as there are. */
static void
test_above_one_another (Fixture *self, gconstpointer data)
{
  const double none = begin_with (self, NULL), one = begin_with (self, "o.K"), two = begin_with (self, "o.V");

  g_assert_cmpfloat (one, >, none);
  g_assert_cmpfloat_with_epsilon (two, one, 0.01);
}

/* So does one that others of the block wait for, and these with it. */
static void
test_aligned_chain (Fixture *self, gconstpointer data)
{
  add_block (self, "o.Q o.P o.K o.L", NULL);
  g_autoptr (HeddleScene) scene = render (self);

  g_assert_cmpfloat (
      find_box (scene, "o.Q", HEDDLE_PART_BOX).x, ==, find_box (scene, "o.K", HEDDLE_PART_BOX).x);
  g_assert_cmpfloat (
      find_box (scene, "o.P", HEDDLE_PART_BOX).x, ==, find_box (scene, "o.L", HEDDLE_PART_BOX).x);
}

/* The title stands over the uppermost wires of the block, and not between these and an operation below them. */
static void
test_title_on_top (Fixture *self, gconstpointer data)
{
  const char *id = add_block (self, "o.L o.S", NULL);
  HeddleBlock *block = heddle_presentation_find (self->presentation, id, NULL);
  g_autoptr (HeddleScene) plain = render (self);
  const Box cup = find_box (plain, "o.S", HEDDLE_PART_BOX);

  g_free (block->title);
  block->title = g_strdup ("Title");
  g_autoptr (HeddleScene) titled = render (self);
  g_assert_cmpfloat (find_box (titled, "o.S", HEDDLE_PART_BOX).height, ==, cup.height);
}

/* Where the words of @object begin and end, and their baseline. */
static Box
find_words (const HeddleScene *scene, const char *object)
{
  Box words = { 0. };

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      if (item->kind != HEDDLE_ITEM_TEXT || g_strcmp0 (item->object, object) != 0)
        continue;
      double x, y, width, height;
      heddle_item_get_bounds (item, &x, &y, &width, &height);
      if (words.width <= 0.)
        words = (Box){ x, y, width, height };
      words.width = MAX (words.width, x + width - words.x);
      words.height = MAX (words.height, y + height - words.y);
    }
  return words;
}

static void
set_title (Fixture *self, const char *id, const char *title, HeddlePlace place)
{
  HeddleBlock *block = heddle_presentation_find (self->presentation, id, NULL);

  g_free (block->title);
  block->title = g_strdup (title);
  block->place = place;
}

/* The title of a block stands beside a block in it that is higher, if it fits there: the block is no higher for it. Where it does not fit,
 * it stands over all. */
static void
test_title_beside (Fixture *self, gconstpointer data)
{
  const char *inner = add_block (self, "o.A", "Inner"),
             *outer = add_block (self, "o.A o.B o.C o.D o.E", NULL);
  set_title (self, outer, "Title", HEDDLE_PLACE_ABOVE);
  g_autoptr (HeddleScene) beside = render (self);
  const Box first = find_box (beside, inner, HEDDLE_PART_BACKGROUND),
            all = find_box (beside, outer, HEDDLE_PART_BACKGROUND), words = find_words (beside, outer);

  g_assert_cmpfloat_with_epsilon (all.y, first.y - 6., 0.01);
  g_assert_true (holds (all, words));
  g_assert_cmpfloat (words.x, >, first.x + first.width + 5.);
  figure_check_labels_apart ("beside", beside);
  figure_check_labels_off_wires ("beside", beside);
  set_title (
      self, outer, "A title that is longer than what is free beside the block in it", HEDDLE_PLACE_ABOVE);
  g_autoptr (HeddleScene) over = render (self);
  g_assert_cmpfloat (find_box (over, outer, HEDDLE_PART_BACKGROUND).y, <, first.y - 22.);
}

/* At its foot likewise, beside a wire that ends. */
static void
test_title_beside_below (Fixture *self, gconstpointer data)
{
  const char *outer = add_block (self, "o.S o.P o.Q o.R", NULL);
  g_autoptr (HeddleScene) plain = render (self);
  set_title (self, outer, "Title", HEDDLE_PLACE_BELOW);
  g_autoptr (HeddleScene) titled = render (self);
  const Box before = find_box (plain, outer, HEDDLE_PART_BACKGROUND),
            after = find_box (titled, outer, HEDDLE_PART_BACKGROUND);

  g_assert_cmpfloat (
      after.height, <, before.height + 16.); /* a line is 17.5 px high, and has room on both sides */
  g_assert_true (holds (after, find_words (titled, outer)));
  figure_check_labels_apart ("below", titled);
  figure_check_labels_off_wires ("below", titled);
}

/* A title that is wider than its block is broken, and the block is as high as its lines need. */
static void
test_title_wrapped (Fixture *self, gconstpointer data)
{
  const char *id = add_block (self, "o.A o.B", NULL);
  set_title (self, id, "Two functions one after the other in a block", HEDDLE_PLACE_ABOVE);
  g_autoptr (HeddleScene) scene = render (self);
  const Box all = find_box (scene, id, HEDDLE_PART_BACKGROUND), words = find_words (scene, id);

  g_assert_cmpfloat (words.height, >, 30.);
  g_assert_true (holds (all, words));
  figure_check_labels_apart ("wrapped", scene);
  figure_check_labels_off_wires ("wrapped", scene);
}

/* Two blocks one above the other are as near as the separator between them needs. */
static void
test_neighbours (Fixture *self, gconstpointer data)
{
  const char *upper = add_block (self, "o.K", NULL), *lower = add_block (self, "o.V", NULL);
  g_autoptr (HeddleScene) scene = render (self);
  const Box first = find_box (scene, upper, HEDDLE_PART_BACKGROUND),
            second = find_box (scene, lower, HEDDLE_PART_BACKGROUND);
  const double apart = second.y - first.y - first.height;

  g_assert_cmpfloat (apart, >=, 4.);
  g_assert_cmpfloat (apart, <=, 10.);
  figure_check_labels_apart ("neighbours", scene);
}

/* The figure's title stands in the middle; where a note is high there, beside it. */
static void
test_figure_title (Fixture *self, gconstpointer data)
{
  HeddleAnnotation *note = heddle_presentation_add (self->presentation, heddle_ornament_kind ("annotation"));

  note->x = 120.;
  note->y = -160.;
  note->width = 160.;
  note->text = g_strdup ("A note that stands over the middle of the figure.");
  g_autoptr (HeddleScene) plain = render (self);
  double x, y, width, height, above;
  heddle_scene_get_bounds (plain, &x, &y, &width, &height);
  self->presentation->title = g_strdup ("Title");
  g_autoptr (HeddleScene) titled = render (self);

  heddle_scene_get_bounds (titled, &x, &above, &width, &height);
  g_assert_cmpfloat_with_epsilon (above, y, 0.01);
  note->y = 200.;
  g_autoptr (HeddleScene) middle = render (self);
  heddle_scene_get_bounds (middle, &x, &y, &width, &height);
  const HeddleItem *last = heddle_scene_get_item (middle, heddle_scene_get_n_items (middle) - 1);
  g_assert_cmpstr (last->text, ==, "Title");
  g_assert_cmpfloat (last->x, >, x + width / 4.);
  g_assert_cmpfloat (last->x, <, x + width / 2.);
}

static void
test_parentheses (Fixture *self, gconstpointer data)
{
  const char *id = add_block (self, "o.P", NULL);
  HeddleBlock *block = heddle_presentation_find (self->presentation, id, NULL);
  guint n = 0;

  block->first = g_strdup ("\\lambda = 1");
  block->last = g_strdup ("N");
  g_autoptr (HeddleScene) scene = render (self);
  const Box backdrop = find_box (scene, id, HEDDLE_PART_BACKGROUND);
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      if (item->part != HEDDLE_PART_GLYPH || item->object != id)
        continue;
      const Box box = figure_check_box (item);
      g_assert_true (box.x + box.width <= backdrop.x || box.x >= backdrop.x + backdrop.width);
      g_assert_cmpfloat (box.height, >, backdrop.height);
      n++;
    }
  g_assert_cmpuint (n, ==, 2);
}

static const FigureCase rounds = { "rounds", "X : f32[h=4, n=8]\n"
                                             "A[h,n] = softmax[n](X[h,n])\n"
                                             "B[h,n] = tanh(A[h,n])\n"
                                             "C[h,n] = B[h,n] + X[h,n]\n" };

/* What is copied for each round is copied within the parentheses. */
static void
test_copies_within (Fixture *self, gconstpointer data)
{
  const char *id = add_block (self, "o.A o.B o.C", NULL);
  HeddleBlock *block = heddle_presentation_find (self->presentation, id, NULL);
  double first = G_MAXDOUBLE;

  block->times = g_strdup ("\\times 6");
  g_autoptr (HeddleScene) scene = render (self);
  const Box backdrop = find_box (scene, id, HEDDLE_PART_BACKGROUND);
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    if (heddle_scene_get_item (scene, i)->sign == HEDDLE_SIGN_DOT)
      first = MIN (first, figure_check_box (heddle_scene_get_item (scene, i)).x);
  g_assert_cmpfloat (first, >, backdrop.x);
  g_assert_cmpfloat (first, <, find_box (scene, "o.A", HEDDLE_PART_BOX).x);
  figure_check_labels_apart ("copies-within", scene);
}

/* --- bundles ------------------------------------------------------------------------------------------- */

/* A convolution, a softmax over two axes, a product over both and a sum over one alone. */
static const FigureCase picture = { "picture", "X : f32[h=16, w=16, c=8]\n"
                                               "param F : f32[u=3, v=3, c, k=4]\n"
                                               "V : f32[h, w, k]\n"
                                               "C[h,w,k] = X[h+u-1,w+v-1,c] F[u,v,c,k]\n"
                                               "P[h,w,k] = softmax[h,w](C[h,w,k])\n"
                                               "O[k] = P[h,w,k] V[h,w,k]\n"
                                               "R[w,k] = sum[h](C[h,w,k])\n" };

static void
add_bundle (Fixture *self, const char *axes, const char *name)
{
  g_autoptr (GArray) ids = make_ids (axes);

  g_assert_nonnull (heddle_edit_add_bundle (self->snapshot, self->diagram, ids, name, NULL));
}

static void
assert_axes (const HeddleDiagram *diagram, const char *value, const char *expected)
{
  const HeddleValue *found = heddle_diagram_find_value (diagram, value);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < found->axes->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", heddle_ids_index (found->axes, i));
  g_assert_cmpstr (text->str, ==, expected);
  g_string_free (text, TRUE);
}

static void
test_bundle (Fixture *self, gconstpointer data)
{
  guint splits = 0;

  add_bundle (self, "a.h a.w", "\\bar{\\mathbf{x}}");
  add_bundle (self, "a.u a.v", "\\mathbf{u}");
  const HeddleFigure figure = { .diagram = self->diagram, .presentation = self->presentation };
  g_autoptr (HeddleDiagram) drawn = heddle_bundles_apply (&figure);
  assert_axes (drawn, "X", "bundle.1 a.c");
  assert_axes (drawn, "C", "bundle.1 a.k");
  assert_axes (drawn, "P", "bundle.1 a.k");
  assert_axes (drawn, "R", "a.w a.k");
  assert_axes (self->diagram, "C", "a.h a.w a.k"); /* the document is as it was */
  for (guint i = 0; i < drawn->operations->len; i++)
    {
      const HeddleOperation *operation = drawn->operations->pdata[i];
      splits += heddle_bundles_is_split (operation);
      if (operation->kind->form == HEDDLE_FORM_REINDEX && !heddle_bundles_is_split (operation))
        {
          g_autofree char *index = heddle_math_from_expr (operation->indices->pdata[0], drawn);
          g_assert_cmpstr (index, ==, "\\bar{\\mathbf{x}} + \\mathbf{u} - 1");
        }
    }
  g_assert_cmpuint (splits, ==, 1);
}

/* Two lines 3 px apart wherever the bundle goes. */
static void
test_double_wires (Fixture *self, gconstpointer data)
{
  guint n = 0;

  add_bundle (self, "a.h a.w", "\\bar{\\mathbf{x}}");
  g_autoptr (HeddleScene) scene = render (self);
  for (guint i = 0; i + 1 < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i), *next = heddle_scene_get_item (scene, i + 1);
      if (item->part != HEDDLE_PART_WIRE || next->part != HEDDLE_PART_WIRE || !item->stroke || !next->stroke
          || g_strcmp0 (item->axis, "bundle.1") != 0 || next->value != item->value
          || next->axis != item->axis)
        continue;
      Place first[2], second[2];
      figure_check_ends (item, first);
      figure_check_ends (next, second);
      if (fabs (second[0].y - first[0].y - 3.) < 0.01)
        n++;
    }
  g_assert_cmpuint (n, >=, 5);
  figure_check_labels_apart ("bundle", scene);
}

/* An input whose order would change keeps its wires apart. */
static void
test_bundle_apart (Fixture *self, gconstpointer data)
{
  add_bundle (self, "a.h a.c", "\\mathbf{z}");
  const HeddleFigure figure = { .diagram = self->diagram, .presentation = self->presentation };
  g_autoptr (HeddleDiagram) drawn = heddle_bundles_apply (&figure);
  g_autoptr (HeddleScene) scene = render (self);

  assert_axes (drawn, "X", "a.h a.w a.c");
  figure_check_wires_meet ("apart", scene);
}

static void
test_bundle_legend (Fixture *self, gconstpointer data)
{
  add_bundle (self, "a.h a.w", "\\mathbf{x}");
  const char *id
      = heddle_edit_add_note (self->snapshot, self->diagram, HEDDLE_NOTE_LEGEND, "", 0., -120., NULL);
  g_autoptr (HeddleScene) scene = render (self);
  g_autofree char *text = text_of (scene, id);
  g_assert_cmpstr (text, ==, "Legendx=h\303\227w");
}

/* --- skips --------------------------------------------------------------------------------------------- */

static guint
count_texts (const HeddleScene *scene, const char *text)
{
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      n += item->kind == HEDDLE_ITEM_TEXT && strstr (item->text, text) != NULL;
    }
  return n;
}

static const FigureCase residual = { "residual", "X : f32[x=16, d=8]\n"
                                                 "param W : f32[d, e=4]\n"
                                                 "param U : f32[e, d]\n"
                                                 "C[x,d] = relu(X[x,d])\n"
                                                 "D[x,e] = C[x,d] W[d,e]\n"
                                                 "E[x,d] = D[x,e] U[e,d]\n"
                                                 "O[x,d] = E[x,d] + C[x,d]\n" };

static void
test_skip (Fixture *self, gconstpointer data)
{
  g_autoptr (HeddleScene) before = render (self);
  g_assert_cmpuint (count_texts (before, "C"), ==, 0);
  g_assert_true (heddle_edit_set_skip (self->snapshot, self->diagram, "v.C", "o.O", TRUE, NULL));
  g_autoptr (HeddleScene) after = render (self);
  /* named where it is saved and where it is loaded; the other wire goes on */
  g_assert_cmpuint (count_texts (after, "C"), ==, 2);
  g_assert_cmpuint (count_texts (after, "\342\206\222"), ==, 2);
  figure_check_wires_meet ("skip", after);
  figure_check_labels_apart ("skip", after);
  figure_check_labels_off_boxes ("skip", after);
}

/* --- notes --------------------------------------------------------------------------------------------- */

static void
test_call_out (Fixture *self, gconstpointer data)
{
  const char *id = heddle_edit_add_note (self->snapshot, self->diagram, HEDDLE_NOTE_CARD,
      "The scores $QK^T$ are \\textbf{weighed} here.", 0., 150., "o.P");
  HeddleAnnotation *note = heddle_presentation_find (self->presentation, id, NULL);

  note->width = 120.;
  g_autoptr (HeddleScene) scene = render (self);
  g_autofree char *text = text_of (scene, id);
  const Box softmax = find_box (scene, "o.P", HEDDLE_PART_BOX);
  g_assert_cmpstr (text, ==, "ThescoresQKTareweighedhere.");
  /* The first path is the ground around the target, below the diagram. */
  g_assert_true (holds (find_box (scene, id, HEDDLE_PART_ANNOTATION), softmax));
  for (guint i = 0, seen = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      const Box box = figure_check_box (item);
      if (item->object == id && item->kind == HEDDLE_ITEM_TEXT) /* broken at its width */
        g_assert_cmpfloat (box.x + box.width, <, softmax.x + softmax.width / 2. + 120.);
      if (item->kind == HEDDLE_ITEM_SHADOW && g_strcmp0 (item->object, "o.P") == 0)
        g_assert_cmpuint (seen, ==, 2);
      seen += item->object == id && item->kind == HEDDLE_ITEM_PATH;
    }
}

/* A call-out moves with what it is about. */
static void
test_call_out_follows (Fixture *self, gconstpointer data)
{
  const char *id
      = heddle_edit_add_note (self->snapshot, self->diagram, HEDDLE_NOTE_TEXT, "here", 5., 90., "o.P");
  g_autoptr (HeddleScene) before = render (self);
  heddle_presentation_set_nudge (self->presentation, "o.P", 0., 30.);
  g_autoptr (HeddleScene) after = render (self);
  g_autoptr (GPtrArray) was = heddle_scene_get_object_items (before, id),
                        is = heddle_scene_get_object_items (after, id);

  g_assert_cmpfloat (
      fabs (((HeddleItem *) is->pdata[0])->y - ((HeddleItem *) was->pdata[0])->y - 30.), <, 0.01);
}

/* A listing keeps its spaces and signs, on lines of its own, and words in it may have a ground. */
static void
test_listing (Fixture *self, gconstpointer data)
{
  const char *id = heddle_edit_add_note (self->snapshot, self->diagram, HEDDLE_NOTE_TEXT,
      "\\texttt{def f(a_b):\n  return \\fill{core}{a_b} - 1}", 0., 200., NULL);
  g_autoptr (HeddleScene) scene = render (self);
  g_autofree char *text = text_of (scene, id);
  g_autoptr (GPtrArray) items = heddle_scene_get_object_items (scene, id);
  guint grounds = 0;

  g_assert_cmpstr (text, ==,
      "def\302\240f(a_b):"
      "\302\240\302\240return\302\240"
      "a_b"
      "\302\240-\302\2401");
  for (guint i = 0; i < items->len; i++)
    {
      const HeddleItem *item = items->pdata[i];
      grounds += item->kind == HEDDLE_ITEM_PATH;
      g_assert_true (item->kind == HEDDLE_ITEM_PATH || item->font == HEDDLE_FONT_MONO);
    }
  g_assert_cmpuint (grounds, ==, 1);
}

static void
test_legend_and_array (Fixture *self, gconstpointer data)
{
  const char *legend = heddle_edit_add_note (
      self->snapshot, self->diagram, HEDDLE_NOTE_LEGEND, "$n_b = n_1 / 4$\n$y = 2$", 400., -90., NULL);
  const char *array = heddle_edit_add_note (
      self->snapshot, self->diagram, HEDDLE_NOTE_ARRAY, "4 3\nrow 2\ncell 0 0\nrows #00FF00", 0., 300., NULL);
  g_autoptr (HeddleScene) scene = render (self);
  g_autofree char *text = text_of (scene, legend), *sides = text_of (scene, array);
  g_autoptr (GPtrArray) cells = heddle_scene_get_object_items (scene, array);
  guint marked = 0, sides_green = 0, n = 0;

  g_assert_cmpstr (text, ==, "Legendnb=n1/4y=2");
  g_assert_cmpstr (sides, ==, "34");
  for (guint i = 0; i < cells->len; i++)
    {
      const HeddleItem *item = cells->pdata[i];
      n += item->fill && item->stroke;
      marked += item->fill && item->stroke && item->fill_color.r < 0.3;
      sides_green += !item->fill && item->stroke && item->stroke_color.g == 1.;
    }
  g_assert_cmpuint (n, ==, 12);
  g_assert_cmpuint (marked, ==, 4);
  g_assert_cmpuint (sides_green, ==, 1);
}

/* Whatever a stranger's file says. */
static void
test_strange_texts (Fixture *self, gconstpointer data)
{
  static const char *const texts[] = { "", "$", "$$", "\\textbf{", "\\fill{x}",
    "\\fill{a}{\\fill{b}{\\fill{c}{\\fill{d}{\\fill{e}{f}}}}}",
    "\\textbf{\\textbf{\\textbf{\\textbf{\\textbf{\\textbf{x}}}}}}", "{{{{", "}}}}", "a\n\n\nb", "\xff\xfe",
    "99999999 99999999\nrow 1", "4 3\narrow 9\nbeside 999999999 5 copy\nbeside 3 9 copy", "-1 x" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    for (HeddleNoteKind kind = HEDDLE_NOTE_CARD; kind <= HEDDLE_NOTE_LISTING; kind++)
      {
        HeddleAnnotation *note
            = heddle_presentation_add (self->presentation, heddle_ornament_kind ("annotation"));
        note->text = g_strdup (texts[i]);
        note->kind = kind;
        note->width = i % 3 == 0 ? 1. : 0.;
      }
  g_autoptr (HeddleScene) scene = render (self);
  double x, y, width, height;
  heddle_scene_get_bounds (scene, &x, &y, &width, &height);
  g_assert_true (isfinite (width) && isfinite (height) && width < 10000. && height < 10000.);
}

#define ADD(name, case_name, test) g_test_add (name, Fixture, case_name, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/figure/ornaments/backdrops", NULL, test_backdrops);
  ADD ("/figure/ornaments/aligned", &multi_head, test_aligned);
  ADD ("/figure/ornaments/above-one-another", &multi_head, test_above_one_another);
  ADD ("/figure/ornaments/aligned-chain", &chains, test_aligned_chain);
  ADD ("/figure/ornaments/title-on-top", &gate, test_title_on_top);
  ADD ("/figure/ornaments/title-beside", &chain, test_title_beside);
  ADD ("/figure/ornaments/title-beside-below", &ends, test_title_beside_below);
  ADD ("/figure/ornaments/title-wrapped", &chain, test_title_wrapped);
  ADD ("/figure/ornaments/neighbours", &multi_head, test_neighbours);
  ADD ("/figure/ornaments/figure-title", &chain, test_figure_title);
  ADD ("/figure/ornaments/parentheses", NULL, test_parentheses);
  ADD ("/figure/ornaments/copies-within", &rounds, test_copies_within);
  ADD ("/figure/ornaments/bundle", &picture, test_bundle);
  ADD ("/figure/ornaments/double-wires", &picture, test_double_wires);
  ADD ("/figure/ornaments/bundle-apart", &picture, test_bundle_apart);
  ADD ("/figure/ornaments/bundle-legend", &picture, test_bundle_legend);
  ADD ("/figure/ornaments/skip", &residual, test_skip);
  ADD ("/figure/ornaments/call-out", NULL, test_call_out);
  ADD ("/figure/ornaments/call-out-follows", NULL, test_call_out_follows);
  ADD ("/figure/ornaments/legend-and-array", NULL, test_legend_and_array);
  ADD ("/figure/ornaments/listing", NULL, test_listing);
  ADD ("/figure/ornaments/strange-texts", NULL, test_strange_texts);
  return g_test_run ();
}
