/* SPDX-License-Identifier: MIT */
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/figure.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/typeset/label.h"
#include "files/base/files.h"
#include "files/equations/document.h"
#include "files/picture/tikz.h"

#include <string.h>

static const char equations[] = "Q : f16[y=4096, k=128]\n"
                                "K : f16[x=4096, k]\n"
                                "S[y,x] = Q[y,k] K[x,k] * k^-0.5\n"
                                "P[y,x] = softmax[x](S[y,x])\n";

static char *
write_tikz (const HeddleScene *scene, const HeddlePictureOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = heddle_tikz_write (scene, options, &error);

  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static HeddleScene *
render (void)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (HeddleSnapshot) snapshot = heddle_equations_read (equations, -1, "tikz", problems);

  g_assert_nonnull (snapshot);
  const HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };
  return heddle_figure_render (&figure);
}

static guint
count (const char *text, const char *part)
{
  guint n = 0;

  for (const char *at = text; (at = strstr (at, part)) != NULL; at += strlen (part))
    n++;
  return n;
}

static guint
count_items (const HeddleScene *scene, HeddleItemKind kind)
{
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    n += heddle_scene_get_item (scene, i)->kind == kind;
  return n;
}

/* All that a picture may say to TeX, whatever is in it: commands by letters, and by one sign. */
static const char *const commands[] = { "begin", "end", "definecolor", "useasboundingbox", "path", "node",
  "resizebox", "height", "normalfont", "rmfamily", "sffamily", "ttfamily", "itshape", "bfseries", "boldmath",
  "fontsize", "selectfont", "mathit", "textbackslash", "textasciicircum", "textasciitilde", "alpha", "ast",
  "sum", "ell", "prime", "leq", NULL };
static const char command_signs[] = "#$%&_{} `\"'";

/* Reads the text as TeX does: commands, comments, and braces that are not letters. */
static void
assert_harmless (const char *tex)
{
  int depth = 0;

  g_assert_null (strstr (tex, "^^"));
  tex = strchr (tex, '\n'); /* the comment */
  for (const char *at = tex; *at != '\0'; at++)
    {
      g_assert_true (*at == '\n' || (*at >= ' ' && *at < 0x7f));
      if (*at == '{' || *at == '}')
        depth += *at == '{' ? 1 : -1;
      g_assert_cmpint (depth, >=, 0);
      g_assert_false (*at == '%' && at[1] != '\n');
      if (*at != '\\')
        continue;
      const char *name = ++at;
      if (!g_ascii_isalpha (*name))
        {
          g_assert_nonnull (strchr (command_signs, *name));
          continue;
        }
      while (g_ascii_isalpha (at[1]))
        at++;
      g_autofree char *command = g_strndup (name, (gsize) (at + 1 - name));
      if (!g_strv_contains (commands, command))
        g_error ("\\%s", command);
    }
  g_assert_cmpint (depth, ==, 0);
}

static void
test_structure (void)
{
  g_autoptr (HeddleScene) scene = render ();
  g_autofree char *tex = write_tikz (scene, NULL), *again = write_tikz (scene, NULL);

  g_assert_cmpstr (tex, ==, again);
  assert_harmless (tex);
  g_assert_cmpuint (count (tex, "\\begin{tikzpicture}[x=0.5bp,y=-0.5bp,"), ==, 1);
  g_assert_true (g_str_has_suffix (tex, "\\end{tikzpicture}%\n"));
  g_assert_cmpuint (count (tex, "\\node["), ==, count_items (scene, HEDDLE_ITEM_TEXT));
  g_assert_cmpuint (count (tex, "\\path["), ==,
      count_items (scene, HEDDLE_ITEM_PATH) + 5 * count_items (scene, HEDDLE_ITEM_SHADOW));
  g_assert_cmpuint (count (tex, "{$Q$};"), ==, 1);
  g_assert_cmpuint (count (tex, "{SoftMax}"), ==, 1);
  g_assert_cmpuint (count (tex, "\\definecolor{heddleC5BEDF}{HTML}{C5BEDF}\n"), ==, 1);
}

