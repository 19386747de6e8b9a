/* SPDX-License-Identifier: MIT */
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/ornament.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/figure.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/compose.h"
#include "figure/page/print-check.h"
#include "figure/scene/color-vision.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure-case.h"
#include "figure-check.h"

#include <math.h>
#include <string.h>

static const FigureCase matrix = { "matrix", "A : f32[p=4, q=3]\n"
                                             "param W : f32[q, r=2]\n"
                                             "B[p,r] = A[p,q] W[q,r]\n"
                                             "C[p] = max[r](B[p,r])\n" };

static guint
count_texts (const HeddleScene *scene, const char *text)
{
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    n += g_strcmp0 (heddle_scene_get_item (scene, i)->text, text) == 0;
  return n;
}

static HeddleScene *
compose (HeddleSnapshot *snapshot, HeddleTheme theme, gboolean definitions)
{
  HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  const HeddleFigure figure = { .diagram = diagram,
    .presentation = heddle_snapshot_find_presentation (snapshot, diagram),
    .theme = theme,
    .definitions = definitions };

  return heddle_figure_compose (snapshot, &figure);
}

/* --- looks --------------------------------------------------------------------------------------------- */

static void
test_looks (void)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (&matrix);
  HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);

  g_assert_true (heddle_edit_set_look (snapshot, diagram, "o.B", HEDDLE_LOOK_LETTER, "G", NULL));
  g_assert_true (
      heddle_edit_set_look (snapshot, diagram, "o.C", HEDDLE_LOOK_SOLID, "\\mathsf{Block}\n(s, N)", NULL));
  g_autoptr (HeddleScene) scene = compose (snapshot, HEDDLE_THEME_PAPER, FALSE);
  g_assert_cmpuint (count_texts (scene, "G"), ==, 1);
  g_assert_cmpuint (count_texts (scene, "Block"), ==, 1);
  figure_check_labels_apart ("looks", scene);
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    { /* a letter has no box, and no dot where its wire begins */
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      if (g_strcmp0 (item->object, "o.B") == 0)
        g_assert_cmpint (item->kind, ==, HEDDLE_ITEM_TEXT);
    }
}

static void
label (HeddlePresentation *presentation, const char *object, const char *text)
{
  HeddleLook *look = heddle_presentation_add (presentation, heddle_ornament_kind ("look"));

  look->object = g_intern_string (object);
  look->label = g_strdup (text);
}

static void
fill (HeddlePresentation *presentation, const char *object, const char *class)
{
  HeddleFill *own = g_new0 (HeddleFill, 1);

  own->object = g_intern_string (object);
  own->fill = g_strdup (class);
  g_ptr_array_add (presentation->fills, own);
}

static guint
count_boxes (const HeddleScene *scene, const char *object)
{
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      n += item->part == HEDDLE_PART_BOX && g_strcmp0 (item->object, object) == 0;
    }
  return n;
}

static const FigureCase places = { "places", "A : f32[p=4, q=3]\n"
                                             "r = A[2,1]\n" };

/* Axes and values under other names, or none; each index of a read under a line of its label. */
static void
test_own_labels (void)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (&places);
  HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  HeddlePresentation *presentation = heddle_snapshot_get_presentation (snapshot, diagram);

  g_autoptr (HeddleScene) before = compose (snapshot, HEDDLE_THEME_PAPER, FALSE);
  g_assert_cmpuint (count_texts (before, "p"), ==, 1);
  g_assert_cmpuint (count_texts (before, "A"), ==, 1);
  g_assert_cmpuint (count_texts (before, "1"), ==, 1);
  label (presentation, "a.p", "7");
  label (presentation, "v.A", "{}");
  label (presentation, "o.r", "i\nj");
  g_autoptr (HeddleScene) after = compose (snapshot, HEDDLE_THEME_PAPER, FALSE);
  g_assert_cmpuint (count_texts (after, "p"), ==, 0);
  g_assert_cmpuint (count_texts (after, "7"), ==, 1);
  g_assert_cmpuint (count_texts (after, "q"), ==, 1);
  g_assert_cmpuint (count_texts (after, "A"), ==, 0);
  g_assert_cmpuint (count_texts (after, "1") + count_texts (after, "2"), ==, 0);
  g_assert_cmpuint (count_texts (after, "i"), ==, 1);
  g_assert_cmpuint (count_texts (after, "j"), ==, 1);
}

