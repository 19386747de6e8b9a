/* SPDX-License-Identifier: MIT */
#include "diagram/graph/operation-table.h"
#include "figure/page/palette-glyph.h"
#include "figure/page/scene-titles.h"
#include "figure/scene/draw.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"
#include "figure/typeset/label.h"

#include <math.h>

static HeddleItem *
add_rectangle (
    HeddleScene *scene, HeddlePart part, const char *object, double x, double y, double width, double height)
{
  HeddleItem *item = heddle_scene_add (scene, HEDDLE_ITEM_PATH, part, object);

  item->fill = TRUE;
  item->fill_color = (HeddleColor){ 0., 0., 1., 1. };
  heddle_item_rectangle (item, x, y, width, height, 0.);
  return item;
}

static HeddleItem *
add_line (HeddleScene *scene, const char *object, double x1, double y1, double x2, double y2, double width)
{
  HeddleItem *item = heddle_scene_add (scene, HEDDLE_ITEM_PATH, HEDDLE_PART_WIRE, object);

  item->stroke = TRUE;
  item->stroke_color = (HeddleColor){ 0., 0., 0., 1. };
  item->line_width = width;
  heddle_item_move_to (item, x1, y1);
  heddle_item_line_to (item, x2, y2);
  return item;
}

/* What is near a place: ascending, each once, also what reaches over many squares; no shadows. */
static void
test_find_in (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();

  add_rectangle (scene, HEDDLE_PART_BACKGROUND, "o.0", -5000., -5000., 10000., 10000.);
  heddle_scene_add (scene, HEDDLE_ITEM_SHADOW, HEDDLE_PART_BOX, "o.1");
  add_rectangle (scene, HEDDLE_PART_BOX, "o.1", 10., 10., 300., 20.);
  add_rectangle (scene, HEDDLE_PART_BOX, "o.2", 900., 900., 10., 10.);
  g_autoptr (GArray) near = heddle_scene_find_in (scene, 0., 0., 200., 50.),
                     far = heddle_scene_find_in (scene, 898., 898., 899., 899.),
                     all = heddle_scene_find_in (scene, -1e6, -1e6, 1e6, 1e6);

  g_assert_cmpuint (near->len, ==, 2);
  g_assert_cmpuint (g_array_index (near, guint, 0), ==, 0);
  g_assert_cmpuint (g_array_index (near, guint, 1), ==, 2);
  g_assert_cmpuint (far->len, ==, 2);
  g_assert_cmpuint (g_array_index (far, guint, 1), ==, 3);
  g_assert_cmpuint (all->len, ==, 3);
}

/* What is cut out by the middles of things is in no other page, and still belongs to the figure by its titles. */
static void
test_take_band (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();

  heddle_scene_set_title (scene, "o.odd", "Figure");
  for (guint i = 0; i < 6; i++)
    add_rectangle (scene, HEDDLE_PART_BOX, i % 2 == 0 ? "o.even" : "o.odd", 0., 100. * i, 50., 40.);
  g_autoptr (HeddleScene) band = heddle_scene_take_band (scene, 120., 320.);

  g_assert_cmpuint (heddle_scene_get_n_items (scene), ==, 4);
  g_assert_cmpuint (heddle_scene_get_n_items (band), ==, 2);
  g_assert_cmpstr (heddle_scene_get_item (band, 0)->object, ==, "o.odd");
  g_assert_cmpstr (heddle_scene_get_item (band, 1)->object, ==, "o.even");
  g_assert_cmpstr (heddle_scene_get_title (band, heddle_scene_get_item (band, 0)->object), ==, "Figure");
  g_clear_pointer (&scene, heddle_scene_unref);
  g_assert_cmpint (heddle_scene_get_item (band, 1)->kind, ==, HEDDLE_ITEM_PATH);
}

