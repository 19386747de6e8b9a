/* SPDX-License-Identifier: MIT */
#include "figure-case.h"
#include "figure-check.h"

#include <math.h>
#include <string.h>
#include "diagram/document/document.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/figure.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"
#include "figure/typeset/label.h"
#include "files/picture/svg.h"

static gboolean
channel_is (double channel, guint value)
{
  return fabs (channel - value / 255.) < 1e-6;
}

static void
test_structure (gconstpointer data)
{
  const FigureCase *figure_case = data;
  g_autoptr (HeddleScene) scene = figure_case_render (figure_case);

  figure_check_labels_apart (figure_case->name, scene);
  figure_check_labels_off_boxes (figure_case->name, scene);
  figure_check_labels_off_wires (figure_case->name, scene);
  figure_check_print (figure_case->name, scene);
  figure_check_wires_meet (figure_case->name, scene);
}

/* --- picking ------------------------------------------------------------------------------------------------- */

static void
check_pick_label (const HeddleScene *scene, const HeddleItem *item)
{
  const Box box = figure_check_box (item);
  const HeddleItem *hit = heddle_scene_pick (scene, box.x + box.width / 2., item->y - item->size / 4., 0.);

  g_assert_nonnull (hit);
  g_assert_cmpstr (hit->object, ==, item->object);
}

static void
test_pick (gconstpointer data)
{
  const FigureCase *figure_case = data;
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (figure_case);
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  const HeddleFigure figure = { .diagram = diagram };
  g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = diagram->operations->pdata[i];
      g_autoptr (GPtrArray) items = heddle_scene_get_object_items (scene, operation->id);
      g_assert_cmpuint (items->len, >, 0);
    }
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      if (item->kind == HEDDLE_ITEM_TEXT && item->object != NULL)
        check_pick_label (scene, item);
      if (item->part != HEDDLE_PART_WIRE || !item->stroke)
        continue;
      const HeddleSegment *start = &g_array_index (item->path, HeddleSegment, 0);
      const HeddleItem *hit = heddle_scene_pick (scene, start->x1 + 0.5, start->y1, 1.);
      g_assert_nonnull (hit);
    }
}

/* --- the same for the same ------------------------------------------------------------------------------------- */

static void
test_deterministic (gconstpointer data)
{
  g_autoptr (HeddleScene) a = figure_case_render (data), b = figure_case_render (data);
  g_autoptr (GBytes) first = heddle_svg_write (a, NULL, NULL), second = heddle_svg_write (b, NULL, NULL);

  g_assert_true (g_bytes_equal (first, second));
}

/* --- size ------------------------------------------------------------------------------------------------------- */

static void
append_layer (GString *text, guint i)
{
  g_string_append_printf (text,
      "param G%u : f32[m]\nparam Q%u : f32[m,h,k]\nparam K%u : f32[m,h,k]\nparam V%u : f32[m,h,k]\n"
      "param O%u : f32[h,k,m]\nparam g%u : f32[m]\nparam U%u : f32[m,f]\nparam D%u : f32[f,m]\n",
      i, i, i, i, i, i, i, i);
  g_string_append_printf (text,
      "N%u[x,m] = rmsnorm[m](X%u[x,m]) * G%u[m]\nA%u[y,h,k] = N%u[y,m] Q%u[m,h,k]\n"
      "B%u[x,h,k] = N%u[x,m] K%u[m,h,k]\nC%u[x,h,k] = N%u[x,m] V%u[m,h,k]\n",
      i, i, i, i, i, i, i, i, i, i, i, i);
  g_string_append_printf (text,
      "S%u[h,y,x] = where(x <= y, A%u[y,h,k] B%u[x,h,k] * k^-0.5, -inf)\nP%u[h,y,x] = "
      "softmax[x](S%u[h,y,x])\n"
      "Z%u[y,h,k] = P%u[h,y,x] C%u[x,h,k]\nR%u[x,m] = X%u[x,m] + Z%u[x,h,k] O%u[h,k,m]\n",
      i, i, i, i, i, i, i, i, i, i, i, i);
  g_string_append_printf (text,
      "M%u[x,m] = rmsnorm[m](R%u[x,m]) * g%u[m]\nF%u[x,f] = relu(M%u[x,m] U%u[m,f])\n"
      "X%u[x,m] = R%u[x,m] + F%u[x,f] D%u[f,m]\n",
      i, i, i, i, i, i, i + 1, i, i, i);
}

