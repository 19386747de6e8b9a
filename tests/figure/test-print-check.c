/* SPDX-License-Identifier: MIT */
#include "diagram/base/problem.h"
#include "figure/page/paginate.h"
#include "figure/page/print-check.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/typeset/label.h"

#include <string.h>

static const HeddleColor black = { 0., 0., 0., 1. };
/* At its natural size: 1 px is half a point. */
static const HeddlePrint natural = { .width_pt = 100., .scale = 0.5, .paper = { 1., 1., 1., 1. } };

static HeddleItem *
add_box (HeddleScene *scene, const char *object, double x, HeddleColor color)
{
  HeddleItem *item = heddle_scene_add (scene, HEDDLE_ITEM_PATH, HEDDLE_PART_BOX, object);

  item->fill = TRUE;
  item->fill_color = color;
  heddle_item_rectangle (item, x, 0., 40., 40., 0.);
  return item;
}

static void
add_line (HeddleScene *scene, double width)
{
  HeddleItem *item = heddle_scene_add (scene, HEDDLE_ITEM_PATH, HEDDLE_PART_WIRE, "v.1");

  item->stroke = TRUE;
  item->stroke_color = black;
  item->line_width = width;
  heddle_item_move_to (item, 0., 0.);
  heddle_item_line_to (item, 100., 0.);
}

static void
add_label (HeddleScene *scene, const char *source, double size, double x, HeddleColor color)
{
  heddle_math_layout (
      scene, HEDDLE_PART_AXIS_LABEL, "a.1", source, HEDDLE_FONT_MATH, size, color, x, 20., NULL, NULL);
}

/* The problems' messages, one a line. */
static char *
check (const HeddleScene *scene, const HeddlePrint *print)
{
  g_autoptr (GPtrArray) problems = heddle_scene_check_print (scene, print);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < problems->len; i++)
    {
      const HeddleProblem *problem = problems->pdata[i];

      g_assert_cmpint (problem->severity, ==, HEDDLE_SEVERITY_WARNING);
      g_assert_nonnull (problem->remedy);
      g_string_append_printf (text, "%s; %s\n", problem->message, problem->remedy);
    }
  return g_string_free (text, FALSE);
}

static void
assert_check (const HeddleScene *scene, const HeddlePrint *print, const char *expected)
{
  g_autofree char *found = check (scene, print);

  g_assert_cmpstr (found, ==, expected);
}

static void
test_hidden (void)
{
  g_autoptr (HeddleScene) below = heddle_scene_new (), above = heddle_scene_new (),
                          glass = heddle_scene_new (), beside = heddle_scene_new ();
  const HeddleColor light = { 0.9, 0.9, 0.9, 1. }, clear = { 0.9, 0.9, 0.9, 0.5 };

  add_box (below, "o.1", 0., light);
  add_label (below, "x", 16., 10., black);
  assert_check (below, &natural, "");
  add_label (above, "x", 16., 10., black);
  add_box (above, "o.1", 0., light);
  assert_check (above, &natural,
      "the text “x” is hidden: “o.1” lies over it; move one of them, or what lies over the text to another "
      "place\n");
  add_label (glass, "x", 16., 10., black);
  add_box (glass, "o.1", 0., clear);
  assert_check (glass, &natural, "");
  add_label (beside, "x", 16., 60., black);
  add_box (beside, "o.1", 0., light);
  assert_check (beside, &natural, "");
}

/* Half a letter under a card is missed by readers; what touches its corner alone, or is round, hides nothing. */
static void
test_partly_hidden (void)
{
  g_autoptr (HeddleScene) half = heddle_scene_new (), corner = heddle_scene_new ();
  const HeddleColor light = { 0.9, 0.9, 0.9, 1. };

  add_label (half, "m", 16., 35., black);
  add_box (half, "o.1", 0., light);
  assert_check (half, &natural,
      "the text “m” is hidden: “o.1” lies over it; move one of them, or what lies over the text to another "
      "place\n");
  add_label (corner, "m", 16., 39., black);
  add_box (corner, "o.1", 0., light);
  assert_check (corner, &natural, "");
  HeddleItem *arrow = heddle_scene_add (corner, HEDDLE_ITEM_PATH, HEDDLE_PART_ANNOTATION, "n.1");
  arrow->fill = TRUE;
  arrow->fill_color = light;
  heddle_item_move_to (arrow, 30., -40.);
  heddle_item_line_to (arrow, 60., -40.);
  heddle_item_line_to (arrow, 60., 20.);
  heddle_item_close (arrow); /* the letter is in the corner of its bounds that it does not fill */
  assert_check (corner, &natural, "");
}