static const FigureCase two = { "two", "A : f32[q=3]\n"
                                       "X : f32[k=4]\n"
                                       "param H : f32[q, k, c=2]\n"
                                       "Y[c] = A[q] X[k] H[q,k,c]\n" };

/* What is a box has its parameters within. */
static void
test_box_keeps_parameters (void)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (&two);
  HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);

  g_autoptr (HeddleScene) cups = compose (snapshot, HEDDLE_THEME_PAPER, FALSE);
  g_assert_cmpuint (count_texts (cups, "H"), ==, 1);
  g_assert_cmpuint (count_boxes (cups, "o.Y"), >, 0);
  fill (heddle_snapshot_get_presentation (snapshot, diagram), "o.Y", "none");
  g_autoptr (HeddleScene) bare = compose (snapshot, HEDDLE_THEME_PAPER, FALSE);
  g_assert_cmpuint (count_boxes (bare, "o.Y"), ==, 0);
  g_assert_true (heddle_edit_set_look (snapshot, diagram, "o.Y", HEDDLE_LOOK_BOX, "F", NULL));
  g_autoptr (HeddleScene) boxed = compose (snapshot, HEDDLE_THEME_PAPER, FALSE);
  g_assert_cmpuint (count_texts (boxed, "H"), ==, 0);
  g_assert_cmpuint (count_texts (boxed, "F"), ==, 1);
  g_assert_cmpuint (count_texts (boxed, "q"), ==, 1);
  figure_check_wires_meet ("boxed", boxed);
}

static const FigureCase calls = { "calls", "def block(X[x,m]) -> Y[x,m]:\n"
                                           "  param W : [m, f=5]\n"
                                           "  param V : [f, m]\n"
                                           "  H[x,f] = relu(X[x,m] W[m,f])\n"
                                           "  Y[x,m] = X[x,m] + H[x,f] V[f,m]\n"
                                           "\n"
                                           "X : f32[x=8, m=16]\n"
                                           "Z[x,m] = block^6(X)\n"
                                           "O[x,m] = softmax[m](Z[x,m])\n" };

/* A call is a box in parentheses; with definitions its box stands once more, before what it is. */
static void
test_definitions (void)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (&calls);
  g_autoptr (HeddleScene) scene = compose (snapshot, HEDDLE_THEME_PAPER, FALSE),
                          whole = compose (snapshot, HEDDLE_THEME_PAPER, TRUE);
  guint parentheses = 0;

  g_assert_cmpuint (count_texts (scene, "block"), ==, 1);
  g_assert_cmpuint (count_texts (scene, "="), ==, 0);
  g_assert_cmpuint (count_texts (whole, "block"), ==, 2);
  g_assert_cmpuint (count_texts (whole, "="), ==, 1);
  g_assert_cmpuint (count_texts (whole, "relu"), ==, 1);
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      parentheses += item->part == HEDDLE_PART_GLYPH && item->stroke && item->line_width > 2.;
    }
  g_assert_cmpuint (parentheses, ==, 2);
  figure_check_labels_apart ("definitions", whole);
  figure_check_wires_meet ("definitions", scene);
}

/* Two axes that are one wire in what the definition stands for are one at its box. */
static void
test_definition_bundles (void)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (&calls);
  HeddleDiagram *block = heddle_snapshot_get_diagram (snapshot, "block");
  HeddlePresentation *presentation = heddle_snapshot_get_presentation (snapshot, block);
  HeddleBundle *bundle = heddle_presentation_add (presentation, heddle_ornament_kind ("bundle"));
  g_autoptr (HeddleScene) apart = compose (snapshot, HEDDLE_THEME_PAPER, TRUE);

  bundle->name = g_strdup ("z");
  heddle_ids_append (bundle->axes, heddle_diagram_find_axis (block, "x")->id);
  heddle_ids_append (bundle->axes, heddle_diagram_find_axis (block, "m")->id);
  g_autoptr (HeddleScene) together = compose (snapshot, HEDDLE_THEME_PAPER, TRUE);
  g_assert_cmpuint (count_texts (apart, "z"), ==, 0);
  g_assert_cmpuint (count_texts (together, "z"), >=, 2); /* on both sides of the box */
}