/* Two layers of a transformer, in lines for a page, are less than 100 kB. */
static void
test_size (void)
{
  g_autoptr (GString) text = g_string_new (
      "axis x = 64\naxis y = 64\naxis m = 512\naxis h = 8\naxis k = 64\naxis f = 2048\nX0 : f32[x,m]\n");

  append_layer (text, 0);
  append_layer (text, 1);
  const FigureCase figure_case = { "transformer", text->str };
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (&figure_case);
  const HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL), .wrap = 972. };
  g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);
  g_autoptr (GBytes) bytes = heddle_svg_write (scene, NULL, NULL);
  g_assert_cmpuint (g_bytes_get_size (bytes), <, 100000);
  figure_check_labels_apart (figure_case.name, scene);
  figure_check_labels_off_boxes (figure_case.name, scene);
  figure_check_labels_off_wires (figure_case.name, scene);
  figure_check_wires_meet (figure_case.name, scene);
}

/* --- attention --------------------------------------------------------------------------------------------------- */

static guint
count_labels (const HeddleScene *scene, const char *axis)
{
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      n += item->part == HEDDLE_PART_AXIS_LABEL && g_strcmp0 (item->object, axis) == 0;
    }
  return n;
}

/* What the published figure shows: one box each. Each wire is named where it begins and where it leaves, as long as it goes straight on in
 * sight of its name: y twice, x once for each array that has it, k for each and at the end. */
static void
test_attention (void)
{
  g_autoptr (HeddleScene) scene = figure_case_render (figure_case_find ("attention"));
  guint boxes = 0, triangles = 0;

  g_assert_cmpuint (count_labels (scene, "a.y"), ==, 2);
  g_assert_cmpuint (count_labels (scene, "a.x"), ==, 2);
  g_assert_cmpuint (count_labels (scene, "a.k"), ==, 4);
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      boxes += item->part == HEDDLE_PART_BOX && item->kind == HEDDLE_ITEM_PATH;
      if (item->part != HEDDLE_PART_GLYPH || g_strcmp0 (item->object, "o.P") != 0
          || item->kind != HEDDLE_ITEM_PATH)
        continue;
      const Box box = figure_check_box (item);
      triangles++;
      g_assert_cmpfloat_with_epsilon (box.width, 21., 0.01);
      g_assert_cmpfloat_with_epsilon (box.height, 29., 0.01);
    }
  g_assert_cmpuint (boxes, ==, 5); /* crossing, contraction, scale, softmax, contraction */
  g_assert_cmpuint (triangles, ==, 1);
}

/* The long wire of y: straight over softmax, then down to its place beside k. */
static void
test_long_wire (void)
{
  g_autoptr (HeddleScene) scene = figure_case_render (figure_case_find ("attention"));
  double lowest_before = -G_MAXDOUBLE, end = 0.;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      Place ends[2];
      if (item->part != HEDDLE_PART_WIRE || g_strcmp0 (item->axis, "a.y") != 0)
        continue;
      figure_check_ends (item, ends);
      if (g_str_equal (item->value, "v.O"))
        end = ends[1].y;
      else
        lowest_before = MAX (lowest_before, MAX (ends[0].y, ends[1].y));
    }
  g_assert_cmpfloat (lowest_before, ==, 0.);
  g_assert_cmpfloat (end, ==,
      104.5); /* 0 y, 20 k, 50 x, 70 k; 34.5 below, for the box of softmax, x and its place; then k */
}

/* The wire of the heads leaves each cup on its way down, as published: only the keys cross. The results end side by side. */
static void
test_heads (void)
{
  g_autoptr (HeddleScene) scene = figure_case_render (figure_case_find ("heads"));
  double y = 0., m = 0.;
  guint boxes = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      Place ends[2];
      boxes += item->part == HEDDLE_PART_BOX && item->kind == HEDDLE_ITEM_PATH;
      if (item->part != HEDDLE_PART_WIRE || g_strcmp0 (item->value, "v.O") != 0)
        continue;
      figure_check_ends (item, ends);
      *(g_str_equal (item->axis, "a.y") ? &y : &m) = ends[1].y;
    }
  g_assert_cmpuint (boxes, ==, 6); /* crossing, contraction, scale, softmax, contraction, linear */
  g_assert_cmpfloat (m - y, ==, 20.);
}

