/* SPDX-License-Identifier: MIT */

/* A careful author looks at this before a figure is submitted: can the smallest letters be read, do thin
 * lines print, does it hold in grey. */

#include "config.h"

#include "diagram/base/problem.h"
#include "figure/page/overprint.h"
#include "figure/page/print-check.h"
#include "figure/scene/color-vision.h"
#include "figure/typeset/label.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define SMALLEST_TEXT 6. /* pt */
#define SMALLEST_SCRIPT 5.
#define THINNEST_STROKE 0.5
/* Rounded as files are: what is exactly at a limit passes. */
/* Of the Web Content Accessibility Guidelines 2.1, 1.4.3: the luminance of text against its ground. */
#define LEAST_GROUND 10. /* px */
#define LEAST_CONTRAST 4.5
/* Units of lightness L* (0 … 100) that neighbours in grey are told apart by, and how near a neighbour is, px. */
#define LEAST_LIGHTNESS 2.
#define NEIGHBOURHOOD 12.
/* ΔE*ab that is just noticed (Mahy, Van Eycken, Oosterlinck, Color Research and Application 19, 1994); lines need more. */
#define LEAST_DIFFERENCE 2.3
#define LEAST_LINE_DIFFERENCE 10.
#define MOST_LINES 32

typedef struct
{
  double x, y, width, height;
  HeddleColor color;
  const char *object;
  HeddlePart part;
  guint number; /* of the item: what has a lower one lies below */
} Ground;

/* --- grey -------------------------------------------------------------------------------------------- */

/* Returns the relative luminance of sRGB, 0 … 1. */
static double
luminance (const HeddleColor *color)
{
  return 0.2126 * heddle_color_linear (color->r) + 0.7152 * heddle_color_linear (color->g)
         + 0.0722 * heddle_color_linear (color->b);
}

/* CIE L*. */
static double
lightness (const HeddleColor *color)
{
  const double y = luminance (color);

  return y > 216. / 24389. ? 116. * cbrt (y) - 16. : y * 24389. / 27.;
}

static double
contrast (const HeddleColor *a, const HeddleColor *b)
{
  const double light = luminance (a), other = luminance (b);

  return (MAX (light, other) + 0.05) / (MIN (light, other) + 0.05);
}

static HeddleColor
blend (const HeddleColor *over, const HeddleColor *under)
{
  const double a = CLAMP (over->a, 0., 1.);

  return (HeddleColor){ over->r * a + under->r * (1. - a), over->g * a + under->g * (1. - a),
    over->b * a + under->b * (1. - a), 1. };
}

static gboolean
same_color (const HeddleColor *a, const HeddleColor *b)
{
  return fabs (a->r - b->r) < 1e-3 && fabs (a->g - b->g) < 1e-3 && fabs (a->b - b->b) < 1e-3;
}

/* A glyph or a note that is large enough for letters to be on it; dots and arrows' heads are not. */
static gboolean
is_ground (const HeddleItem *item, const Ground *ground)
{
  switch (item->part)
    {
    case HEDDLE_PART_BOX:
    case HEDDLE_PART_BACKGROUND:
    case HEDDLE_PART_TAG:
      return TRUE;
    case HEDDLE_PART_GLYPH:
    case HEDDLE_PART_ANNOTATION:
      return ground->height >= LEAST_GROUND && ground->width >= LEAST_GROUND;
    default:
      return FALSE;
    }
}

/* The areas that something is seen on, from the bottom, each in the colour that it has there. */
static GArray *
find_grounds (const HeddleScene *scene)
{
  GArray *grounds = g_array_new (FALSE, FALSE, sizeof (Ground));

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      Ground ground = { .color = item->fill_color, .object = item->object, .part = item->part, .number = i };

      if (item->kind != HEDDLE_ITEM_PATH || !item->fill)
        continue;
      heddle_item_get_bounds (item, &ground.x, &ground.y, &ground.width, &ground.height);
      if (is_ground (item, &ground))
        g_array_append_val (grounds, ground);
    }
  return grounds;
}

