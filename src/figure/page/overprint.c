/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/base/problem.h"
#include "figure/page/overprint.h"
#include "figure/scene/measure.h"
#include "figure/scene/path.h"

#include <glib/gi18n-lib.h>

#define LETTERS_SHARE 1. /* px by which the ink of two labels may meet: letters lean */
#define WIRES_SHARE 1.5 /* px of a letter's edge that a wire may touch */
#define COVERED 2. /* px of a text that are noticed when they are missing */
#define OPAQUE 0.9
#define PLACES 4 /* in each direction, between which a shape is asked whether it covers a text */

typedef struct
{
  double x1, y1, x2, y2;
} Area;

static gboolean
meet (const Area *a, const Area *b, double slack)
{
  return MIN (a->x2, b->x2) - MAX (a->x1, b->x1) > slack && MIN (a->y2, b->y2) - MAX (a->y1, b->y1) > slack;
}

/* Gives the area of the ink of a text; returns FALSE for what is none, or has none. */
static gboolean
find_ink (const HeddleItem *item, Area *ink)
{
  if (item->kind != HEDDLE_ITEM_TEXT || *item->text == '\0' || item->fill_color.a <= 0.)
    return FALSE;
  const HeddleRunMeasure run = heddle_measure_run (item->font, item->size, item->text);
  *ink = (Area){ item->x, item->y - run.ascent, item->x + item->width, item->y + run.descent };
  return run.ascent + run.descent > 0.;
}

/* Gives the area of something through which nothing is seen; returns FALSE for what is not that. */
static gboolean
find_ground (const HeddleItem *item, Area *ground)
{
  double x, y, width, height;

  if (item->kind != HEDDLE_ITEM_PATH || !item->fill || item->fill_color.a < OPAQUE
      || (item->part != HEDDLE_PART_BOX && item->part != HEDDLE_PART_BACKGROUND
          && item->part != HEDDLE_PART_TAG && item->part != HEDDLE_PART_ANNOTATION))
    return FALSE;
  heddle_item_get_bounds (item, &x, &y, &width, &height);
  *ground = (Area){ x, y, x + width, y + height };
  return TRUE;
}

static GArray *
find_near (const HeddleScene *scene, const Area *area)
{
  return heddle_scene_find_in (scene, area->x1, area->y1, area->x2, area->y2);
}

static const HeddleItem *
item_of (const HeddleScene *scene, const GArray *numbers, guint i)
{
  return heddle_scene_get_item (scene, g_array_index (numbers, guint, i));
}

/* Returns whether something through which nothing is seen lies over item @below and under item @above, whose ink it takes. */
static gboolean
is_parted (const HeddleScene *scene, guint below, guint above, const Area *ink)
{
  g_autoptr (GArray) numbers = find_near (scene, ink);
  Area ground;

  for (guint i = 0; i < numbers->len; i++)
    {
      const guint number = g_array_index (numbers, guint, i);
      if (number > below && number < above && find_ground (heddle_scene_get_item (scene, number), &ground)
          && ground.x1 <= ink->x1 + 1. && ground.x2 >= ink->x2 - 1. && ground.y1 <= ink->y1 + 1.
          && ground.y2 >= ink->y2 - 1.)
        return TRUE;
    }
  return FALSE;
}

static void
warn (GPtrArray *problems, const HeddleItem *about, char *message, const char *remedy)
{
  HeddleProblem *problem = heddle_problem_new (HEDDLE_SEVERITY_WARNING, about->object, "%s", message);

  problem->remedy = g_strdup (remedy);
  g_ptr_array_add (problems, problem);
  g_free (message);
}

/* --- texts under something ---------------------------------------------------------------------------- */

/* Returns whether @over, which is as a rule a rectangle, has some of the ink under its fill. */
static gboolean
covers (const HeddleItem *over, const Area *ground, const Area *ink)
{
  const double x1 = MAX (ground->x1, ink->x1), x2 = MIN (ground->x2, ink->x2);
  const double y1 = MAX (ground->y1, ink->y1), y2 = MIN (ground->y2, ink->y2);

  if (!meet (ground, ink, COVERED))
    return FALSE;
  for (guint i = 1; i < PLACES; i++)
    for (guint j = 1; j < PLACES; j++)
      if (heddle_item_covers (over, x1 + (x2 - x1) * i / PLACES, y1 + (y2 - y1) * j / PLACES))
        return TRUE;
  return FALSE;
}