/* The curve of a cup from where it leaves the upper wire: its apex is half the span to the right, midway. */
static void
assert_semicircle (const HeddleItem *item)
{
  const HeddlePath *path = item->path;
  guint first = 0;

  for (guint i = 1; i < path->len && first == 0; i++)
    if (path->data[i].kind == HEDDLE_SEGMENT_CURVE)
      first = i;
  g_assert_cmpuint (first + 1, <, path->len);
  const HeddleSegment *down = &path->data[first], *back = &path->data[first + 1],
                      *begin = &path->data[first - 1];
  g_assert_cmpint (back->kind, ==, HEDDLE_SEGMENT_CURVE);
  g_assert_cmpfloat_with_epsilon (down->x3 - begin->x1, (back->y3 - begin->y1) / 2., 0.01);
  g_assert_cmpfloat_with_epsilon (down->y3, (back->y3 + begin->y1) / 2., 0.01);
}

/* Wires of a contracted axis meet in a semicircle however far apart they come: 51 px here, where the heads lie between. */
static void
test_semicircles (void)
{
  guint n = 0;
  static const char *const names[] = { "attention", "heads" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (HeddleScene) scene = figure_case_render (figure_case_find (names[i]));
      for (guint j = 0; j < heddle_scene_get_n_items (scene); j++)
        if (heddle_scene_get_item (scene, j)->sign == HEDDLE_SIGN_CUP)
          {
            assert_semicircle (heddle_scene_get_item (scene, j));
            n++;
          }
      figure_check_wires_meet (names[i], scene);
    }
  g_assert_cmpuint (n, ==, 4);
}

/* Too far apart for one semicircle, they come nearer first, past the others. */
static void
test_far_cups (void)
{
  static const FigureCase far = { "far", "A : f32[a=2, k=3, l=3]\n"
                                         "B : f32[l, c=2, d=2, e=2, f=2, g=2, h=2, m=3]\n"
                                         "C : f32[m, k, j=2]\n"
                                         "D[a,c,d,e,f,g,h,j] = A[a,k,l] B[l,c,d,e,f,g,h,m] C[m,k,j]\n" };
  g_autoptr (HeddleScene) scene = figure_case_render (&far);
  guint n = 0, near = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      if (item->sign != HEDDLE_SIGN_CUP)
        continue;
      n++;
      if (item->path->len < 7)
        {
          assert_semicircle (item);
          near++;
          continue;
        }
      /* on, nearer, around in two quarters, and back */
      const HeddleSegment *nearer = &item->path->data[2], *apex = nearer + 1, *around = apex + 1;
      apex += apex->kind == HEDDLE_SEGMENT_LINE;
      around = apex + 1;
      g_assert_cmpfloat_with_epsilon (apex->x3 - nearer->x3, 15., 0.01);
      g_assert_cmpfloat_with_epsilon (around->y3 - nearer->y3, 30., 0.01);
    }
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (near, ==, 2);
  figure_check_wires_meet ("far", scene);
}

static gboolean
fonts_are_there (void)
{
  const HeddleColor black = { 0., 0., 0., 1. };
  const double width = heddle_math_layout (
      NULL, HEDDLE_PART_GLYPH, NULL, "k", HEDDLE_FONT_MATH, 100., black, 0., 0., NULL, NULL);

  return fabs (width - 44.4) < 0.1; /* TeX Gyre Pagella's own */
}