/* In a figure of a given width lines of a definition end where that width does, beside its box. */
static void
test_narrow_definitions (void)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (&calls);
  const HeddleFigure figure
      = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL), .wrap = 460., .definitions = TRUE };
  g_autoptr (HeddleScene) scene = heddle_figure_compose (snapshot, &figure);
  double x, y, width, height;

  heddle_scene_get_bounds (scene, &x, &y, &width, &height);
  g_assert_cmpfloat (width, <=, figure.wrap);
  g_assert_cmpuint (count_texts (scene, "relu"), ==, 1);
  figure_check_labels_apart ("narrow", scene);
}

static const FigureCase short_definitions = { "short", "def up(X[x,m]) -> Y[x,m]:\n"
                                                       "  Y[x,m] = exp(X[x,m])\n"
                                                       "\n"
                                                       "def down(X[x,m]) -> Y[x,m]:\n"
                                                       "  Y[x,m] = tanh(X[x,m])\n"
                                                       "\n"
                                                       "A : f32[x=8, m=16]\n"
                                                       "B[x,m] = up(A)\n"
                                                       "C[x,m] = softmax[m](B[x,m])\n"
                                                       "D[x,m] = down(C)\n"
                                                       "E[x,m] = softmax[m](D[x,m])\n" };

static const HeddleItem *
last_text (const HeddleScene *scene, const char *text)
{
  const HeddleItem *found = NULL;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    if (g_strcmp0 (heddle_scene_get_item (scene, i)->text, text) == 0)
      found = heddle_scene_get_item (scene, i);
  return found;
}

/* Definitions stand side by side where there is room for it, and one below the other where there is none. */
static void
test_definitions_beside (void)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (&short_definitions);
  HeddleFigure figure
      = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL), .wrap = 900., .definitions = TRUE };
  g_autoptr (HeddleScene) wide = heddle_figure_compose (snapshot, &figure);
  figure.wrap = 400.;
  g_autoptr (HeddleScene) narrow = heddle_figure_compose (snapshot, &figure);

  g_assert_cmpfloat (last_text (wide, "exp")->y, ==, last_text (wide, "tanh")->y);
  g_assert_cmpfloat (last_text (wide, "exp")->x, <, last_text (wide, "tanh")->x);
  g_assert_cmpfloat (last_text (narrow, "exp")->y, <, last_text (narrow, "tanh")->y);
  figure_check_labels_apart ("beside", wide);
}

static const FigureCase two_results = { "two-results", "def split(X[x,m]) -> Y[x,m], M[x]:\n"
                                                       "  M[x] = max[m](X[x,m])\n"
                                                       "  Y[x,m] = X[x,m] - M[x]\n"
                                                       "\n"
                                                       "A : f32[x=8, m=16]\n"
                                                       "B[x,m], N[x] = split(A)\n" };

/* How many wires of the value leave the box of the call. */
static guint
count_wires (const HeddleScene *scene, const char *value)
{
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      n += item->part == HEDDLE_PART_WIRE && g_strcmp0 (item->value, value) == 0;
    }
  return n;
}

/* Each result of a call leaves its box under its own name, also of the one that stands before the definition. */
static void
test_two_results (void)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (&two_results);
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  g_autoptr (HeddleScene) scene = compose (snapshot, HEDDLE_THEME_PAPER, FALSE),
                          whole = compose (snapshot, HEDDLE_THEME_PAPER, TRUE);

  g_assert_cmpuint (count_texts (scene, "A"), ==, 1);
  g_assert_cmpuint (count_texts (scene, "B"), ==, 1);
  g_assert_cmpuint (count_texts (scene, "N"), ==, 1);
  g_assert_cmpuint (count_wires (scene, heddle_diagram_find_value (diagram, "B")->id), ==, 2);
  g_assert_cmpuint (count_wires (scene, heddle_diagram_find_value (diagram, "N")->id), ==, 1);
  g_assert_cmpuint (count_texts (whole, "M"), ==, 2);
  figure_check_labels_apart ("two-results", whole);
  figure_check_wires_meet ("two-results", scene);
}

/* --- several diagrams ------------------------------------------------------------------------------------ */