/* Returns the ground below item @number. */
static HeddleColor
ground_at (GArray *grounds, const HeddleColor *paper, double x, double y, guint number)
{
  HeddleColor color = *paper;

  for (guint i = 0; i < grounds->len && g_array_index (grounds, Ground, i).number < number; i++)
    {
      const Ground *ground = &g_array_index (grounds, Ground, i);

      if (x >= ground->x && x <= ground->x + ground->width && y >= ground->y
          && y <= ground->y + ground->height)
        color = blend (&ground->color, &color);
    }
  return color;
}

/* --- the checks -------------------------------------------------------------------------------------- */

static void
add (GPtrArray *problems, HeddleProblem *problem, char *remedy)
{
  problem->remedy = remedy;
  g_ptr_array_add (problems, problem);
}

static void
check_width (GPtrArray *problems, const HeddlePrint *print)
{
  if (!(print->most_pt > 0.) || print->width_pt <= print->most_pt + HEDDLE_PRINT_SLACK)
    return;
  add (problems,
      heddle_problem_new (HEDDLE_SEVERITY_WARNING, NULL,
          _ ("the figure is %.2f in wide, and there are %.2f in"), print->width_pt / 72.,
          print->most_pt / 72.),
      g_strdup_printf (_ ("make it %.2f in wide"), print->most_pt / 72.));
}

static void
check_height (GPtrArray *problems, const HeddlePrint *print)
{
  if (!(print->most_pt > 0.) || print->height_pt <= HEDDLE_PAGE_PT + HEDDLE_PRINT_SLACK)
    return;
  add (problems,
      heddle_problem_new (HEDDLE_SEVERITY_WARNING, NULL,
          _ ("the figure is %.2f in high, and there are %.2f in on a page"), print->height_pt / 72.,
          HEDDLE_PAGE_PT / 72.),
      g_strdup (_ ("show less of it, or make it several figures")));
}

/* Returns how wide the figure is to be for what is @now to be @wanted. */
static char *
widen (const HeddlePrint *print, double now, double wanted)
{
  const double inches = print->width_pt * wanted / now / 72.;

  return g_strdup_printf (
      _ ("make the figure %.2f in wide, wrap it into lines of %.2f in, or make the diagram smaller"),
      ceil (inches * 100. - HEDDLE_PRINT_SLACK) / 100., print->width_pt / 72.);
}

/* Checks the worst of all texts, scripts or others. */
static void
check_text_size (GPtrArray *problems, const HeddleScene *scene, const HeddlePrint *print, gboolean scripts)
{
  const double least = scripts ? SMALLEST_SCRIPT : SMALLEST_TEXT;
  const HeddleItem *worst = NULL;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);

      if (item->kind == HEDDLE_ITEM_TEXT && item->script == scripts
          && (worst == NULL || item->size < worst->size))
        worst = item;
    }
  if (worst == NULL || worst->size * print->scale >= least - HEDDLE_PRINT_SLACK)
    return;
  add (problems,
      heddle_problem_new (HEDDLE_SEVERITY_WARNING, worst->object,
          scripts
              ? _ ("the subscript or superscript “%s” is %.1f pt high, and less than %.0f pt is hard to read")
              : _ ("the text “%s” is %.1f pt high, and less than %.0f pt is hard to read"),
          worst->text, worst->size * print->scale, least),
      widen (print, worst->size * print->scale, least));
}

static void
check_strokes (GPtrArray *problems, const HeddleScene *scene, const HeddlePrint *print)
{
  const HeddleItem *worst = NULL;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);

      if (item->kind == HEDDLE_ITEM_PATH && item->stroke
          && (worst == NULL || item->line_width < worst->line_width))
        worst = item;
    }
  if (worst == NULL || worst->line_width * print->scale >= THINNEST_STROKE - HEDDLE_PRINT_SLACK)
    return;
  add (problems,
      heddle_problem_new (HEDDLE_SEVERITY_WARNING, worst->object,
          _ ("the thinnest line is %.2f pt wide, and less than %.1f pt may not print"),
          worst->line_width * print->scale, THINNEST_STROKE),
      widen (print, worst->line_width * print->scale, THINNEST_STROKE));
}