static void
test_overprinted (void)
{
  g_autoptr (HeddleScene) over = heddle_scene_new (), parted = heddle_scene_new (),
                          apart = heddle_scene_new ();

  add_label (over, "x", 16., 10., black);
  add_label (over, "k", 16., 12., black);
  assert_check (over, &natural, "the texts “x” and “k” are printed over one another; move one of them\n");
  add_label (apart, "x_2", 16., 10., black); /* its own script is part of it */
  add_label (apart, "k", 16., 30., black);
  assert_check (apart, &natural, "");
  add_label (parted, "x", 16., 10., black);
  add_box (parted, "o.1", 0., (HeddleColor){ 1., 1., 1., 1. });
  add_label (parted, "k", 16., 10., black);
  assert_check (parted, &natural,
      "the text “x” is hidden: “o.1” lies over it; move one of them, or what lies over the text to another "
      "place\n");
}

static void
test_crossed (void)
{
  g_autoptr (HeddleScene) wire = heddle_scene_new (), below = heddle_scene_new (),
                          behind = heddle_scene_new (), line = heddle_scene_new ();

  heddle_math_layout (
      wire, HEDDLE_PART_AXIS_LABEL, "a.1", "x", HEDDLE_FONT_MATH, 16., black, 10., 4., NULL, NULL);
  add_line (wire, 1.);
  assert_check (
      wire, &natural, "a wire of “?” runs through the text “x”; move the text, or the operation beside it\n");
  add_line (below, 1.); /* whose names stand over it */
  heddle_math_layout (
      below, HEDDLE_PART_AXIS_LABEL, "a.1", "x", HEDDLE_FONT_MATH, 16., black, 10., -4., NULL, NULL);
  assert_check (below, &natural, "");
  add_line (behind, 1.);
  add_box (behind, "o.1", 0., (HeddleColor){ 1., 1., 1., 1. });
  heddle_math_layout (
      behind, HEDDLE_PART_AXIS_LABEL, "a.1", "x", HEDDLE_FONT_MATH, 16., black, 10., 14., NULL, NULL);
  assert_check (behind, &natural, "");
  add_line (line, 1.);
  ((HeddleItem *) heddle_scene_get_item (line, 0))->part = HEDDLE_PART_SEPARATOR;
  heddle_math_layout (
      line, HEDDLE_PART_AXIS_LABEL, "a.1", "x", HEDDLE_FONT_MATH, 16., black, 10., 4., NULL, NULL);
  assert_check (line, &natural,
      "the line between two arrays runs through the text “x”; move the text, or the operation beside it\n");
}