static void
test_golden (void)
{
  g_autoptr (HeddleScene) scene = figure_case_render (figure_case_find ("attention"));
  g_autoptr (GBytes) bytes = heddle_svg_write (scene, NULL, NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "figure", "golden", "attention.svg", NULL);
  g_autofree char *golden = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  if (!fonts_are_there ())
    {
      g_test_skip ("the fonts of the figures are not installed");
      return;
    }
  if (g_getenv ("HEDDLE_WRITE_GOLDEN") != NULL)
    g_file_set_contents (path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), NULL);
  g_file_get_contents (path, &golden, &length, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (golden, length, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

/* --- what a person arranged ------------------------------------------------------------------------------------------ */

static Box
box_of_operation (const HeddleScene *scene, const char *id)
{
  g_autoptr (GPtrArray) items = heddle_scene_get_object_items (scene, id);

  for (guint i = 0; i < items->len; i++)
    {
      const HeddleItem *item = items->pdata[i];
      if (item->part == HEDDLE_PART_BOX && item->kind == HEDDLE_ITEM_PATH)
        return figure_check_box (item);
    }
  g_assert_not_reached ();
}

static void
test_nudge (void)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (figure_case_find ("attention"));
  HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };
  HeddlePresentation *presentation = heddle_presentation_new (figure.diagram->id);
  g_autoptr (HeddleScene) plain = heddle_figure_render (&figure);

  heddle_presentation_set_nudge (presentation, g_intern_string ("o.P"), 6., -24.);
  figure.presentation = presentation;
  g_autoptr (HeddleScene) moved = heddle_figure_render (&figure);
  const Box before = box_of_operation (plain, "o.P"), after = box_of_operation (moved, "o.P");
  g_assert_cmpfloat_with_epsilon (after.x, before.x + 6., 1e-9);
  g_assert_cmpfloat_with_epsilon (after.y, before.y - 24., 1e-9);
  figure_check_wires_meet ("nudged", moved);
  heddle_presentation_free (presentation);
}

/* Wires of a ribbon run up or down between two turns. */
static gboolean
is_within_turns (const HeddleItem *item, guint j)
{
  const HeddleSegment *segment = &g_array_index (item->path, HeddleSegment, j);

  return j > 1 && j + 1 < item->path->len && segment[-1].kind == HEDDLE_SEGMENT_CURVE
         && segment[1].kind == HEDDLE_SEGMENT_CURVE && segment[-1].x2 == segment->x1
         && segment[1].x1 == segment->x1;
}

static void
assert_no_jogs (const HeddleScene *scene)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      for (guint j = 1; item->part == HEDDLE_PART_WIRE && item->stroke && j < item->path->len; j++)
        {
          const HeddleSegment *segment = &g_array_index (item->path, HeddleSegment, j);
          if (segment->kind == HEDDLE_SEGMENT_LINE && !is_within_turns (item, j))
            g_assert_cmpfloat (
                segment->x1, >, segment[-1].kind == HEDDLE_SEGMENT_CURVE ? segment[-1].x3 : segment[-1].x1);
        }
    }
}

/* A crossing is moved as a whole: its box both ways, and all wires stay joined and never go straight up or back. */
static void
test_nudge_crossing (void)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (figure_case_find ("reindexing"));
  HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };
  HeddlePresentation *presentation = heddle_presentation_new (figure.diagram->id);
  g_autoptr (HeddleScene) plain = heddle_figure_render (&figure);
  const double moves[] = { 30., -14. }, across[] = { 8., -12. };

  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    {
      heddle_presentation_set_nudge (presentation, g_intern_string ("o.T"), across[i], moves[i]);
      figure.presentation = presentation;
      g_autoptr (HeddleScene) moved = heddle_figure_render (&figure);
      const Box before = box_of_operation (plain, "o.T"), after = box_of_operation (moved, "o.T");
      g_assert_cmpfloat_with_epsilon (after.x, before.x + across[i], 1e-9);
      g_assert_cmpfloat_with_epsilon (after.y, before.y + moves[i], 1e-9);
      figure_check_wires_meet ("nudged", moved);
      assert_no_jogs (moved);
      if (across[i] > 0.) /* to the left it comes over the labels */
        figure_check_labels_off_wires ("nudged", moved);
    }
  heddle_presentation_free (presentation);
}

/* --- few crossings, straight wires ------------------------------------------------------------------------------------ */

static guint
count_crossing_boxes (const HeddleScene *scene)
{
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      n += item->part == HEDDLE_PART_BOX && item->kind == HEDDLE_ITEM_PATH && item->object == NULL;
    }
  return n;
}