static void
check_contrast (GPtrArray *problems, const HeddleScene *scene, const HeddlePrint *print, GArray *grounds)
{
  const HeddleItem *worst = NULL;
  double least = LEAST_CONTRAST;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);

      if (item->kind != HEDDLE_ITEM_TEXT)
        continue;
      const HeddleColor ground
          = ground_at (grounds, &print->paper, item->x + item->width / 2., item->y - item->size / 4., i);
      const HeddleColor ink = blend (&item->fill_color, &ground);
      const double found = contrast (&ink, &ground);
      if (found >= least)
        continue;
      least = found;
      worst = item;
    }
  if (worst != NULL)
    add (problems,
        heddle_problem_new (HEDDLE_SEVERITY_WARNING, worst->object,
            _ ("in grey the text “%s” hardly stands out: its contrast is %.1f to 1, and less than %.1f is "
               "hard to "
               "read"),
            worst->text, least, LEAST_CONTRAST),
        g_strdup (_ ("choose a lighter fill behind it")));
}

/* Checks what a label asks for and does not get: its own name is printed in its place. */
static void
check_commands (GPtrArray *problems, const HeddleScene *scene)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      HeddleProblem *unknown
          = item->formula != NULL ? heddle_math_check (item->formula->source, item->formula->font) : NULL;

      if (unknown == NULL)
        continue;
      unknown->object_id = item->object;
      g_ptr_array_add (problems, unknown);
      return;
    }
}

static gboolean
are_neighbours (const Ground *a, const Ground *b)
{
  return a->x <= b->x + b->width + NEIGHBOURHOOD && b->x <= a->x + a->width + NEIGHBOURHOOD
         && a->y <= b->y + b->height + NEIGHBOURHOOD && b->y <= a->y + a->height + NEIGHBOURHOOD;
}

static gboolean
merge_in_grey (const Ground *a, const Ground *b)
{
  return a->part == HEDDLE_PART_BOX && b->part == HEDDLE_PART_BOX && !same_color (&a->color, &b->color)
         && fabs (lightness (&a->color) - lightness (&b->color)) < LEAST_LIGHTNESS && are_neighbours (a, b);
}

static const char *const visions[] = {
  [HEDDLE_VISION_PROTANOPIA] = N_ ("without red cones"),
  [HEDDLE_VISION_DEUTERANOPIA] = N_ ("without green cones"),
  [HEDDLE_VISION_TRITANOPIA] = N_ ("without blue cones"),
};

/* Colours that most people tell apart, and those who lack one kind of cones do not. */
static gboolean
merge_for (HeddleVision vision, const HeddleColor *a, const HeddleColor *b, double least)
{
  const HeddleColor first = heddle_color_simulate (*a, vision), second = heddle_color_simulate (*b, vision);

  return heddle_color_difference (a, b) >= least && heddle_color_difference (&first, &second) < least;
}

/* Boxes are sorted from the left. The first pair is told, for the first kind of vision to which it is one. */
static void
check_vision (GPtrArray *problems, GArray *grounds)
{
  for (HeddleVision vision = 0; vision < HEDDLE_N_VISIONS; vision++)
    for (guint i = 0; i < grounds->len; i++)
      for (guint j = i + 1; j < grounds->len; j++)
        {
          const Ground *a = &g_array_index (grounds, Ground, i), *b = &g_array_index (grounds, Ground, j);

          if (b->x > a->x + a->width + NEIGHBOURHOOD)
            break;
          if (a->part != HEDDLE_PART_BOX || b->part != HEDDLE_PART_BOX || !are_neighbours (a, b)
              || !merge_for (vision, &a->color, &b->color, LEAST_DIFFERENCE))
            continue;
          add (problems,
              heddle_problem_new (HEDDLE_SEVERITY_WARNING, b->object,
                  _ ("to eyes %s the fills of the neighbours “%s” and “%s” look the same"),
                  _ (visions[vision]), a->object != NULL ? a->object : "?",
                  b->object != NULL ? b->object : "?"),
              g_strdup (_ ("give one of them a lighter or darker fill")));
          return;
        }
}