static void
test_commands (void)
{
  static const struct
  {
    const char *source, *unknown;
  } rows[] = { { "\\alpha_{\\mathbf{x}}", NULL }, { "\\begin{cases} 1 \\end{cases}", NULL },
    { "\\left(\\frac{a}{b}\\right)", NULL }, { "x\\foo y", "foo" },
    { "\\begin{matrix} 1 \\end{matrix}", "begin{matrix}" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (HeddleScene) scene = heddle_scene_new ();

      add_label (scene, rows[i].source, 16., 10., black);
      g_autofree char *found = heddle_math_find_unknown (rows[i].source, HEDDLE_FONT_MATH);
      g_assert_cmpstr (found, ==, rows[i].unknown);
      g_autofree char *expected
          = found == NULL
                ? g_strdup ("")
                : g_strdup_printf ("no label can set the \\%s of “%s”: its name is printed instead; "
                                   "spell it with other commands, or leave it out\n",
                    found, rows[i].source);
      assert_check (scene, &natural, expected);
    }
}

static void
test_text (void)
{
  g_autoptr (HeddleScene) good = heddle_scene_new (), small = heddle_scene_new ();

  /* 6 pt, and a script of 5 pt: just large enough */
  add_label (good, "k_i", 12., 0., black);
  assert_check (good, &natural, "");
  add_label (small, "k_i", 11., 0., black);
  assert_check (small, &natural,
      "the text “k” is 5.5 pt high, and less than 6 pt is hard to read; make the figure 1.52 in wide, wrap "
      "it into lines of 1.39 in, or make the diagram smaller\n"); /* 100 pt * 12 / 11 / 72 = 1.515 in */
}

static void
test_scripts (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  const HeddlePrint narrow = { .width_pt = 90., .scale = 0.45, .paper = natural.paper };

  add_label (scene, "k_i", 15., 0., black); /* 6.75 pt; its script 10 px: 4.5 pt */
  assert_check (scene, &narrow,
      "the subscript or superscript “i” is 4.5 pt high, and less than 5 pt is hard to read; make the figure "
      "1.39 in wide, wrap it into lines of 1.25 in, or make the diagram smaller\n"); /* 90 pt * 5 / 4.5 / 72 */
}

static void
test_strokes (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();

  add_line (scene, 1.);
  assert_check (scene, &natural, "");
  add_line (scene, 0.8);
  assert_check (scene, &natural,
      "the thinnest line is 0.40 pt wide, and less than 0.5 pt may not print; make the figure 1.74 in wide, "
      "wrap it into lines of 1.39 in, or make the diagram smaller\n");
}

static void
test_width (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  HeddlePrint print = { .width_pt = 234., .scale = 0.5, .most_pt = 234., .paper = natural.paper };

  assert_check (scene, &print, "");
  print.width_pt = 288.;
  assert_check (scene, &print, "the figure is 4.00 in wide, and there are 3.25 in; make it 3.25 in wide\n");
  print.width_pt = 234.;
  print.height_pt = 9 * 72.;
  assert_check (scene, &print, "");
  print.height_pt = 720.;
  assert_check (scene, &print,
      "the figure is 10.00 in high, and there are 9.00 in on a page; show less of it, or make it several "
      "figures\n");
}

/* #777777 on white has a contrast of 4.48, #767676 of 4.54: the limits that WCAG's own examples give. */
static void
test_contrast (void)
{
  const HeddleColor lighter = { 0x77 / 255., 0x77 / 255., 0x77 / 255., 1. },
                    darker = { 0x76 / 255., 0x76 / 255., 0x76 / 255., 1. }, blue = { 0., 0., 1., 1. };
  g_autoptr (HeddleScene) good = heddle_scene_new (), faint = heddle_scene_new (), box = heddle_scene_new ();

  add_label (good, "k", 16., 0., darker);
  assert_check (good, &natural, "");
  add_label (faint, "k", 16., 0., lighter);
  g_autofree char *found = check (faint, &natural);
  g_assert_true (
      g_str_has_prefix (found, "in grey the text “k” hardly stands out: its contrast is 4.5 to 1"));
  /* black on blue: 2.44 */
  add_box (box, "o.1", 0., blue);
  add_label (box, "k", 16., 10., black);
  g_autofree char *on_blue = check (box, &natural);
  g_assert_true (
      g_str_has_prefix (on_blue, "in grey the text “k” hardly stands out: its contrast is 2.4 to 1"));
}

/* White on the violet of a banner: 5.8. What is painted after the text is not under it. */
static void
test_contrast_on_notes (void)
{
  const HeddleColor violet = { 0x8C / 255., 0x14 / 255., 0xFC / 255., 1. }, white = { 1., 1., 1., 1. };

  for (int after = 0; after < 2; after++)
    {
      g_autoptr (HeddleScene) scene = heddle_scene_new ();
      if (after)
        add_label (scene, "k", 16., 10., white);
      HeddleItem *banner = heddle_scene_add (scene, HEDDLE_ITEM_PATH, HEDDLE_PART_ANNOTATION, "n.1");
      heddle_item_rectangle (banner, -20., -40., 100., 80., 0.);
      banner->fill = TRUE;
      banner->fill_color = violet;
      if (!after)
        add_label (scene, "k", 16., 10., white);
      g_autofree char *found = check (scene, &natural);
      g_assert_cmpint (
          g_str_has_prefix (found, "in grey the text “k” hardly stands out: its contrast is 1.0"), ==, after);
    }
}

/* A violet and an olive of one lightness: L* of #C5BEDF is 78.5, of #C0C49C 77.9; of #FFFFBF it is 98.6. */
static void
test_fills (void)
{
  const HeddleColor violet = { 0xC5 / 255., 0xBE / 255., 0xDF / 255., 1. },
                    olive = { 0xC0 / 255., 0xC4 / 255., 0x9C / 255., 1. }, yellow = { 1., 1., 0.75, 1. };
  g_autoptr (HeddleScene) alike = heddle_scene_new (), apart = heddle_scene_new (), far = heddle_scene_new ();

  add_box (alike, "o.1", 0., violet);
  add_box (alike, "o.2", 44., olive);
  assert_check (alike, &natural,
      "in grey the fills of the neighbours “o.1” and “o.2” look the same; give one of them a lighter or "
      "darker fill\n");
  add_box (apart, "o.1", 0., violet);
  add_box (apart, "o.2", 44., yellow);
  add_box (apart, "o.3", 88., violet);
  add_box (apart, "o.4", 132., violet); /* the very same fill means the same */
  assert_check (apart, &natural, "");
  add_box (far, "o.1", 0., violet);
  add_box (far, "o.2", 60., olive);
  assert_check (far, &natural, "");
}

/* Two lines of boxes with room between them: a page ends there, and not within the second. */
static void
test_pages (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  g_autoptr (GArray) cuts = NULL;

  for (guint i = 0; i < 2; i++)
    {
      HeddleItem *item = heddle_scene_add (scene, HEDDLE_ITEM_PATH, HEDDLE_PART_GLYPH, NULL);
      const HeddleSegment box[]
          = { { HEDDLE_SEGMENT_MOVE, 0, 100. * i }, { HEDDLE_SEGMENT_LINE, 50, 100. * i },
              { HEDDLE_SEGMENT_LINE, 50, 100. * i + 70 }, { HEDDLE_SEGMENT_CLOSE } };

      heddle_item_append (item, box, G_N_ELEMENTS (box));
      item->fill = TRUE;
    }
  cuts = heddle_scene_paginate (scene, 0, 170, 130);
  g_assert_cmpuint (cuts->len, ==, 3);
  g_assert_cmpfloat (g_array_index (cuts, double, 0), ==, 0);
  g_assert_cmpfloat (g_array_index (cuts, double, 1), >=, 74); /* 4 px off what is on both pages */
  g_assert_cmpfloat (g_array_index (cuts, double, 1), <=, 96);
  g_assert_cmpfloat (g_array_index (cuts, double, 2), ==, 170);
  g_array_unref (g_steal_pointer (&cuts));
  cuts = heddle_scene_paginate (scene, 0, 170, 170);
  g_assert_cmpuint (cuts->len, ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/print-check/pages", test_pages);
  g_test_add_func ("/print-check/hidden", test_hidden);
  g_test_add_func ("/print-check/partly-hidden", test_partly_hidden);
  g_test_add_func ("/print-check/overprinted", test_overprinted);
  g_test_add_func ("/print-check/crossed", test_crossed);
  g_test_add_func ("/print-check/commands", test_commands);
  g_test_add_func ("/print-check/text", test_text);
  g_test_add_func ("/print-check/scripts", test_scripts);
  g_test_add_func ("/print-check/strokes", test_strokes);
  g_test_add_func ("/print-check/width", test_width);
  g_test_add_func ("/print-check/contrast", test_contrast);
  g_test_add_func ("/print-check/contrast-on-notes", test_contrast_on_notes);
  g_test_add_func ("/print-check/fills", test_fills);
  return g_test_run ();
}