/* An axis that joins a wire above leaves its array where it lies: the targets' n is above v already. */
static void
test_joins_up (void)
{
  g_autoptr (HeddleScene) scene = figure_case_render (figure_case_find ("targets"));

  g_assert_cmpuint (count_crossing_boxes (scene), ==, 0);
}

/* The arrow of an inner product goes straight on from the middle of the cup, which is midway between 0 and 30. */
static void
test_scalar_is_straight (void)
{
  g_autoptr (HeddleScene) scene = figure_case_render (figure_case_find ("inner"));
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      Place ends[2];
      if (item->part != HEDDLE_PART_WIRE || !item->stroke || g_strcmp0 (item->value, "v.s") != 0)
        continue;
      figure_check_ends (item, ends);
      g_assert_cmpfloat (ends[0].y, ==, 15.);
      g_assert_cmpfloat (ends[1].y, ==, 15.);
      n++;
    }
  g_assert_cmpuint (n, ==, 1);
}

static void
test_fill (void)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (figure_case_find ("attention"));
  HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };
  HeddlePresentation *presentation = heddle_presentation_new (figure.diagram->id);
  HeddleFill *fill = g_new0 (HeddleFill, 1);

  fill->object = g_intern_string ("o.P");
  fill->fill = g_strdup ("#102030");
  g_ptr_array_add (presentation->fills, fill);
  figure.presentation = presentation;
  g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);
  g_autoptr (GPtrArray) items = heddle_scene_get_object_items (scene, "o.P");
  const HeddleItem *box = items->pdata[1]; /* after its shadow */
  g_assert_cmpint (box->part, ==, HEDDLE_PART_BOX);
  g_assert_cmpfloat_with_epsilon (box->fill_color.r, 0x10 / 255., 1e-9);
  g_assert_cmpfloat_with_epsilon (box->fill_color.b, 0x30 / 255., 1e-9);
  heddle_presentation_free (presentation);
}

/* --- columns ------------------------------------------------------------------------------------------------------------- */

/* The name of the axis stands 10 px, of which half a letter is its own, before the softmax; it has no more room than it needs. */
static void
test_narrow_column (void)
{
  static const FigureCase narrow = { "narrow", "X : f32[m=8]\nparam W : f32[m, n=8]\nA[n] = X[m] W[m,n]\n"
                                               "P[n] = softmax[n](A[n])\n" };
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (&narrow);
  const HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };
  g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);
  g_autoptr (GPtrArray) names = heddle_scene_get_object_items (scene, "a.n");
  const double box = box_of_operation (scene, "o.P").x;
  double nearest = G_MAXDOUBLE;

  for (guint i = 0; i < names->len; i++)
    {
      const HeddleItem *name = names->pdata[i];
      if (name->part == HEDDLE_PART_AXIS_LABEL && name->x < box)
        nearest = MIN (nearest, box - (name->x + name->width / 2.));
    }
  g_assert_cmpfloat (nearest, >=, 9.);
  g_assert_cmpfloat (nearest, <=, 11.);
}

/* Returns where the first text @words of the object @id lies. */
static Box
box_of_text (const HeddleScene *scene, const char *id, const char *words)
{
  g_autoptr (GPtrArray) items = heddle_scene_get_object_items (scene, id);

  for (guint i = 0; i < items->len; i++)
    {
      const HeddleItem *item = items->pdata[i];
      if (item->kind == HEDDLE_ITEM_TEXT && g_str_equal (item->text, words))
        return figure_check_box (item);
    }
  g_error ("%s has no text %s", id, words);
}

/* An elementwise function stands over the name of a wire below its own, and over wires that come up to join it; where a
 * name is in its way it stands beside that. */
static void
test_floats (void)
{
  static const FigureCase gated = { "gated", "X : f32[x=8, m=8]\nparam W : f32[m, f=8]\nparam V : f32[m, f]\n"
                                             "A[x,f] = X[x,m] W[m,f]\nG[x,f] = gelu(A[x,f])\n"
                                             "H[x,f] = X[x,m] V[m,f]\nY[x,f] = G[x,f] * H[x,f]\n" },
                          plain = { "plain", "X : f32[m=8]\nparam W : f32[m, f=8]\nparam V : f32[f, k=8]\n"
                                             "A[f] = X[m] W[m,f]\nG[f] = gelu(A[f])\nY[k] = G[f] V[f,k]\n" };

  for (guint over = 0; over < 2; over++)
    {
      g_autoptr (HeddleSnapshot) snapshot = figure_case_read (over ? &gated : &plain);
      const HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };
      g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);
      const Box function = box_of_text (scene, "o.G", "gelu"), name = box_of_text (scene, "a.f", "f");
      const gboolean overlaps
          = function.x - 15. < name.x + name.width && function.x + function.width > name.x;
      g_assert_cmpint (overlaps, ==, over);
      figure_check_labels_apart ("floats", scene);
    }
}

