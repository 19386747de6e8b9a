/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/base/problem.h"
#include "figure/page/overprint.h"
#include "figure/scene/measure.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define SQUARE 64. /* px: only what is in the same square of the paper is compared */
#define MOST_SQUARES 4096 /* that one thing is entered in; a larger one is cut off there */
#define LETTERS_SHARE 1. /* px by which the ink of two labels may meet: letters lean */
#define WIRES_SHARE 1.5 /* px of a letter's edge that a wire may touch */
#define COVERED 2. /* px of a text that are noticed when they are missing */
#define OPAQUE 0.9
#define CURVE_STEPS 16
#define PLACES 4 /* in each direction, between which a shape is asked whether it covers a text */

typedef struct
{
  double x1, y1, x2, y2;
} Area;

typedef struct
{
  Area area;
  const HeddleItem *item;
  guint number; /* of the item: what has a lower one lies below */
} Print;

typedef struct
{
  const HeddleScene *scene;
  GArray *texts, *grounds; /* of Print: the ink of texts, and areas through which nothing is seen */
  GHashTable *squares; /* the number of a square to a GArray of the numbers of texts that are in it */
} Page;

static gboolean
meet (const Area *a, const Area *b, double slack)
{
  return MIN (a->x2, b->x2) - MAX (a->x1, b->x1) > slack && MIN (a->y2, b->y2) - MAX (a->y1, b->y1) > slack;
}

/* --- squares ------------------------------------------------------------------------------------------ */

typedef void (*SquareFunc) (Page *self, guint square, gpointer data);

static void
for_squares (Page *self, const Area *area, SquareFunc function, gpointer data)
{
  const int left = (int) floor (area->x1 / SQUARE), right = (int) floor (area->x2 / SQUARE);
  const int top = (int) floor (area->y1 / SQUARE), bottom = (int) floor (area->y2 / SQUARE);
  guint n = 0;

  for (int y = top; y <= bottom; y++)
    for (int x = left; x <= right && n < MOST_SQUARES; x++, n++)
      function (self, (guint) y * 65599u + (guint) x, data);
}

static void
enter (Page *self, guint square, gpointer data)
{
  const guint text = GPOINTER_TO_UINT (data);
  GArray *texts = g_hash_table_lookup (self->squares, GUINT_TO_POINTER (square));

  if (texts == NULL)
    {
      texts = g_array_new (FALSE, FALSE, sizeof (guint));
      g_hash_table_insert (self->squares, GUINT_TO_POINTER (square), texts);
    }
  g_array_append_val (texts, text);
}

/* --- what is printed ---------------------------------------------------------------------------------- */

static void
add_text (Page *self, const HeddleItem *item, guint number)
{
  const HeddleRunMeasure run = heddle_measure_run (item->font, item->size, item->text);
  const Print print
      = { { item->x, item->y - run.ascent, item->x + item->width, item->y + run.descent }, item, number };

  if (run.ascent + run.descent <= 0. || *item->text == '\0' || item->fill_color.a <= 0.)
    return;
  g_array_append_val (self->texts, print);
  for_squares (self, &print.area, enter, GUINT_TO_POINTER (self->texts->len - 1));
}

static void
add_ground (Page *self, const HeddleItem *item, guint number)
{
  double x, y, width, height;

  if (!item->fill || item->fill_color.a < OPAQUE
      || (item->part != HEDDLE_PART_BOX && item->part != HEDDLE_PART_BACKGROUND
          && item->part != HEDDLE_PART_TAG && item->part != HEDDLE_PART_ANNOTATION))
    return;
  heddle_item_get_bounds (item, &x, &y, &width, &height);
  const Print print = { { x, y, x + width, y + height }, item, number };
  g_array_append_val (self->grounds, print);
}

static Page
page_of (const HeddleScene *scene)
{
  Page self = { scene, g_array_new (FALSE, FALSE, sizeof (Print)), g_array_new (FALSE, FALSE, sizeof (Print)),
    g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref) };

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      if (item->kind == HEDDLE_ITEM_TEXT)
        add_text (&self, item, i);
      else if (item->kind == HEDDLE_ITEM_PATH)
        add_ground (&self, item, i);
    }
  return self;
}

static void
page_clear (Page *self)
{
  g_array_unref (self->texts);
  g_array_unref (self->grounds);
  g_hash_table_unref (self->squares);
}