static gboolean
same_line (const HeddleItem *a, const HeddleItem *b)
{
  gboolean same = a->line_width == b->line_width && a->n_dashes == b->n_dashes;

  for (guint i = 0; same && i < a->n_dashes; i++)
    same = a->dash[i] == b->dash[i];
  return same;
}

/* Finds one wire of every colour and kind of line. */
static GPtrArray *
find_lines (const HeddleScene *scene)
{
  GPtrArray *lines = g_ptr_array_new ();

  for (guint i = 0; i < heddle_scene_get_n_items (scene) && lines->len < MOST_LINES; i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      gboolean known = item->part != HEDDLE_PART_WIRE || !item->stroke;
      for (guint j = 0; !known && j < lines->len; j++)
        {
          const HeddleItem *line = lines->pdata[j];
          known = same_line (item, line) && same_color (&item->stroke_color, &line->stroke_color);
        }
      if (!known)
        g_ptr_array_add (lines, (gpointer) item);
    }
  return lines;
}

/* Checks wires that differ in their colour alone. */
static void
check_lines (GPtrArray *problems, const HeddleScene *scene)
{
  g_autoptr (GPtrArray) lines = find_lines (scene);

  for (HeddleVision vision = 0; vision < HEDDLE_N_VISIONS; vision++)
    for (guint i = 0; i < lines->len; i++)
      for (guint j = i + 1; j < lines->len; j++)
        {
          const HeddleItem *a = lines->pdata[i], *b = lines->pdata[j];

          if (!same_line (a, b)
              || !merge_for (vision, &a->stroke_color, &b->stroke_color, LEAST_LINE_DIFFERENCE))
            continue;
          add (problems,
              heddle_problem_new (HEDDLE_SEVERITY_WARNING, b->object,
                  _ ("to eyes %s the wires of “%s” and “%s” look the same"), _ (visions[vision]),
                  a->object != NULL ? a->object : "?", b->object != NULL ? b->object : "?"),
              g_strdup (_ ("give one of them a dash or another width")));
          return;
        }
}

static int
compare_left (gconstpointer a, gconstpointer b)
{
  const Ground *first = a, *second = b;

  return (first->x > second->x) - (first->x < second->x);
}

/* Boxes from the left, each against those that begin before its neighbourhood ends. The first pair that merges is told. */
static void
check_fills (GPtrArray *problems, GArray *grounds)
{
  g_array_sort (grounds, compare_left);
  for (guint i = 0; i < grounds->len; i++)
    for (guint j = i + 1; j < grounds->len; j++)
      {
        const Ground *a = &g_array_index (grounds, Ground, i), *b = &g_array_index (grounds, Ground, j);

        if (b->x > a->x + a->width + NEIGHBOURHOOD)
          break;
        if (!merge_in_grey (a, b))
          continue;
        add (problems,
            heddle_problem_new (HEDDLE_SEVERITY_WARNING, b->object,
                _ ("in grey the fills of the neighbours “%s” and “%s” look the same"),
                a->object != NULL ? a->object : "?", b->object != NULL ? b->object : "?"),
            g_strdup (_ ("give one of them a lighter or darker fill")));
        return;
      }
}

GPtrArray *
heddle_scene_check_print (const HeddleScene *scene, const HeddlePrint *print)
{
  g_return_val_if_fail (scene != NULL && print != NULL && print->scale > 0., NULL);

  GPtrArray *problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (GArray) grounds = find_grounds (scene);

  check_width (problems, print);
  check_height (problems, print);
  check_text_size (problems, scene, print, FALSE);
  check_text_size (problems, scene, print, TRUE);
  check_strokes (problems, scene, print);
  check_contrast (problems, scene, print, grounds);
  heddle_scene_check_overprint (scene, problems);
  check_commands (problems, scene);
  check_fills (problems, grounds);
  check_vision (problems, grounds);
  check_lines (problems, scene);
  return problems;
}