/* A parameter that is read with its wires has its name on a card, as what is learned has a ground; an input has none. */
static void
test_learned_names (void)
{
  static const FigureCase low = { "low", "X : f32[x=8, m=8]\nparam A : f32[m, r=2]\nparam B : f32[r, n=8]\n"
                                         "Y[x,n] = X[x,m] A[m,r] B[r,n]\n" };
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (&low);
  const HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };
  g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);
  const HeddleColor ground = heddle_theme_fill (HEDDLE_THEME_PAPER, "linear");
  static const char *const values[] = { "v.X", "v.A", "v.B", "v.Y" };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autoptr (GPtrArray) items = heddle_scene_get_object_items (scene, values[i]);
      guint cards = 0;
      for (guint j = 0; j < items->len; j++)
        {
          const HeddleItem *item = items->pdata[j];
          cards += item->kind == HEDDLE_ITEM_PATH && item->part == HEDDLE_PART_BOX && item->fill
                   && item->fill_color.r == ground.r && item->fill_color.b == ground.b;
        }
      g_assert_cmpuint (cards, ==, i == 1 || i == 2 ? 1 : 0);
    }
}

/* A sign stands right over the dots in which wires join, below the wires of the array that pass. */
static void
test_sign_over_dots (void)
{
  static const FigureCase gate
      = { "gate", "X : f32[y=8, x=8, c=8]\nS : f32[c]\nY[y,x,c] = X[y,x,c] * S[c]\n" };
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (&gate);
  const HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };
  g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);
  const Box sign = box_of_text (scene, "o.Y", "×");

  g_assert_cmpfloat (sign.y, >, 20.); /* the wires lie at 0, 20 and 40 */
  g_assert_cmpfloat (sign.y + sign.height, <, 40.);
}

/* --- lines --------------------------------------------------------------------------------------------------------------- */

/* In lines of 400 px attention has two; the wires that pass turn down and come in again, labelled both times, and what is drawn in the
 * second is found there. */
static void
test_wrapped (void)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (figure_case_find ("attention"));
  HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };
  HeddlePresentation *presentation = heddle_presentation_new (figure.diagram->id);
  g_autoptr (HeddleScene) one = heddle_figure_render (&figure);
  double x, y, width, height, before;
  guint heads = 0;

  presentation->wrap = 400.;
  figure.presentation = presentation;
  g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);
  heddle_scene_get_bounds (one, &x, &y, &width, &before);
  g_assert_cmpfloat (width, >, 400.);
  heddle_scene_get_bounds (scene, &x, &y, &width, &height);
  g_assert_cmpfloat (width, <=, 400.);
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      heads += item->part == HEDDLE_PART_WIRE && item->fill;
      if (item->kind == HEDDLE_ITEM_TEXT && item->object != NULL)
        check_pick_label (scene, item);
    }
  g_assert_cmpuint (heads, >=, 2 * 4);
  g_assert_cmpuint (heads % 2, ==, 0);
  g_assert_cmpuint (count_labels (scene, "a.k"), >, count_labels (one, "a.k"));
  g_assert_cmpfloat (box_of_operation (scene, "o.O").y, >, before);
  g_assert_cmpfloat (box_of_operation (scene, "o.O").x, <, box_of_operation (one, "o.O").x);
  figure.wrap = -1.;
  g_autoptr (HeddleScene) again = heddle_figure_render (&figure);
  g_assert_cmpuint (heddle_scene_get_n_items (again), ==, heddle_scene_get_n_items (one));
  heddle_presentation_free (presentation);
}

/* --- the schedule -------------------------------------------------------------------------------------------------------- */

