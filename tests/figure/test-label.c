/* SPDX-License-Identifier: MIT */
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "figure/scene/scene.h"
#include "figure/typeset/label.h"
#include "figure/typeset/math-expr.h"

#include <math.h>
#include <string.h>

static const HeddleColor black = { 0., 0., 0., 1. };

static HeddleScene *
typeset (const char *source, double *width)
{
  HeddleScene *scene = heddle_scene_new ();
  const double w = heddle_math_layout (
      scene, HEDDLE_PART_AXIS_LABEL, "a.x", source, HEDDLE_FONT_MATH, 16., black, 10., 100., NULL, NULL);

  if (width != NULL)
    *width = w;
  return scene;
}

static double
width_of (const char *source)
{
  return heddle_math_layout (
      NULL, HEDDLE_PART_AXIS_LABEL, NULL, source, HEDDLE_FONT_MATH, 16., black, 0., 0., NULL, NULL);
}

/* All text of a scene, in order. */
static char *
text_of (const HeddleScene *scene)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    if (heddle_scene_get_item (scene, i)->kind == HEDDLE_ITEM_TEXT)
      g_string_append (text, heddle_scene_get_item (scene, i)->text);
  return g_string_free (text, FALSE);
}

static void
assert_text (const char *source, const char *expected)
{
  g_autoptr (HeddleScene) scene = typeset (source, NULL);
  g_autofree char *text = text_of (scene);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_run (void)
{
  double width;
  g_autoptr (HeddleScene) scene = typeset ("x", &width);
  const HeddleItem *item = heddle_scene_get_item (scene, 0);

  g_assert_cmpuint (heddle_scene_get_n_items (scene), ==, 1);
  g_assert_cmpstr (item->text, ==, "x");
  g_assert_cmpint (item->font, ==, HEDDLE_FONT_MATH);
  g_assert_cmpstr (item->object, ==, "a.x");
  g_assert_cmpfloat (item->x, ==, 10.);
  g_assert_cmpfloat (item->y, ==, 100.);
  g_assert_cmpfloat (width, >, 4.);
  g_assert_cmpfloat (width, <, 16.);
  g_assert_cmpfloat_with_epsilon (width, width_of ("x"), 1e-9);
  g_assert_cmpfloat_with_epsilon (width_of ("xx"), 2. * width, 0.5);
}

/* Letters slanted, digits and signs upright. */
static void
test_fonts (void)
{
  g_autoptr (HeddleScene) scene = typeset ("2x", NULL);
  g_autoptr (HeddleScene) bold = typeset ("\\mathbf{L}", NULL);

  g_assert_cmpint (heddle_scene_get_item (scene, 0)->font, ==, HEDDLE_FONT_ROMAN);
  g_assert_cmpint (heddle_scene_get_item (scene, 1)->font, ==, HEDDLE_FONT_MATH);
  g_assert_cmpint (heddle_scene_get_item (bold, 0)->font, ==, HEDDLE_FONT_BOLD);
}

static void
test_scripts (void)
{
  g_autoptr (HeddleScene) scene = typeset ("k^{-1/2}", NULL);
  g_autoptr (HeddleScene) both = typeset ("L_{+}^{Q}", NULL);
  const HeddleItem *base = heddle_scene_get_item (scene, 0), *above = heddle_scene_get_item (scene, 1);

  g_assert_cmpstr (above->text, ==, "\342\210\2221/2");
  g_assert_cmpfloat (above->y, <, base->y - 4.);
  g_assert_cmpfloat (above->x, >=, base->x + base->width);
  g_assert_cmpfloat (above->size, >=, 10.);
  g_assert_cmpfloat (above->size, <, 11.);
  /* one above the other */
  g_assert_cmpuint (heddle_scene_get_n_items (both), ==, 3);
  g_assert_cmpfloat_with_epsilon (heddle_scene_get_item (both, 1)->x, heddle_scene_get_item (both, 2)->x, 1.);
  g_assert_cmpfloat (heddle_scene_get_item (both, 1)->y, >, heddle_scene_get_item (both, 2)->y);
}

/* A subscript without braces takes letters and digits as long as there are any, as names do. */
static void
test_name_subscript (void)
{
  g_autoptr (HeddleScene) scene = typeset ("d_ff'", NULL);

  g_assert_cmpuint (heddle_scene_get_n_items (scene), ==, 3);
  g_assert_cmpstr (heddle_scene_get_item (scene, 1)->text, ==, "ff");
  g_assert_cmpstr (heddle_scene_get_item (scene, 2)->text, ==, "\342\200\262");
}

static void
test_bar (void)
{
  double x, y, width, height;
  g_autoptr (HeddleScene) scene = typeset ("\\bar x", NULL);
  g_autoptr (HeddleScene) tall = typeset ("\\bar{k}", NULL);

  g_assert_cmpuint (heddle_scene_get_n_items (scene), ==, 2);
  const HeddleItem *letter = heddle_scene_get_item (scene, 0), *rule = heddle_scene_get_item (scene, 1);
  g_assert_cmpint (rule->kind, ==, HEDDLE_ITEM_PATH);
  g_assert_cmpfloat (rule->line_width, >=, 1.);
  heddle_item_get_bounds (rule, &x, &y, &width, &height);
  g_assert_cmpfloat (y + height, <, letter->y - 6.);
  g_assert_cmpfloat_with_epsilon (width, letter->width, 1.5);
  const double low = y;
  heddle_item_get_bounds (heddle_scene_get_item (tall, 1), &x, &y, &width, &height);
  g_assert_cmpfloat (y, <, low); /* over a letter with an ascender */
}

static void
test_symbols (void)
{
  assert_text ("\\alpha", "\360\235\233\274");
  assert_text ("\\Gamma_{\\le}", "\316\223\342\211\244");
  assert_text ("a \\cdot b", "a\302\267b");
  g_assert_cmpfloat (width_of ("\\alpha"), >, 3.);
}

/* A name that spells a Greek letter is one; within a word, and in text, it is not. */
static void
test_greek_names (void)
{
  assert_text ("tau", "\360\235\234\217");
  assert_text ("x_tau", "x\360\235\234\217");
  assert_text ("Gamma", "\316\223");
  assert_text ("beta2", "\360\235\233\2752");
  assert_text ("alphabeta", "alphabeta");
  assert_text ("taus", "taus");
  assert_text ("\\mathrm{tau}", "tau");
}

static void
test_extents (void)
{
  double ascent, descent, plain_ascent, plain_descent;

  heddle_math_layout (
      NULL, 0, NULL, "x", HEDDLE_FONT_MATH, 16., black, 0., 0., &plain_ascent, &plain_descent);
  heddle_math_layout (NULL, 0, NULL, "y_{p}^{k}", HEDDLE_FONT_MATH, 16., black, 0., 0., &ascent, &descent);
  g_assert_cmpfloat (plain_descent, <, 1.);
  g_assert_cmpfloat (ascent, >, plain_ascent + 3.);
  g_assert_cmpfloat (descent, >, 3.5);
}

/* --- several lines --------------------------------------------------------------------------------------- */

/* The item of a text; NULL: a path. */
static const HeddleItem *
find_text (const HeddleScene *scene, const char *text)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      if (g_strcmp0 (item->text, text) == 0)
        return item;
    }
  g_error ("no “%s”", text);
}

