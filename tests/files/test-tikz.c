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
#include "files/ncd/write.h"
#include "files/picture/tikz-formula.h"
#include "files/picture/tikz-read.h"
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

/* Labels, whose runs are one formula each. */
static guint
count_labels (const HeddleScene *scene)
{
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    n += heddle_scene_get_item (scene, i)->formula != NULL;
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
static const char *const commands[] = { "begin", "end", "definecolor", "ifcsname", "endcsname", "else", "fi",
  "errmessage", "string", "usepackage", "heddleunit", "heddlewire", "heddlebox", "heddlecup", "heddlesoftmax",
  "heddlenorm", "heddledot", "heddlearrow", "heddleground", "heddleseparator", "heddleglyph", "heddletag",
  "heddlecolumn", "heddlenote", "heddleshadow", "heddlelabel", "heddleword", "heddleformula",
  "heddlesansbold", "mathit", "mathrm", "mathbf", "mathsf", "mathtt", "text", "textbackslash",
  "textasciicircum", "textasciitilde", "alpha", "ast", "sum", "ell", "prime", "leq", NULL };
static const char command_signs[] = "#$%&_{} `\"':";

/* Reads the text as TeX does: commands, comments, and braces that are not letters. */
static void
assert_harmless (const char *tex)
{
  int depth = 0;

  g_assert_null (strstr (tex, "^^"));
  tex = strchr (tex, '\n'); /* the comment */
  g_assert_nonnull (tex);
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
  g_assert_cmpuint (count (tex, "\\begin{heddlepicture}[unit=0.5bp]{"), ==, 1);
  g_assert_true (g_str_has_suffix (tex, "\\end{heddlepicture}%\n"));
  g_assert_cmpuint (
      count (tex, "\\heddlelabel") + count (tex, "\\heddleword") + count (tex, "\\heddleformula"), ==,
      count_labels (scene));
  g_assert_cmpuint (count (tex, "\\heddleshadow"), ==, count_items (scene, HEDDLE_ITEM_SHADOW));
  g_assert_cmpuint (count (tex, "\\heddle"), ==,
      count_labels (scene) + count_items (scene, HEDDLE_ITEM_PATH) + count_items (scene, HEDDLE_ITEM_SHADOW)
          + count (tex, "\\heddleunit"));
  /* one formula, and things by their names */
  g_assert_cmpuint (count (tex, "{$\\ast k^{-1/2}$}\n"), ==, 1);
  g_assert_cmpuint (count (tex, "\\heddlebox[fill=heddleFDF9C0]{o-S}{("), ==, 1);
  g_assert_cmpuint (count (tex, "\\heddlesoftmax["), ==, 1);
  g_assert_cmpuint (count (tex, "\\heddlecup{v-Q-a-k-cup}{("), ==, 1);
  g_assert_cmpuint (count (tex, "\\heddlewire{v-Q-a-y}{("), ==, 1);
  g_assert_cmpuint (count (tex, "{v-Q-label}{("), ==, 1);
  g_assert_cmpuint (count (tex, "{$Q$}\n"), ==, 1);
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
  g_assert_nonnull (strstr (tex, "[unit=1bp]{206}{"));
  g_assert_nonnull (strstr (tex, "\\heddlewire[draw opacity=0,lw=2,line cap=butt]{v-1}{(3,"));
  g_assert_nonnull (strstr (tex, "}{8}{16}{$x$}"));
  g_assert_nonnull (strstr (tex, "{(97,"));
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
  g_assert_nonnull (strstr (tex, "\\heddleglyph[fill=heddleFF8000,fill opacity=0.25,draw=heddle0000FF,lw=4,"
                                 "line cap=round,line join=round,dash pattern=on 6\\heddleunit off "
                                 "2\\heddleunit on 4\\heddleunit off 6\\heddleunit on 2\\heddleunit off "
                                 "4\\heddleunit,dash phase=1\\heddleunit]{"));
  g_assert_nonnull (strstr (tex, "]{(4,4)..controls (4,4) and (104,4)..(104,54)--cycle(10,10)--(20,10)}\n"));
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
  const char *node = strstr (tex, "{16}{");
  if (node == NULL)
    {
      g_assert_nonnull (strstr (tex, "..controls "));
      return NULL;
    }
  node += strlen ("{16}{");
  return g_strndup (node, (gsize) (strstr (node, "}\n") - node));
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
  g_assert_cmpuint (count (tex, "\\heddlelabel") + count (tex, "\\heddleword"), ==, 0);
  g_assert_cmpuint (count (tex, "\\heddle") - count (tex, "\\heddleunit"), ==,
      count_items (scene, HEDDLE_ITEM_PATH) + count_items (scene, HEDDLE_ITEM_TEXT)
          + count_items (scene, HEDDLE_ITEM_SHADOW));
}

static void
test_limits (void)
{
  g_autoptr (HeddleScene) empty = heddle_scene_new (), wide = heddle_scene_new ();
  HeddleItem *item = heddle_scene_add (wide, HEDDLE_ITEM_PATH, HEDDLE_PART_WIRE, "v.1");
  g_autoptr (GError) error = NULL;
  g_autofree char *tex = write_tikz (empty, NULL);

  g_assert_nonnull (strstr (tex, "{heddlepicture}[unit=0.5bp]{4}{4}\n"));
  item->stroke = TRUE;
  heddle_item_move_to (item, 0., 0.);
  heddle_item_line_to (item, 16001., 0.);
  g_assert_null (heddle_tikz_write (wide, NULL, &error));
  g_assert_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_LIMIT);
}