static HeddleSchedule *
make_schedule (const HeddleDiagram *diagram)
{
  HeddleSchedule *schedule = heddle_schedule_new (diagram->id);
  HeddleRegion *region = heddle_region_new (g_intern_string ("r.1"));

  for (guint i = 0; i < diagram->operations->len; i++)
    heddle_ids_append (region->operations, ((const HeddleOperation *) diagram->operations->pdata[i])->id);
  g_ptr_array_add (region->labels,
      heddle_label_new (heddle_diagram_find_axis (diagram, "y")->id, "smem", HEDDLE_LABEL_GROUP, 128));
  g_ptr_array_add (region->labels,
      heddle_label_new (heddle_diagram_find_axis (diagram, "x")->id, "smem", HEDDLE_LABEL_STREAM, 64));
  g_ptr_array_add (schedule->regions, region);
  return schedule;
}

static guint
count_part (const HeddleScene *scene, HeddlePart part, HeddleItemKind kind)
{
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    n += heddle_scene_get_item (scene, i)->part == part && heddle_scene_get_item (scene, i)->kind == kind;
  return n;
}

/* Each wire changes its level where the region begins, and back where it ends; three wires carry a label in. */
static void
test_levels (void)
{
  const FigureCase *figure_case = figure_case_find ("attention");
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (figure_case);
  HeddleFigure figure
      = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL), .show = HEDDLE_SHOW_LABELS };
  HeddleSchedule *schedule = make_schedule (figure.diagram);
  guint smem = 0, gmem = 0;

  figure.schedule = schedule;
  g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      if (item->part != HEDDLE_PART_WIRE || !item->stroke)
        continue;
      smem += item->line_width == 2. && channel_is (item->stroke_color.b, 0xC3);
      gmem += item->line_width == 1. && channel_is (item->stroke_color.b, 0x1A);
    }
  g_assert_cmpuint (gmem, ==, 8); /* six wires in, two out */
  g_assert_cmpuint (smem, ==, 6 + 2 + 2 + 2 + 2); /* in, the scores, the weights, out; two cups */
  g_assert_cmpuint (count_part (scene, HEDDLE_PART_TAG, HEDDLE_ITEM_PATH), ==, 3);
  figure_check_wires_meet (figure_case->name, scene);
  figure_check_labels_off_boxes (figure_case->name, scene);
  heddle_schedule_free (schedule);
}

/* Of two regions that leave the scale out, neither shows it: it is drawn between them, and not with the contraction before it. */
static void
test_left_out (void)
{
  const FigureCase figure_case = { "left-out", "Q : f16[y=64, k=128]\nK : f16[x=64, k]\nV : f16[x, k]\n"
                                               "S[y,x] = Q[y,k] K[x,k]\nT[y,x] = S[y,x] * k^-0.5\n"
                                               "P[y,x] = softmax[x](T[y,x])\nO[y,k] = P[y,x] V[x,k]\n" };
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (&figure_case);
  HeddleFigure figure
      = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL), .show = HEDDLE_SHOW_LABELS };
  HeddleSchedule *schedule = make_schedule (figure.diagram);
  HeddleRegion *first = schedule->regions->pdata[0], *second = heddle_region_new (g_intern_string ("r.2"));
  guint tints = 0;

  for (guint i = 0; i < first->labels->len; i++)
    g_ptr_array_add (second->labels, heddle_label_copy (first->labels->pdata[i]));
  g_array_set_size (first->operations, 1); /* the first contraction */
  heddle_ids_append (second->operations, g_intern_string ("o.P"));
  heddle_ids_append (second->operations, g_intern_string ("o.O"));
  g_ptr_array_add (schedule->regions, second);
  figure.schedule = schedule;
  g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);
  g_autoptr (GPtrArray) scale = heddle_scene_get_object_items (scene, "o.T");
  g_assert_cmpuint (scale->len, >, 0);
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *tint = heddle_scene_get_item (scene, i);
      if (tint->part != HEDDLE_PART_BACKGROUND || tint->kind != HEDDLE_ITEM_PATH || !tint->fill)
        continue;
      const Box area = figure_check_box (tint);
      tints++;
      for (guint j = 0; j < scale->len; j++)
        {
          const Box box = figure_check_box (scale->pdata[j]);
          g_assert_true (box.x + box.width < area.x || box.x > area.x + area.width);
        }
    }
  g_assert_cmpuint (tints, ==, 2 * 2); /* each has a bar on top */
  heddle_schedule_free (schedule);
}