static guint
count_paths (const HeddleScene *scene)
{
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    n += heddle_scene_get_item (scene, i)->kind == HEDDLE_ITEM_PATH;
  return n;
}

static void
test_constructs (void)
{
  static const struct
  {
    const char *source, *text;
    guint paths;
  } rows[] = {
    { "\\frac{a}{b}", "ab", 1 },
    { "\\sqrt{d_k}", "dk", 1 },
    { "\\frac{QK^T}{\\sqrt{d_k}}", "QKTdk", 2 },
    { "\\left(\\frac{1}{2}\\right)", "12", 3 },
    { "\\left[x\\right.", "x", 1 },
    { "\\mathbb{R}^{4}", "\342\204\2354", 0 },
    { "\\mathbb E", "\360\235\224\274", 0 },
    { "\\mathcal{L}", "\342\204\222", 0 },
    { "\\hat Y", "Y", 1 },
    { "\\tilde{x}", "x", 1 },
    { "\\underline{ab}", "ab", 1 },
    { "\\overset{def}{=}", "def=", 0 },
    { "\\sum_{i=0}^{n}x", "\342\210\221i=0nx", 0 },
    { "\\begin{cases} 1 & i=0 \\\\ 2 & j \\end{cases}", "1i=02j", 1 },
    { "\\bar{\\mathbf{x}}/s", "x/s", 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      double width;
      g_autoptr (HeddleScene) scene = typeset (rows[i].source, &width);
      assert_text (rows[i].source, rows[i].text);
      g_assert_cmpuint (count_paths (scene), ==, rows[i].paths);
      g_assert_cmpfloat (fabs (width - width_of (rows[i].source)), <, 1e-9); /* measured as it is drawn */
    }
}

static void
test_fraction (void)
{
  double width, ascent, descent;
  g_autoptr (HeddleScene) scene = typeset ("\\frac{a}{bcd}", &width);
  const HeddleItem *top = find_text (scene, "a"), *bottom = find_text (scene, "bcd");

  g_assert_cmpfloat (top->y, <, bottom->y - 0.5 * bottom->size);
  g_assert_cmpfloat (fabs (top->x + top->width / 2. - bottom->x - bottom->width / 2.), <, 0.05);
  heddle_math_layout (
      NULL, 0, NULL, "\\frac{a}{bcd}", HEDDLE_FONT_MATH, 16., black, 0., 0., &ascent, &descent);
  g_assert_cmpfloat (ascent, >, 11.);
  g_assert_cmpfloat (descent, >, 4.);
}

/* Spaces in the source around a sign are seen on both sides. */
static void
test_relations (void)
{
  g_assert_cmpfloat (width_of ("\\alpha \\to \\beta"), >, width_of ("\\alpha{\\to}\\beta") + 5.);
}

/* --- what a stranger may send ------------------------------------------------------------------------- */

/* A command that is not on the list is only its own name. */
static void
test_unknown_commands (void)
{
  assert_text ("\\input{secret}", "inputsecret");
  assert_text ("\\write18{rm}", "write18rm");
  assert_text ("\\", "");
  assert_text ("}}x{{", "x");
}

static void
test_deep (void)
{
  g_autoptr (GString) source = g_string_new (NULL);
  double width;

  for (guint i = 0; i < 100000; i++)
    g_string_append (source, "{x^");
  g_autoptr (HeddleScene) scene = typeset (source->str, &width);
  g_assert_cmpuint (heddle_scene_get_n_items (scene), <, 400);
  g_assert_cmpfloat (width, <, 8000.);
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    g_assert_cmpfloat (heddle_scene_get_item (scene, i)->size, >=, 10.);
}

static void
test_huge (void)
{
  g_autofree char *source = g_strnfill (10 * 1000 * 1000, 'x');
  g_autoptr (HeddleScene) scene = typeset (source, NULL);
  g_autofree char *text = text_of (scene);

  g_assert_cmpint (g_utf8_strlen (text, -1), ==, 401);
  g_assert_true (g_str_has_suffix (text, "\342\200\246"));
}

static void
test_not_text (void)
{
  assert_text ("a\377b", "a\357\277\275b");
  assert_text ("a\001\nb", "a\357\277\275\357\277\275b");
  assert_text ("<b>&amp;</b>", "<b>&amp;</b>"); /* no markup */
  assert_text ("", "");
}

/* --- expressions ---------------------------------------------------------------------------------------- */

static void
assert_expr (const char *expr, const char *expected)
{
  g_autoptr (HeddleExpr) parsed = heddle_expr_literal (expr);
  g_autofree char *source = heddle_math_from_expr (parsed, NULL);

  g_assert_cmpstr (source, ==, expected);
}

static void
test_expressions (void)
{
  assert_expr ("k^-0.5", "k^{-1/2}");
  assert_expr ("sqrt(a+b)", "(a + b)^{1/2}");
  assert_expr ("2*x+w", "2\\,x + w");
  assert_expr ("a-(b-c)", "a - (b - c)");
  assert_expr ("exp($0)", "\\mathrm{exp}({\\cdot})");
  assert_expr ("a <= b", "a {\\le} b");
  assert_expr ("-inf", "-\\infty");
  /* powers of ten, as they are written by hand */
  assert_expr ("x*1e7", "x\\,10^{7}");
  assert_expr ("2.5e-7", "2.5{\\cdot}10^{-7}");
  assert_expr ("1e6^-x", "(10^{6})^{-x}");
  assert_expr ("10000^-x", "10000^{-x}");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/label/run", test_run);
  g_test_add_func ("/label/fonts", test_fonts);
  g_test_add_func ("/label/scripts", test_scripts);
  g_test_add_func ("/label/name-subscript", test_name_subscript);
  g_test_add_func ("/label/bar", test_bar);
  g_test_add_func ("/label/symbols", test_symbols);
  g_test_add_func ("/label/greek-names", test_greek_names);
  g_test_add_func ("/label/extents", test_extents);
  g_test_add_func ("/label/constructs", test_constructs);
  g_test_add_func ("/label/fraction", test_fraction);
  g_test_add_func ("/label/relations", test_relations);
  g_test_add_func ("/label/unknown-commands", test_unknown_commands);
  g_test_add_func ("/label/deep", test_deep);
  g_test_add_func ("/label/huge", test_huge);
  g_test_add_func ("/label/not-text", test_not_text);
  g_test_add_func ("/label/expressions", test_expressions);
  return g_test_run ();
}