/* A figure made as wide as a column has its strokes and letters scaled with it. */
static void
test_width (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  HeddleItem *line = heddle_scene_add (scene, HEDDLE_ITEM_PATH, HEDDLE_PART_WIRE, "v.1");
  const HeddlePictureOptions options = { .width_pt = 206. };

  line->stroke = TRUE;
  line->line_width = 2.;
  heddle_item_move_to (line, 10., 20.);
  heddle_item_line_to (line, 210., 20.);
  HeddleItem *text = heddle_scene_add (scene, HEDDLE_ITEM_TEXT, HEDDLE_PART_VALUE_LABEL, "v.1");
  text->text = g_strdup ("x");
  text->size = 16.;
  text->x = 100.;
  text->y = 16.;
  text->width = 8.;
  g_autofree char *tex = write_tikz (scene, &options);
  /* 202 px of line with its ends, and 2 px on either side: a px is a point */
  g_assert_nonnull (strstr (tex, "[x=1bp,y=-1bp,"));
  g_assert_nonnull (strstr (tex, "\\path[draw=heddle000000,draw opacity=0,line width=2bp] (3,"));
  g_assert_nonnull (strstr (tex, "\\node[heddle math=16.06,")); /* TeX's points are smaller */
  g_assert_nonnull (strstr (tex, "at (97,"));
}

static void
test_paths (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  HeddleItem *item = heddle_scene_add (scene, HEDDLE_ITEM_PATH, HEDDLE_PART_WIRE, "v.1");

  item->fill = item->stroke = item->round_caps = TRUE;
  item->fill_color = (HeddleColor){ 1., 0.5, 0., 0.25 };
  item->stroke_color = (HeddleColor){ 0., 0., 1., 1. };
  item->line_width = 4.;
  heddle_item_set_dash (item, (const double[]){ 6., 2., 4. }, 3);
  item->dash_offset = 1.;
  heddle_item_move_to (item, 4., 4.);
  heddle_item_curve_to (item, 4., 4., 104., 4., 104., 54.);
  heddle_item_close (item);
  heddle_item_move_to (item, 10., 10.);
  heddle_item_line_to (item, 20., 10.);
  g_autofree char *tex = write_tikz (scene, NULL);
  g_assert_nonnull (
      strstr (tex, "\\path[fill=heddleFF8000,fill opacity=0.25,draw=heddle0000FF,line width=2bp,"
                   "line cap=round,line join=round,dash pattern=on 3bp off 1bp on 2bp off 3bp "
                   "on 1bp off 2bp,dash phase=0.5bp] "));
  g_assert_nonnull (strstr (tex, "] (4,4)..controls (4,4) and (104,4)..(104,54)--cycle(10,10)--(20,10);\n"));
}

/* One run as a node's text; NULL: it was drawn as outlines. */
static char *
set_run (const char *text, HeddleFont font)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  HeddleItem *item = heddle_scene_add (scene, HEDDLE_ITEM_TEXT, HEDDLE_PART_VALUE_LABEL, "v.1");

  item->text = g_strdup (text);
  item->font = font;
  item->size = 16.;
  g_autofree char *tex = write_tikz (scene, NULL);
  assert_harmless (tex);
  const char *node = strstr (tex, "\\node["), *start = node ? strstr (node, " {") : NULL;
  if (start == NULL)
    {
      g_assert_nonnull (strstr (tex, "..controls "));
      return NULL;
    }
  return g_strndup (start + 2, (gsize) (strstr (start, "};\n") - start - 2));
}