static const Print *
text_at (const Page *self, guint i)
{
  return &g_array_index (self->texts, Print, i);
}

/* Returns whether something through which nothing is seen lies over item @below and under the text @over, all of which it takes. */
static gboolean
is_between (const Page *self, guint below, const Print *over)
{
  for (guint i = 0; i < self->grounds->len; i++)
    {
      const Print *ground = &g_array_index (self->grounds, Print, i);
      if (ground->number > below && ground->number < over->number && ground->area.x1 <= over->area.x1 + 1.
          && ground->area.x2 >= over->area.x2 - 1. && ground->area.y1 <= over->area.y1 + 1.
          && ground->area.y2 >= over->area.y2 - 1.)
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

typedef struct
{
  const Print *what; /* that is compared */
  const Print *found; /* the first text that it spoils, or NULL */
} Search;

/* Returns whether @over, which is as a rule a rectangle, has ink of @text under its fill. */
static gboolean
covers (const Print *over, const Print *text)
{
  const double x1 = MAX (over->area.x1, text->area.x1), x2 = MIN (over->area.x2, text->area.x2);
  const double y1 = MAX (over->area.y1, text->area.y1), y2 = MIN (over->area.y2, text->area.y2);

  if (!meet (&over->area, &text->area, COVERED))
    return FALSE;
  for (guint i = 1; i < PLACES; i++)
    for (guint j = 1; j < PLACES; j++)
      if (heddle_item_covers (over->item, x1 + (x2 - x1) * i / PLACES, y1 + (y2 - y1) * j / PLACES))
        return TRUE;
  return FALSE;
}

static void
find_covered (Page *self, guint square, gpointer data)
{
  Search *search = data;
  const GArray *texts = g_hash_table_lookup (self->squares, GUINT_TO_POINTER (square));

  for (guint i = 0; search->found == NULL && texts != NULL && i < texts->len; i++)
    {
      const Print *text = text_at (self, g_array_index (texts, guint, i));
      if (text->number < search->what->number && covers (search->what, text))
        search->found = text;
    }
}

static void
check_covered (Page *self, GPtrArray *problems)
{
  for (guint i = 0; i < self->grounds->len; i++)
    {
      Search search = { &g_array_index (self->grounds, Print, i), NULL };
      const HeddleItem *over = search.what->item;

      for_squares (self, &search.what->area, find_covered, &search);
      if (search.found == NULL)
        continue;
      warn (problems, search.found->item,
          g_strdup_printf (_ ("the text “%s” is hidden: “%s” lies over it"), search.found->item->text,
              over->object != NULL ? over->object : "?"),
          _ ("move one of them, or what lies over the text to another place"));
      return;
    }
}

/* --- texts over texts --------------------------------------------------------------------------------- */

static void
find_overprinted (Page *self, guint square, gpointer data)
{
  Search *search = data;
  const GArray *texts = g_hash_table_lookup (self->squares, GUINT_TO_POINTER (square));

  for (guint i = 0; search->found == NULL && texts != NULL && i < texts->len; i++)
    {
      const Print *text = text_at (self, g_array_index (texts, guint, i));
      if (text->number < search->what->number && text->item->label != search->what->item->label
          && meet (&text->area, &search->what->area, LETTERS_SHARE)
          && !is_between (self, text->number, search->what))
        search->found = text;
    }
}

static void
check_overprinted (Page *self, GPtrArray *problems)
{
  for (guint i = 0; i < self->texts->len; i++)
    {
      Search search = { text_at (self, i), NULL };

      for_squares (self, &search.what->area, find_overprinted, &search);
      if (search.found == NULL)
        continue;
      warn (problems, search.found->item,
          g_strdup_printf (_ ("the texts “%s” and “%s” are printed over one another"),
              search.found->item->text, search.what->item->text),
          _ ("move one of them"));
      return;
    }
}

/* --- wires through texts ------------------------------------------------------------------------------ */

/* A straight piece of a wire. */
typedef struct
{
  double x1, y1, x2, y2;
  guint wire; /* the number of its item */
  const Print *found;
} Piece;

/* Returns whether the piece touches the area: what lies outside is cut off, side by side. */
static gboolean
touches (const Piece *piece, const Area *area)
{
  const double dx = piece->x2 - piece->x1, dy = piece->y2 - piece->y1;
  const double p[] = { -dx, dx, -dy, dy };
  const double q[]
      = { piece->x1 - area->x1, area->x2 - piece->x1, piece->y1 - area->y1, area->y2 - piece->y1 };
  double from = 0., to = 1.;

  for (guint i = 0; i < 4; i++)
    {
      if (p[i] == 0. && q[i] < 0.)
        return FALSE;
      if (p[i] < 0.)
        from = MAX (from, q[i] / p[i]);
      if (p[i] > 0.)
        to = MIN (to, q[i] / p[i]);
    }
  return from <= to;
}

static void
find_crossed (Page *self, guint square, gpointer data)
{
  Piece *piece = data;
  const GArray *texts = g_hash_table_lookup (self->squares, GUINT_TO_POINTER (square));

  for (guint i = 0; piece->found == NULL && texts != NULL && i < texts->len; i++)
    {
      const Print *text = text_at (self, g_array_index (texts, guint, i));
      const Area ink = { text->area.x1 + WIRES_SHARE, text->area.y1 + WIRES_SHARE,
        text->area.x2 - WIRES_SHARE, text->area.y2 - WIRES_SHARE };
      if (ink.x1 < ink.x2 && ink.y1 < ink.y2 && touches (piece, &ink)
          && (piece->wire > text->number || !is_between (self, piece->wire, text)))
        piece->found = text;
    }
}

static const Print *
crossed_by (Page *self, Piece *piece, double x, double y)
{
  piece->x2 = x;
  piece->y2 = y;
  const Area area = { MIN (piece->x1, x), MIN (piece->y1, y), MAX (piece->x1, x), MAX (piece->y1, y) };
  for_squares (self, &area, find_crossed, piece);
  piece->x1 = x;
  piece->y1 = y;
  return piece->found;
}

/* Returns the first text through which @wire, item @number, runs, or NULL. */
static const Print *
find_on_way (Page *self, const HeddleItem *wire, guint number)
{
  Piece piece = { .wire = number };

  for (guint i = 0; i < wire->path->len && piece.found == NULL; i++)
    {
      const HeddleSegment *segment = &g_array_index (wire->path, HeddleSegment, i);
      const double x0 = piece.x1, y0 = piece.y1;
      if (segment->kind == HEDDLE_SEGMENT_MOVE)
        {
          piece.x1 = segment->x1;
          piece.y1 = segment->y1;
        }
      else if (segment->kind == HEDDLE_SEGMENT_LINE)
        crossed_by (self, &piece, segment->x1, segment->y1);
      for (guint step = 1; segment->kind == HEDDLE_SEGMENT_CURVE && step <= CURVE_STEPS; step++)
        {
          const double t = (double) step / CURVE_STEPS, u = 1. - t;
          const double a = u * u * u, b = 3. * u * u * t, c = 3. * u * t * t, d = t * t * t;
          if (crossed_by (self, &piece, a * x0 + b * segment->x1 + c * segment->x2 + d * segment->x3,
                  a * y0 + b * segment->y1 + c * segment->y2 + d * segment->y3)
              != NULL)
            break;
        }
    }
  return piece.found;
}

static void
check_crossed (Page *self, GPtrArray *problems)
{
  for (guint i = 0; i < heddle_scene_get_n_items (self->scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (self->scene, i);
      const gboolean line = item->kind == HEDDLE_ITEM_PATH && item->stroke && !item->fill
                            && (item->part == HEDDLE_PART_WIRE || item->part == HEDDLE_PART_SEPARATOR);
      const Print *text = line ? find_on_way (self, item, i) : NULL;
      if (text == NULL)
        continue;
      warn (problems, text->item,
          item->part == HEDDLE_PART_WIRE
              ? g_strdup_printf (_ ("a wire of “%s” runs through the text “%s”"),
                  item->value != NULL ? item->value : "?", text->item->text)
              : g_strdup_printf (
                  _ ("the line between two arrays runs through the text “%s”"), text->item->text),
          _ ("move the text, or the operation beside it"));
      return;
    }
}

void
heddle_scene_check_overprint (const HeddleScene *scene, GPtrArray *problems)
{
  Page page = page_of (scene);

  check_covered (&page, problems);
  check_overprinted (&page, problems);
  check_crossed (&page, problems);
  page_clear (&page);
}