/* Without being asked for, a schedule changes nothing of the picture. */
static void
test_levels_hidden (void)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (figure_case_find ("attention"));
  HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };
  g_autoptr (HeddleScene) plain = heddle_figure_render (&figure);
  HeddleSchedule *schedule = make_schedule (figure.diagram);

  figure.schedule = schedule;
  g_autoptr (HeddleScene) scheduled = heddle_figure_render (&figure);
  g_autoptr (GBytes) first = heddle_svg_write (plain, NULL, NULL),
                     second = heddle_svg_write (scheduled, NULL, NULL);
  g_assert_true (g_bytes_equal (first, second));
  heddle_schedule_free (schedule);
}

/* --- odd diagrams ------------------------------------------------------------------------------------------------------------ */

static void
test_empty (void)
{
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("empty");
  const HeddleFigure figure = { .diagram = diagram };
  g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);

  g_assert_cmpuint (heddle_scene_get_n_items (scene), ==, 0);
}

/* Values read far from where they are made are named there: no wire is longer than a page or two. */
static void
test_long (void)
{
  g_autoptr (GString) text = g_string_new ("X : f32[b=4]\nY0[b] = exp(X[b])\n");

  for (guint i = 1; i < 300; i++)
    g_string_append_printf (text, "Y%u[b] = exp(Y%u[b])\n", i, i - 1);
  g_string_append (text, "Z[b] = Y299[b] + Y0[b] + X[b]\n");
  const FigureCase figure_case = { "long", text->str };
  g_autoptr (HeddleScene) scene = figure_case_render (&figure_case);
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      if (item->part == HEDDLE_PART_WIRE)
        g_assert_cmpfloat (figure_check_box (item).width, <, 4000.);
    }
  figure_check_labels_apart (figure_case.name, scene);
  figure_check_wires_meet (figure_case.name, scene);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (const FigureCase *figure_case = figure_cases; figure_case->name != NULL; figure_case++)
    {
      g_autofree char *structure = g_strconcat ("/figure/structure/", figure_case->name, NULL);
      g_autofree char *pick = g_strconcat ("/figure/pick/", figure_case->name, NULL);
      g_autofree char *same = g_strconcat ("/figure/deterministic/", figure_case->name, NULL);
      g_test_add_data_func (structure, figure_case, test_structure);
      g_test_add_data_func (pick, figure_case, test_pick);
      g_test_add_data_func (same, figure_case, test_deterministic);
    }
  g_test_add_func ("/figure/attention", test_attention);
  g_test_add_func ("/figure/size", test_size);
  g_test_add_func ("/figure/long-wire", test_long_wire);
  g_test_add_func ("/figure/heads", test_heads);
  g_test_add_func ("/figure/semicircles", test_semicircles);
  g_test_add_func ("/figure/far-cups", test_far_cups);
  g_test_add_func ("/figure/golden", test_golden);
  g_test_add_func ("/figure/nudge", test_nudge);
  g_test_add_func ("/figure/nudge-crossing", test_nudge_crossing);
  g_test_add_func ("/figure/joins-up", test_joins_up);
  g_test_add_func ("/figure/scalar-is-straight", test_scalar_is_straight);
  g_test_add_func ("/figure/fill", test_fill);
  g_test_add_func ("/figure/narrow-column", test_narrow_column);
  g_test_add_func ("/figure/floats", test_floats);
  g_test_add_func ("/figure/learned-names", test_learned_names);
  g_test_add_func ("/figure/sign-over-dots", test_sign_over_dots);
  g_test_add_func ("/figure/wrapped", test_wrapped);
  g_test_add_func ("/figure/levels", test_levels);
  g_test_add_func ("/figure/left-out", test_left_out);
  g_test_add_func ("/figure/levels-hidden", test_levels_hidden);
  g_test_add_func ("/figure/empty", test_empty);
  g_test_add_func ("/figure/long", test_long);
  return g_test_run ();
}