/* A path is asked whether it comes into an area: straight and bent pieces, and the one that closes it. */
static void
test_crosses (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  HeddleItem *line = add_line (scene, "v.1", 0., 0., 100., 50., 1.);

  g_assert_true (heddle_path_crosses (line->path, 40., 20., 60., 30.));
  g_assert_false (heddle_path_crosses (line->path, 40., 40., 60., 60.));
  heddle_item_curve_to (line, 200., 50., 200., 150., 100., 150.);
  g_assert_true (heddle_path_crosses (line->path, 160., 90., 200., 110.));
  g_assert_false (heddle_path_crosses (line->path, 110., 90., 150., 110.));
  g_assert_false (heddle_path_crosses (line->path, 30., 90., 60., 100.));
  heddle_item_close (line);
  g_assert_true (heddle_path_crosses (line->path, 50., 70., 60., 100.));
}

static void
test_bounds (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  double x, y, width, height;

  heddle_scene_get_bounds (scene, &x, &y, &width, &height);
  g_assert_cmpfloat (width, ==, 0.);
  add_rectangle (scene, HEDDLE_PART_BOX, "o.1", 10., 20., 30., 40.);
  add_line (scene, "v.1", 0., 30., 100., 30., 4.);
  heddle_scene_get_bounds (scene, &x, &y, &width, &height);
  g_assert_cmpfloat (x, ==, -2.);
  g_assert_cmpfloat (y, ==, 20.);
  g_assert_cmpfloat (width, ==, 104.);
  g_assert_cmpfloat (height, ==, 40.);
}

static const char *
object_at (const HeddleScene *scene, double x, double y, double tolerance)
{
  const HeddleItem *item = heddle_scene_pick (scene, x, y, tolerance);

  return item != NULL ? item->object : NULL;
}

/* Glyphs win over boxes, boxes over wires, wires over the ground, in whatever order they are drawn. */
static void
test_pick_order (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();

  add_rectangle (scene, HEDDLE_PART_GLYPH, "glyph", 40., 40., 10., 10.);
  add_rectangle (scene, HEDDLE_PART_BOX, "box", 30., 30., 40., 40.);
  add_line (scene, "wire", 0., 45., 100., 45., 1.);
  add_rectangle (scene, HEDDLE_PART_BACKGROUND, "ground", 0., 0., 100., 100.);
  g_assert_cmpstr (object_at (scene, 45., 45., 0.), ==, "glyph");
  g_assert_cmpstr (object_at (scene, 35., 45., 0.), ==, "box");
  g_assert_cmpstr (object_at (scene, 10., 45., 0.), ==, "wire");
  g_assert_cmpstr (object_at (scene, 10., 49., 5.), ==, "wire");
  g_assert_cmpstr (object_at (scene, 10., 60., 5.), ==, "ground");
  g_assert_null (object_at (scene, 200., 200., 5.));
}

/* The label of a line lies close to the next line: what is hit wins over what is near. */
static void
test_pick_label (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();

  add_rectangle (scene, HEDDLE_PART_AXIS_LABEL, "label", 20., 12., 10., 12.);
  add_line (scene, "wire", 0., 10., 100., 10., 1.);
  g_assert_cmpstr (object_at (scene, 25., 18., 6.), ==, "label");
  g_assert_cmpstr (object_at (scene, 25., 10., 6.), ==, "wire");
  g_assert_cmpstr (object_at (scene, 25., 9., 6.), ==, "wire");
  g_assert_cmpstr (object_at (scene, 25., 7., 6.), ==, "label"); /* near both */
  g_assert_cmpstr (object_at (scene, 60., 7., 6.), ==, "wire");
}

/* The wire between two boxes that stand close together can be taken, all along it. */
static void
test_pick_between (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();

  add_rectangle (scene, HEDDLE_PART_BOX, "left", 0., 0., 40., 40.);
  add_line (scene, "wire", 20., 20., 70., 20., 1.);
  add_rectangle (scene, HEDDLE_PART_BOX, "right", 50., 0., 40., 40.);
  for (double x = 40.5; x < 50.; x++)
    g_assert_cmpstr (object_at (scene, x, 20., 6.), ==, "wire");
  g_assert_cmpstr (object_at (scene, 38., 20., 6.), ==, "left");
  g_assert_cmpstr (object_at (scene, 52., 20., 6.), ==, "right");
  g_assert_cmpstr (object_at (scene, 42., 24., 6.), ==, "left"); /* near both */
}