static void
test_panels (void)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (&matrix);
  HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  HeddlePresentation *presentation = heddle_snapshot_get_presentation (snapshot, diagram);
  double x, y, width, height, wide, tall;

  g_autoptr (HeddleScene) alone = compose (snapshot, HEDDLE_THEME_PAPER, FALSE);
  HeddlePanel *panel = heddle_presentation_add (presentation, heddle_ornament_kind ("panel"));
  panel->diagram = diagram->id;
  panel->sign = g_strdup ("=");
  g_autoptr (HeddleScene) beside = compose (snapshot, HEDDLE_THEME_PAPER, FALSE);
  panel->place = HEDDLE_PANEL_BELOW;
  g_autoptr (HeddleScene) below = compose (snapshot, HEDDLE_THEME_PAPER, FALSE);

  g_assert_cmpuint (count_texts (beside, "="), ==, 1);
  g_assert_cmpuint (count_texts (beside, "A"), ==, 2);
  heddle_scene_get_bounds (alone, &x, &y, &width, &height);
  heddle_scene_get_bounds (beside, &x, &y, &wide, &tall);
  g_assert_cmpfloat (wide, >, 2. * width);
  g_assert_cmpfloat (fabs (tall - height), <, 1.);
  heddle_scene_get_bounds (below, &x, &y, &wide, &tall);
  g_assert_cmpfloat (tall, >, 2. * height);
  g_assert_cmpfloat (wide, <, 1.5 * width);
  panel->dx = 1000.;
  panel->dy = 30.;
  g_autoptr (HeddleScene) moved = compose (snapshot, HEDDLE_THEME_PAPER, FALSE);
  const double was = tall;
  heddle_scene_get_bounds (moved, &x, &y, &wide, &tall);
  g_assert_cmpfloat (wide, >, 1000. + width);
  g_assert_cmpfloat (fabs (tall - was - 30.), <, 0.01);
  /* What is picked is the diagram's own. */
  g_autoptr (GPtrArray) own = heddle_scene_get_object_items (alone, "o.C"),
                        both = heddle_scene_get_object_items (beside, "o.C");
  g_assert_cmpuint (both->len, ==, own->len);
  figure_check_labels_apart ("panels", beside);
}

static void
test_bands (void)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (&matrix);
  HeddlePresentation *presentation
      = heddle_snapshot_get_presentation (snapshot, heddle_snapshot_get_diagram (snapshot, NULL));
  guint data = 0, operations = 0;

  presentation->bands = HEDDLE_BANDS_SHADED;
  g_autoptr (HeddleScene) scene = compose (snapshot, HEDDLE_THEME_PAPER, FALSE);
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      if (item->part != HEDDLE_PART_BACKGROUND || item->kind != HEDDLE_ITEM_PATH)
        continue;
      data += fabs (item->fill_color.r - 0xE1 / 255.) < 1e-6;
      operations += fabs (item->fill_color.r - 0x9D / 255.) < 1e-6;
    }
  g_assert_cmpuint (data, ==, 3);
  g_assert_cmpuint (operations, ==, 2);
}

/* Behind the columns the band of an axis; no column of data types where there is but a number. */
static void
test_axis_band (void)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (&places);
  HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  HeddlePresentation *presentation = heddle_snapshot_get_presentation (snapshot, diagram);
  guint data = 0, bands = 0;

  presentation->bands = HEDDLE_BANDS_SHADED;
  fill (presentation, "a.p", "#00FF00");
  g_autoptr (HeddleScene) scene = compose (snapshot, HEDDLE_THEME_PAPER, FALSE);
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      const gboolean green = item->kind == HEDDLE_ITEM_PATH && item->fill && item->fill_color.r == 0.
                             && item->fill_color.g == 1.;
      if (item->kind != HEDDLE_ITEM_PATH || !item->fill)
        continue;
      if (green)
        g_assert_cmpuint (data, ==, 0); /* below */
      bands += green;
      data += fabs (item->fill_color.r - 0xE1 / 255.) < 1e-6;
      g_assert_false (item->stroke && item->stroke_color.g == 1.);
    }
  g_assert_cmpuint (bands, ==, 1);
  g_assert_cmpuint (data, ==, 1);
}

/* --- colours ------------------------------------------------------------------------------------------------ */