/* --- whole formulas ------------------------------------------------------------------------------------- */

static void
test_formulas (void)
{
  static const struct
  {
    const char *source, *tex; /* NULL: drawn as outlines */
    HeddleFont font;
  } rows[] = {
    { "k^{-1/2}", "$k^{-1/2}$", HEDDLE_FONT_MATH },
    { "\\bar{x}_{5-\\lambda}", "$\\bar{x}_{5-\\lambda }$", HEDDLE_FONT_MATH },
    { "d_ff'", "$d_{\\mathit{ff}}{}^{\\prime}$", HEDDLE_FONT_MATH },
    { "g_q = 128", "$g_{q}=128$", HEDDLE_FONT_MATH },
    { "y=4096", "$y{=}4096$", HEDDLE_FONT_MATH },
    { "x_a_b", "$x_{a}{}_{b}$", HEDDLE_FONT_MATH }, /* TeX stops at a second subscript */
    { "tau_q", "$\\tau _{q}$", HEDDLE_FONT_MATH },
    { "_a", "${}_{a}$", HEDDLE_FONT_MATH },
    { "\\overline{ab}", "$\\overline{\\mathit{ab}}$", HEDDLE_FONT_MATH },
    { "\\frac{a}{\\sqrt{d_k}}", "$\\frac{a}{\\sqrt{d_{k}}}$", HEDDLE_FONT_MATH },
    { "\\left(x\\right.", "$\\left(x\\right.$", HEDDLE_FONT_MATH },
    { "\\left(x", "$\\left(x\\right.$", HEDDLE_FONT_MATH },
    { "a \\le b", "$a\\leq b$", HEDDLE_FONT_MATH },
    { "\\mathbf{L}^{Q}", "$\\mathbf{L}^{Q}$", HEDDLE_FONT_MATH },
    { "\\mathbb{R}^4", "$\\mathbb{R}^{4}$", HEDDLE_FONT_MATH },
    { "\\begin{cases} 1 & i=0 \\\\ 2 & j \\end{cases}",
        "$\\begin{cases}1\\:&i{=}0\\:\\\\ 2\\:&j\\:\\end{cases}$", HEDDLE_FONT_MATH },
    { "W_Q", "$\\mathsf{W}_{\\mathsf{Q}}$", HEDDLE_FONT_SANS },
    { "load to SMEM", "load\\ to\\ SMEM", HEDDLE_FONT_SANS },
    { "}}x{{", "$x{{}}$", HEDDLE_FONT_MATH },
    { "\\input{secret}", "$\\mathrm{input}{\\mathit{secret}}$", HEDDLE_FONT_MATH },
    { "{{{{{{{{x", NULL, HEDDLE_FONT_MATH },
    { "x\346\263\250", NULL, HEDDLE_FONT_MATH },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GString) tex = g_string_new (NULL);
      const gboolean set = heddle_tikz_append_formula (tex, rows[i].source, rows[i].font);

      g_assert_cmpstr (set ? tex->str : NULL, ==, rows[i].tex);
      g_assert_true (set || tex->len == 0);
    }
}