static void
test_pick_curve (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  HeddleItem *item = heddle_scene_add (scene, HEDDLE_ITEM_PATH, HEDDLE_PART_WIRE, "v.1");

  item->stroke = TRUE;
  item->line_width = 1.;
  heddle_item_move_to (item, 0., 0.);
  heddle_item_curve_to (item, 400., 0., 600., 1000., 1000., 1000.);
  g_assert_cmpstr (object_at (scene, 500., 500., 1.), ==, "v.1");
  g_assert_null (object_at (scene, 200., 800., 5.));
}

/* The grid answers as a walk through all items does. */
static void
test_pick_many (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint i = 0; i < 400; i++)
    {
      g_autofree char *id = g_strdup_printf ("o.%u", i);
      add_rectangle (scene, HEDDLE_PART_BOX, id, g_rand_double_range (random, -3000., 3000.),
          g_rand_double_range (random, -3000., 3000.), g_rand_double_range (random, 1., 900.),
          g_rand_double_range (random, 1., 900.));
    }
  for (guint i = 0; i < 500; i++)
    {
      const double x = g_rand_double_range (random, -3500., 4500.),
                   y = g_rand_double_range (random, -3500., 4500.);
      const char *expected = NULL;
      for (guint j = 0; j < heddle_scene_get_n_items (scene); j++)
        {
          double left, top, width, height;
          const HeddleItem *item = heddle_scene_get_item (scene, j);
          heddle_item_get_bounds (item, &left, &top, &width, &height);
          if (x > left && x < left + width && y > top && y < top + height)
            expected = item->object;
        }
      g_assert_cmpstr (object_at (scene, x, y, 0.), ==, expected);
    }
}

static void
test_objects (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();

  add_line (scene, "v.1", 0., 0., 1., 0., 1.);
  add_line (scene, "v.2", 0., 0., 1., 0., 1.);
  add_line (scene, "v.1", 0., 0., 1., 0., 1.);
  g_autoptr (GPtrArray) items = heddle_scene_get_object_items (scene, "v.1");
  g_assert_cmpuint (items->len, ==, 2);
  add_line (scene, "v.1", 0., 0., 1., 0., 1.);
  g_autoptr (GPtrArray) more = heddle_scene_get_object_items (scene, "v.1");
  g_assert_cmpuint (more->len, ==, 3);
  g_autoptr (GPtrArray) none = heddle_scene_get_object_items (scene, "v.9");
  g_assert_cmpuint (none->len, ==, 0);
}

/* --- drawing ----------------------------------------------------------------------------------------- */

static guint
alpha_at (cairo_surface_t *surface, int x, int y)
{
  cairo_surface_flush (surface);
  const guchar *row = cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface);
  return ((const guint32 *) row)[x] >> 24;
}

static cairo_surface_t *
draw (const HeddleScene *scene)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 100, 100);
  cairo_t *cr = cairo_create (surface);

  heddle_scene_draw (scene, cr);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  return surface;
}

/* Under a Gaussian of sigma 3 half is left on the edge, a quarter at a corner, and 16 % one sigma outside. */
static void
test_shadow (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  HeddleItem *item = heddle_scene_add (scene, HEDDLE_ITEM_SHADOW, HEDDLE_PART_BOX, NULL);

  item->x = item->y = 30.;
  item->width = item->height = 40.;
  item->sigma = 3.;
  item->fill_color = (HeddleColor){ 0., 0., 0., 1. };
  cairo_surface_t *surface = draw (scene);
  g_assert_cmpuint (alpha_at (surface, 50, 50), ==, 255);
  g_assert_cmpfloat_with_epsilon ((alpha_at (surface, 29, 50) + alpha_at (surface, 30, 50)) / 2., 127.5, 2.);
  g_assert_cmpfloat_with_epsilon ((alpha_at (surface, 29, 29) + alpha_at (surface, 30, 30)) / 2., 64., 4.);
  g_assert_cmpfloat_with_epsilon ((alpha_at (surface, 26, 50) + alpha_at (surface, 27, 50)) / 2., 40.5, 3.);
  g_assert_cmpuint (alpha_at (surface, 15, 50), ==, 0);
  cairo_surface_destroy (surface);
}