static void
test_text (void)
{
  static const struct
  {
    const char *text, *tex;
    HeddleFont font;
  } cases[] = {
    { "q", "$q$", HEDDLE_FONT_MATH },
    { "ff", "$\\mathit{ff}$", HEDDLE_FONT_MATH },
    { "4096", "4096", HEDDLE_FONT_ROMAN },
    { "\360\235\233\274\342\210\222\342\210\221", "$\\alpha$$-$$\\sum$", HEDDLE_FONT_ROMAN },
    { "a\342\200\262\342\211\244", "a${}^{\\prime}$$\\leq$", HEDDLE_FONT_ROMAN },
    { "na\303\257ve", "na\\\"{i}ve", HEDDLE_FONT_SANS },
    { "a--b?`", "a-{}-{}b?\\`{}", HEDDLE_FONT_SANS },
    { "<a|b>", "$<$a$|$b$>$", HEDDLE_FONT_SANS },
    /* what would be a program */
    { "\\input{/etc/passwd}", "\\textbackslash{}input\\{/etc/passwd\\}", HEDDLE_FONT_ROMAN },
    { "\\write18{rm}", "\\textbackslash{}write18\\{rm\\}", HEDDLE_FONT_SANS },
    { "^^5cinput", "\\textasciicircum{}\\textasciicircum{}5cinput", HEDDLE_FONT_MATH },
    { "$}%#&_~\"", "\\$\\}\\%\\#\\&\\_\\textasciitilde{}''", HEDDLE_FONT_BOLD },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *tex = set_run (cases[i].text, cases[i].font);
      g_assert_cmpstr (tex, ==, cases[i].tex);
    }
  /* what not every TeX can set: letters without a place in its fonts, a newline */
  g_assert_null (set_run ("\346\263\250\346\204\217", HEDDLE_FONT_SANS));
  g_assert_null (set_run ("a\n\\b", HEDDLE_FONT_SANS));
}

/* Through the labels' own reader, at every length that a name may be cut at. */
static void
test_hostile_labels (void)
{
  static const char hostile[]
      = "\\input{/etc/passwd}^^5cinput$x$%\n\\def\\a{\\a}\\a}}{{\\end{tikzpicture}\001#1&~_^";
  const HeddleColor black = { 0., 0., 0., 1. };

  for (gsize start = 0; start < strlen (hostile); start++)
    for (int font = HEDDLE_FONT_MATH; font <= HEDDLE_FONT_SANS_BOLD; font++)
      {
        g_autoptr (HeddleScene) scene = heddle_scene_new ();

        heddle_math_layout (scene, HEDDLE_PART_AXIS_LABEL, "\\input{x}", hostile + start, font, 16., black,
            0., 0., NULL, NULL);
        g_autofree char *tex = write_tikz (scene, NULL);
        assert_harmless (tex);
      }
}

static void
test_outlines (void)
{
  g_autoptr (HeddleScene) scene = render ();
  const HeddlePictureOptions options = { .outlines = TRUE };
  g_autofree char *tex = write_tikz (scene, &options);

  assert_harmless (tex);
  g_assert_cmpuint (count (tex, "\\node["), ==, 0);
  g_assert_cmpuint (count (tex, "\\path["), ==,
      count_items (scene, HEDDLE_ITEM_PATH) + count_items (scene, HEDDLE_ITEM_TEXT)
          + 5 * count_items (scene, HEDDLE_ITEM_SHADOW));
}

static void
test_limits (void)
{
  g_autoptr (HeddleScene) empty = heddle_scene_new (), wide = heddle_scene_new ();
  HeddleItem *item = heddle_scene_add (wide, HEDDLE_ITEM_PATH, HEDDLE_PART_WIRE, "v.1");
  g_autoptr (GError) error = NULL;
  g_autofree char *tex = write_tikz (empty, NULL);

  g_assert_nonnull (strstr (tex, "\\useasboundingbox (0,0) rectangle (4,4);\n"));
  item->stroke = TRUE;
  heddle_item_move_to (item, 0., 0.);
  heddle_item_line_to (item, 16001., 0.);
  g_assert_null (heddle_tikz_write (wide, NULL, &error));
  g_assert_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_LIMIT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tikz/structure", test_structure);
  g_test_add_func ("/tikz/width", test_width);
  g_test_add_func ("/tikz/paths", test_paths);
  g_test_add_func ("/tikz/text", test_text);
  g_test_add_func ("/tikz/hostile-labels", test_hostile_labels);
  g_test_add_func ("/tikz/outlines", test_outlines);
  g_test_add_func ("/tikz/limits", test_limits);
  return g_test_run ();
}