/* --- the source ----------------------------------------------------------------------------------------- */

static HeddleSnapshot *
read_again (const char *tex, GPtrArray *problems)
{
  g_assert_true (heddle_tikz_is (tex, strlen (tex)));
  return heddle_tikz_read (tex, strlen (tex), "figure.tex", problems);
}

static void
assert_same_diagram (const HeddleSnapshot *again)
{
  g_autofree char *found = NULL, *wanted = NULL;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (HeddleSnapshot) snapshot = heddle_equations_read (equations, -1, "tikz", problems);

  g_assert_nonnull (again);
  found = heddle_ncd_write (again, NULL, NULL);
  wanted = heddle_ncd_write (snapshot, NULL, NULL);
  g_assert_cmpstr (found, ==, wanted);
}

/* Opens again as what it was made of, with the line ends of other systems too; one that was changed, or has no source, is told. */
static void
test_source (void)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (HeddleSnapshot) snapshot = heddle_equations_read (equations, -1, "tikz", problems);
  g_autoptr (HeddleScene) scene = render ();

  for (int standalone = 0; standalone < 2; standalone++)
    {
      const HeddlePictureOptions options = { .source = snapshot, .standalone = standalone };
      g_autofree char *tex = write_tikz (scene, &options);
      g_autoptr (HeddleSnapshot) again = read_again (tex, problems);

      assert_same_diagram (again);
      g_assert_cmpuint (problems->len, ==, 0);
      g_auto (GStrv) lines = g_strsplit (tex, "\n", -1);
      g_autofree char *other = g_strjoinv ("\r\n", lines);
      g_autoptr (HeddleSnapshot) from_other = read_again (other, problems);
      assert_same_diagram (from_other);
      g_ptr_array_set_size (problems, 0);
      *strstr (tex, "{$Q$}") = ' ';
      g_autoptr (HeddleSnapshot) changed = read_again (tex, problems);
      assert_same_diagram (changed);
      g_assert_cmpuint (problems->len, ==, 1);
      g_assert_nonnull (strstr (((HeddleProblem *) problems->pdata[0])->message, "was changed"));
      g_ptr_array_set_size (problems, 0);
    }
  g_autofree char *bare = write_tikz (scene, NULL);
  g_assert_null (read_again (bare, problems));
  g_assert_nonnull (strstr (((HeddleProblem *) problems->pdata[0])->message, "holds no diagram"));
  g_assert_false (heddle_tikz_is ("% equations", 11));
}

/* A document by itself has all of heddle.sty in it that its figure uses. */
static void
test_standalone (void)
{
  g_autoptr (HeddleScene) scene = render ();
  const HeddlePictureOptions options = { .standalone = TRUE };
  g_autofree char *tex = write_tikz (scene, &options);

  g_assert_true (g_str_has_prefix (tex, "\\documentclass{article}\n"));
  g_assert_true (g_str_has_suffix (tex, "\\end{document}\n"));
  g_assert_cmpuint (count (tex, "\\newcommand\\heddlewire["), ==, 1);
  g_assert_cmpuint (count (tex, "\\newenvironment{heddlepicture}"), ==, 1);
  g_assert_null (strstr (tex, "\\ProvidesPackage"));
  g_assert_null (strstr (tex, "\\endinput"));
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
  g_test_add_func ("/tikz/formulas", test_formulas);
  g_test_add_func ("/tikz/source", test_source);
  g_test_add_func ("/tikz/standalone", test_standalone);
  return g_test_run ();
}