/* What Cairo cannot draw spoils nothing else. */
static void
test_insane (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  HeddleItem *dashed = add_line (scene, "v.1", 0., 10., 100., 10., 2.);
  HeddleItem *shadow = heddle_scene_add (scene, HEDDLE_ITEM_SHADOW, HEDDLE_PART_BOX, NULL);

  heddle_item_set_dash (dashed, (const double[]){ -1., 0. }, 2);
  shadow->width = shadow->height = 1e12;
  shadow->sigma = 3.;
  add_rectangle (scene, HEDDLE_PART_BOX, "o.1", 40., 40., 20., 20.);
  cairo_surface_t *surface = draw (scene);
  g_assert_cmpuint (alpha_at (surface, 50, 50), ==, 255);
  g_assert_cmpuint (alpha_at (surface, 50, 10), ==, 255);
  cairo_surface_destroy (surface);
}

static void
test_text_path (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  const HeddleColor black = { 0., 0., 0., 1. };
  double x1, y1, x2, y2;

  heddle_math_layout (
      scene, HEDDLE_PART_AXIS_LABEL, NULL, "k", HEDDLE_FONT_MATH, 40., black, 10., 60., NULL, NULL);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 100, 100);
  cairo_t *cr = cairo_create (surface);
  heddle_item_text_path (heddle_scene_get_item (scene, 0), cr);
  cairo_path_extents (cr, &x1, &y1, &x2, &y2);
  g_assert_cmpfloat_with_epsilon (y2, 60., 2.);
  g_assert_cmpfloat (y2 - y1, >, 20.);
  g_assert_cmpfloat (x1, >, 8.);
  g_assert_cmpfloat (x2, <, 40.);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* --- the palette ---------------------------------------------------------------------------------------- */

static void
test_glyphs (void)
{
  guint n;
  const HeddleOperationKind *kinds = heddle_operation_table (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (HeddleScene) scene = heddle_figure_render_glyph (&kinds[i], HEDDLE_THEME_DARK);
      double x, y, width, height;
      heddle_scene_get_bounds (scene, &x, &y, &width, &height);
      g_test_message ("%s", kinds[i].id);
      g_assert_cmpuint (heddle_scene_get_n_items (scene), >, 1);
      g_assert_cmpfloat (width, <=, 46.);
      g_assert_cmpfloat (height, <=, 34.);
      g_assert_cmpfloat_with_epsilon (x + width / 2., 0., 1.);
    }
}

static void
test_levels (void)
{
  HeddleColor color;
  double width, dash[8];
  guint n_dashes;

  g_assert_true (heddle_level_style ("smem", HEDDLE_THEME_PAPER, &color, &width, dash, &n_dashes));
  g_assert_cmpfloat_with_epsilon (color.b, 0xC3 / 255., 1e-9);
  g_assert_cmpfloat (width, ==, 2.);
  g_assert_cmpuint (n_dashes, ==, 0);
  g_assert_true (heddle_level_style ("registers", HEDDLE_THEME_DARK, &color, &width, dash, &n_dashes));
  g_assert_cmpuint (n_dashes, ==, 4);
  g_assert_cmpfloat (dash[0], ==, 9.);
  g_assert_false (heddle_level_style ("moon", HEDDLE_THEME_DARK, &color, &width, dash, &n_dashes));
}

/* --- lettering --------------------------------------------------------------------------------------- */

static HeddleItem *
add_text (HeddleScene *scene, const char *text, HeddleFont font, double size, double y)
{
  HeddleItem *item = heddle_scene_add (scene, HEDDLE_ITEM_TEXT, HEDDLE_PART_AXIS_LABEL, NULL);

  item->text = g_strdup (text);
  item->font = font;
  item->size = size;
  item->x = 4.;
  item->y = y;
  item->fill_color = (HeddleColor){ 0., 0., 0., 1. };
  return item;
}