/* Grey stays grey to all, and red and green of one lightness come near one another without green cones. */
static void
test_vision (void)
{
  const HeddleColor grey = { 0.5, 0.5, 0.5, 1. }, red = { 0.85, 0.37, 0.22, 1. },
                    green = { 0.45, 0.55, 0.2, 1. };

  for (HeddleVision vision = 0; vision < HEDDLE_N_VISIONS; vision++)
    {
      const HeddleColor seen = heddle_color_simulate (grey, vision);
      g_assert_cmpfloat (heddle_color_difference (&grey, &seen), <, 0.5);
    }
  const HeddleColor a = heddle_color_simulate (red, HEDDLE_VISION_DEUTERANOPIA),
                    b = heddle_color_simulate (green, HEDDLE_VISION_DEUTERANOPIA);
  g_assert_cmpfloat (heddle_color_difference (&a, &b), <, 0.5 * heddle_color_difference (&red, &green));
}

/* ΔE*ab of sRGB white and black is that of their lightness. */
static void
test_difference (void)
{
  const HeddleColor white = { 1., 1., 1., 1. }, black = { 0., 0., 0., 1. };

  g_assert_cmpfloat (fabs (heddle_color_difference (&white, &black) - 100.), <, 0.05);
  g_assert_cmpfloat (heddle_color_difference (&white, &white), ==, 0.);
}

static gboolean
is_told (const HeddleScene *scene, const char *words)
{
  const HeddlePrint print = { .width_pt = 100., .scale = 0.5, .paper = { 1., 1., 1., 1. } };
  g_autoptr (GPtrArray) problems = heddle_scene_check_print (scene, &print);

  for (guint i = 0; i < problems->len; i++)
    if (strstr (((HeddleProblem *) problems->pdata[i])->message, words) != NULL)
      return TRUE;
  return FALSE;
}

static HeddleItem *
add_wire (HeddleScene *scene, const char *object, HeddleColor color)
{
  HeddleItem *wire = heddle_scene_add (scene, HEDDLE_ITEM_PATH, HEDDLE_PART_WIRE, object);

  wire->stroke = TRUE;
  wire->stroke_color = color;
  wire->line_width = 2.;
  heddle_item_move_to (wire, 0., 0.);
  heddle_item_line_to (wire, 9., 0.);
  return wire;
}

/* Wires that differ in colour alone are told where some people cannot tell them; a dash mends it. */
static void
test_lines_told (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  const HeddleColor blue = { 0.35, 0.45, 0.85, 1. }, violet = { 0.52, 0.4, 0.85, 1. };

  add_wire (scene, "v.1", blue);
  HeddleItem *second = add_wire (scene, "v.2", violet);
  g_assert_true (is_told (scene, "the wires of"));
  heddle_item_set_dash (second, (const double[]){ 3., 3. }, 2);
  g_assert_false (is_told (scene, "the wires of"));
}

/* Outlines and no shadows; all text on white or on black. */
static void
test_contrast (void)
{
  g_autoptr (HeddleSnapshot) snapshot = figure_case_read (figure_case_find ("attention"));
  g_autoptr (HeddleScene) scene = compose (snapshot, HEDDLE_THEME_CONTRAST, FALSE);

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      g_assert_cmpint (item->kind, !=, HEDDLE_ITEM_SHADOW);
      if (item->part == HEDDLE_PART_BOX && item->kind == HEDDLE_ITEM_PATH)
        g_assert_true (item->stroke && item->fill_color.r == 1.);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/compose/looks", test_looks);
  g_test_add_func ("/figure/compose/own-labels", test_own_labels);
  g_test_add_func ("/figure/compose/box-keeps-parameters", test_box_keeps_parameters);
  g_test_add_func ("/figure/compose/axis-band", test_axis_band);
  g_test_add_func ("/figure/compose/definitions", test_definitions);
  g_test_add_func ("/figure/compose/definition-bundles", test_definition_bundles);
  g_test_add_func ("/figure/compose/narrow-definitions", test_narrow_definitions);
  g_test_add_func ("/figure/compose/definitions-beside", test_definitions_beside);
  g_test_add_func ("/figure/compose/two-results", test_two_results);
  g_test_add_func ("/figure/compose/panels", test_panels);
  g_test_add_func ("/figure/compose/bands", test_bands);
  g_test_add_func ("/figure/colors/vision", test_vision);
  g_test_add_func ("/figure/colors/difference", test_difference);
  g_test_add_func ("/figure/colors/lines", test_lines_told);
  g_test_add_func ("/figure/colors/contrast", test_contrast);
  return g_test_run ();
}