/* Returns the first text of which something is under item @number, which covers @ground; or NULL. */
static const HeddleItem *
find_covered (const HeddleScene *scene, guint number, const Area *ground)
{
  const HeddleItem *over = heddle_scene_get_item (scene, number);
  g_autoptr (GArray) numbers = find_near (scene, ground);
  Area ink;

  for (guint i = 0; i < numbers->len && g_array_index (numbers, guint, i) < number; i++)
    if (find_ink (item_of (scene, numbers, i), &ink) && covers (over, ground, &ink))
      return item_of (scene, numbers, i);
  return NULL;
}

static gboolean
check_covered (const HeddleScene *scene, guint number, const Area *ground, GPtrArray *problems)
{
  const HeddleItem *text = find_covered (scene, number, ground),
                   *over = heddle_scene_get_item (scene, number);

  if (text == NULL)
    return FALSE;
  warn (problems, text,
      g_strdup_printf (_ ("the text “%s” is hidden: “%s” lies over it"), text->text,
          over->object != NULL ? over->object : "?"),
      _ ("move one of them, or what lies over the text to another place"));
  return TRUE;
}

/* --- what lies over or under a text ------------------------------------------------------------------- */

static gboolean
is_line (const HeddleItem *item)
{
  return item->kind == HEDDLE_ITEM_PATH && item->stroke && !item->fill
         && (item->part == HEDDLE_PART_WIRE || item->part == HEDDLE_PART_SEPARATOR);
}

static gboolean
line_crosses (const HeddleItem *line, const Area *ink)
{
  return ink->x2 - ink->x1 > 2. * WIRES_SHARE && ink->y2 - ink->y1 > 2. * WIRES_SHARE
         && heddle_path_crosses (line->path, ink->x1 + WIRES_SHARE, ink->y1 + WIRES_SHARE,
             ink->x2 - WIRES_SHARE, ink->y2 - WIRES_SHARE);
}

/* This keeps which sorts of faults were told already: each is told once. */
typedef struct
{
  gboolean overprinted, crossed;
} Told;

static void
check_against (
    const HeddleScene *scene, guint number, const Area *ink, guint other, Told *told, GPtrArray *problems)
{
  const HeddleItem *text = heddle_scene_get_item (scene, number),
                   *item = heddle_scene_get_item (scene, other);
  Area letters;

  if (!told->overprinted && other < number && item->label != text->label && find_ink (item, &letters)
      && meet (&letters, ink, LETTERS_SHARE) && !is_parted (scene, other, number, ink))
    {
      told->overprinted = TRUE;
      warn (problems, text,
          g_strdup_printf (
              _ ("the texts “%s” and “%s” are printed over one another"), item->text, text->text),
          _ ("move one of them"));
    }
  if (!told->crossed && is_line (item) && line_crosses (item, ink)
      && (other > number || !is_parted (scene, other, number, ink)))
    {
      told->crossed = TRUE;
      warn (problems, text,
          item->part == HEDDLE_PART_WIRE
              ? g_strdup_printf (_ ("a wire of “%s” runs through the text “%s”"),
                  item->value != NULL ? item->value : "?", text->text)
              : g_strdup_printf (_ ("the line between two arrays runs through the text “%s”"), text->text),
          _ ("move the text, or the operation beside it"));
    }
}

static void
check_text (const HeddleScene *scene, guint number, const Area *ink, Told *told, GPtrArray *problems)
{
  g_autoptr (GArray) numbers = find_near (scene, ink);

  for (guint i = 0; i < numbers->len; i++)
    check_against (scene, number, ink, g_array_index (numbers, guint, i), told, problems);
}

void
heddle_scene_check_overprint (const HeddleScene *scene, GPtrArray *problems)
{
  gboolean covered = FALSE;
  Told told = { FALSE, FALSE };

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      Area area;
      if (!covered && find_ground (item, &area))
        covered = check_covered (scene, i, &area, problems);
      if (!(told.overprinted && told.crossed) && find_ink (item, &area))
        check_text (scene, i, &area, &told, problems);
    }
}