/* By @lettering, or NULL: anew. */
static cairo_surface_t *
draw_scaled (const HeddleScene *scene, double scale, HeddleLettering *lettering)
{
  static const guint items[] = { 0, 1, 2 };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 200, 200);
  cairo_t *cr = cairo_create (surface);

  cairo_scale (cr, scale, scale);
  if (lettering != NULL)
    heddle_scene_draw_items (scene, cr, items, G_N_ELEMENTS (items), lettering);
  else
    heddle_scene_draw (scene, cr);
  cairo_destroy (cr);
  return surface;
}

/* The same picture at every scale, but for what shaping at another scale rounds. */
static void
test_lettering (void)
{
  static const double scales[] = { .31, 1., 2.7 };
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  g_autoptr (HeddleLettering) lettering = heddle_lettering_new ();

  add_text (scene, "softmax", HEDDLE_FONT_SANS, 11., 14.);
  add_text (scene, "q", HEDDLE_FONT_MATH, 13., 34.);
  add_text (scene, "128", HEDDLE_FONT_ROMAN, 8., 54.);
  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      cairo_surface_t *kept = draw_scaled (scene, scales[i], lettering),
                      *anew = draw_scaled (scene, scales[i], NULL);
      guint ink = 0;

      for (int y = 0; y < 200; y++)
        for (int x = 0; x < 200; x++)
          {
            const int a = alpha_at (kept, x, y), b = alpha_at (anew, x, y);

            ink += b > 128;
            g_assert_cmpint (ABS (a - b), <=, 24);
          }
      g_assert_cmpuint (ink, >, 0);
      cairo_surface_destroy (kept);
      cairo_surface_destroy (anew);
    }
  g_assert_cmpuint (heddle_lettering_get_n_runs (lettering), ==, 3);
}

/* A run is shaped once; of many that are asked for no more than some thousand are kept. */
static void
test_runs (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  g_autoptr (HeddleLettering) lettering = heddle_lettering_new ();
  PangoLayout *first = NULL;

  add_text (scene, "x", HEDDLE_FONT_MATH, 13., 0.);
  add_text (scene, "x", HEDDLE_FONT_MATH, 13., 50.);
  add_text (scene, "x", HEDDLE_FONT_MATH, 8., 50.);
  first = heddle_lettering_get (lettering, heddle_scene_get_item (scene, 0));
  g_assert_true (heddle_lettering_get (lettering, heddle_scene_get_item (scene, 1)) == first);
  g_assert_true (heddle_lettering_get (lettering, heddle_scene_get_item (scene, 2)) != first);
  for (guint i = 0; i < 3000; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i);

      heddle_lettering_get (lettering, add_text (scene, text, HEDDLE_FONT_ROMAN, 8., 0.));
      g_assert_cmpuint (heddle_lettering_get_n_runs (lettering), <=, 1024);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/find-in", test_find_in);
  g_test_add_func ("/scene/take-band", test_take_band);
  g_test_add_func ("/scene/crosses", test_crosses);
  g_test_add_func ("/scene/bounds", test_bounds);
  g_test_add_func ("/scene/pick-order", test_pick_order);
  g_test_add_func ("/scene/pick-label", test_pick_label);
  g_test_add_func ("/scene/pick-between", test_pick_between);
  g_test_add_func ("/scene/pick-curve", test_pick_curve);
  g_test_add_func ("/scene/pick-many", test_pick_many);
  g_test_add_func ("/scene/objects", test_objects);
  g_test_add_func ("/scene/shadow", test_shadow);
  g_test_add_func ("/scene/insane", test_insane);
  g_test_add_func ("/scene/text-path", test_text_path);
  g_test_add_func ("/scene/glyphs", test_glyphs);
  g_test_add_func ("/scene/levels", test_levels);
  g_test_add_func ("/scene/lettering", test_lettering);
  g_test_add_func ("/scene/runs", test_runs);
  return g_test_run ();
}
