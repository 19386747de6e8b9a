/* SPDX-License-Identifier: MIT */
#include "figure/layout/layout.h"
#include "figure/paint/ends.h"
#include "figure/paint/lines.h"
#include "figure/paint/squeeze.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"

#include <math.h>

/* A figure that is wrapped is painted as one long line; here it is cut at the ends of its lines, and these are put below one another. Wires
 * turn down into an arrow, and come in again from above. */

#define LINE_GAP 12. /* px between what is drawn in two lines */
#define STOP 36. /* before and after which separators are left out … */
#define CLEAR 8. /* … and tints and rules */

typedef struct
{
  double begin, end; /* x of the painting */
  double top, bottom; /* of what is drawn in it */
  double dx, dy;
} Line;

typedef struct
{
  HeddlePainter *painter;
  GArray *lines; /* of Line */
  GPtrArray *items; /* of HeddleItem: the scene's, which are made anew */
  GArray *line_of; /* of guint, for each of them */
  GPtrArray *heads; /* of HeddleItem: arrows of wires, which go on top */
  GArray *line_of_head; /* of guint */
  double left; /* of what is drawn in the first line */
  double table_top, table_bottom; /* of the H and M table */
} Folding;

static Line *
line_at (const Folding *self, guint i)
{
  return &g_array_index (self->lines, Line, i);
}

static guint
find_line (const Folding *self, double x)
{
  guint low = 0, high = self->lines->len - 1;

  while (low < high)
    {
      const guint middle = (low + high) / 2;
      if (x >= line_at (self, middle)->end)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
find_lines (Folding *self)
{
  const HeddleLayout *layout = self->painter->layout;
  Line line = { .begin = -G_MAXDOUBLE };

  for (int t = 0; t <= layout->n_stages; t++)
    {
      const HeddleColumn *column = heddle_layout_column (layout, t);
      if (!column->breaks)
        continue;
      line.end = column->wrap;
      g_array_append_val (self->lines, line);
      line.begin = column->wrap;
    }
  line.end = G_MAXDOUBLE;
  g_array_append_val (self->lines, line);
}

/* Takes @item. */
static HeddleItem *
add_item (Folding *self, HeddleItem *item, guint line)
{
  g_ptr_array_add (self->items, item);
  g_array_append_val (self->line_of, line);
  return item;
}

/* --- cutting --------------------------------------------------------------------------------------------------- */

static void
add_head (Folding *self, HeddleItem *head, guint line)
{
  g_ptr_array_add (self->heads, head);
  g_array_append_val (self->line_of_head, line);
}

/* Ends @now, which is on its way to the right at height @y, where its line ends, and begins the next. */
static HeddleItem *
turn_wire (Folding *self, HeddleItem *now, const HeddleItem *wire, guint line, double y)
{
  const double end = line_at (self, line)->end;

  add_head (self, heddle_item_turn_down (now, end, y), line);
  now = add_item (self, heddle_item_copy_style (wire), line + 1);
  add_head (self, heddle_item_come_in (now, end + 2., y), line + 1);
  return now;
}

/* Separators, rules and outlines just stop, and begin again. */
static HeddleItem *
interrupt (Folding *self, HeddleItem *now, const HeddleItem *path, guint line, double y, gboolean back)
{
  const double clear = path->part == HEDDLE_PART_SEPARATOR ? STOP : CLEAR;
  const double end = back ? line_at (self, line)->begin : line_at (self, line)->end;

  heddle_item_line_to (now, back ? end + clear : end - clear, y);
  now = add_item (self, heddle_item_copy_style (path), back ? line - 1 : line + 1);
  heddle_item_move_to (now, back ? end - clear : end + clear, y);
  return now;
}

static gboolean
is_wire (const HeddleItem *item)
{
  return item->part == HEDDLE_PART_WIRE && item->stroke;
}

/* A straight piece from @x to @x2, over as many ends of lines as lie between. */
static HeddleItem *
cut_straight (
    Folding *self, HeddleItem *now, const HeddleItem *path, guint *line, double x2, double y1, double y2)
{
  const guint to = find_line (self, x2);

  while (*line != to)
    {
      const gboolean back = to < *line;
      now = is_wire (path) && !back ? turn_wire (self, now, path, *line, y1)
                                    : interrupt (self, now, path, *line, y1, back);
      *line += back ? -1 : 1;
    }
  heddle_item_line_to (now, x2, y2);
  return now;
}

static void
cut_stroke (Folding *self, const HeddleItem *path)
{
  HeddleItem *now = NULL;
  double x = 0., y = 0., first_x = 0., first_y = 0.;
  guint line = 0;

  for (guint i = 0; i < path->path->len; i++)
    {
      const HeddleSegment *segment = &g_array_index (path->path, HeddleSegment, i);
      switch (segment->kind)
        {
        case HEDDLE_SEGMENT_MOVE:
          line = find_line (self, segment->x1);
          now = add_item (self, heddle_item_copy_style (path), line);
          x = first_x = segment->x1;
          y = first_y = segment->y1;
          heddle_item_move_to (now, x, y);
          break;
        case HEDDLE_SEGMENT_LINE:
          now = cut_straight (self, now, path, &line, segment->x1, y, segment->y1);
          x = segment->x1;
          y = segment->y1;
          break;
        case HEDDLE_SEGMENT_CURVE:
          heddle_item_curve_to (
              now, segment->x1, segment->y1, segment->x2, segment->y2, segment->x3, segment->y3);
          x = segment->x3;
          y = segment->y3;
          break;
        case HEDDLE_SEGMENT_CLOSE:
          now = cut_straight (self, now, path, &line, first_x, y, first_y);
          break;
        }
    }
}

/* What is filled goes to the edge of each line. */
static void
cut_fill (Folding *self, const HeddleItem *path, guint first, guint last)
{
  for (guint i = first; i <= last; i++)
    {
      HeddleItem *part = add_item (self, heddle_item_copy_style (path), i);
      const double left = line_at (self, i)->begin + CLEAR, right = line_at (self, i)->end - CLEAR;
      heddle_item_append (part, path->path->data, path->path->len);
      for (guint j = 0; j < part->path->len; j++)
        {
          HeddleSegment *segment = &g_array_index (part->path, HeddleSegment, j);
          segment->x1 = CLAMP (segment->x1, left, right);
          segment->x2 = CLAMP (segment->x2, left, right);
          segment->x3 = CLAMP (segment->x3, left, right);
        }
    }
}

static void
cut_shadow (Folding *self, const HeddleItem *shadow, guint first, guint last)
{
  for (guint i = first; i <= last; i++)
    {
      const double left = MAX (shadow->x, line_at (self, i)->begin + CLEAR);
      const double right = MIN (shadow->x + shadow->width, line_at (self, i)->end - CLEAR);
      if (right - left < 1.)
        continue;
      HeddleItem *part = add_item (self, heddle_item_copy_style (shadow), i);
      part->x = left;
      part->width = right - left;
    }
}

static gboolean
may_be_cut (const HeddleItem *item)
{
  if (item->kind == HEDDLE_ITEM_SHADOW)
    return item->part == HEDDLE_PART_BACKGROUND;
  return item->kind == HEDDLE_ITEM_PATH
         && (is_wire (item) || item->part == HEDDLE_PART_SEPARATOR || item->part == HEDDLE_PART_BACKGROUND
             || item->part == HEDDLE_PART_COLUMN || item->part == HEDDLE_PART_ANNOTATION);
}

/* Runs of one label follow one another, and stay together. */
static gboolean
goes_on (const HeddleItem *before, const HeddleItem *item)
{
  return before != NULL && before->kind == HEDDLE_ITEM_TEXT && item->kind == HEDDLE_ITEM_TEXT
         && before->part == item->part && before->object == item->object && before->value == item->value
         && fabs (before->x + before->width - item->x) < 12. && fabs (before->y - item->y) < 14.;
}

static guint
cut (Folding *self, guint ground)
{
  guint new_ground = 0;
  const HeddleItem *before = NULL;
  guint line = 0;
  gsize n;
  g_autofree gpointer *items = g_ptr_array_steal (self->items, &n);

  for (gsize i = 0; i < n; i++)
    {
      HeddleItem *item = items[i];
      new_ground = i <= ground ? self->items->len : new_ground;
      double x, y, width, height;
      heddle_item_get_bounds (item, &x, &y, &width, &height);
      const guint first = find_line (self, x), last = find_line (self, x + width);
      if (first < last && may_be_cut (item))
        {
          if (item->kind == HEDDLE_ITEM_SHADOW)
            cut_shadow (self, item, first, last);
          else if (item->fill)
            cut_fill (self, item, first, last);
          else
            cut_stroke (self, item);
          before = NULL;
          heddle_item_free (item);
          continue;
        }
      line = goes_on (before, item) ? line : find_line (self, x + width / 2.);
      before = add_item (self, item, line);
    }
  for (guint i = 0; i < self->heads->len; i++)
    add_item (self, self->heads->pdata[i], g_array_index (self->line_of_head, guint, i));
  return new_ground;
}

/* --- stacking ---------------------------------------------------------------------------------------------------- */

static HeddleItem *
item_at (const Folding *self, guint i)
{
  return self->items->pdata[i];
}

/* The table stands over all; each line takes its part along. */
static void
measure_lines (Folding *self)
{
  for (guint i = 0; i < self->lines->len; i++)
    {
      line_at (self, i)->top = G_MAXDOUBLE;
      line_at (self, i)->bottom = -G_MAXDOUBLE;
    }
  self->table_top = G_MAXDOUBLE;
  self->table_bottom = -G_MAXDOUBLE;
  self->left = G_MAXDOUBLE;
  for (guint i = 0; i < self->items->len; i++)
    {
      Line *line = line_at (self, g_array_index (self->line_of, guint, i));
      const gboolean table = item_at (self, i)->part == HEDDLE_PART_COLUMN;
      double *top = table ? &self->table_top : &line->top,
             *bottom = table ? &self->table_bottom : &line->bottom;
      double x, y, width, height;
      heddle_item_get_bounds (item_at (self, i), &x, &y, &width, &height);
      *top = MIN (*top, y);
      *bottom = MAX (*bottom, y + height);
      if (g_array_index (self->line_of, guint, i) == 0 && !table)
        self->left = MIN (self->left, x);
    }
}

static void
squeeze_lines (Folding *self)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);

  for (guint i = 0; i < self->lines->len; i++)
    g_ptr_array_add (lines, g_ptr_array_new ());
  for (guint i = 0; i < self->items->len; i++)
    g_ptr_array_add (lines->pdata[g_array_index (self->line_of, guint, i)], item_at (self, i));
  for (guint i = 0; i < lines->len; i++)
    heddle_paint_squeeze (lines->pdata[i]);
}

static void
stack_lines (Folding *self)
{
  const double table = MAX (self->table_bottom - self->table_top, 0.);
  double y = 0.;

  for (guint i = 0; i < self->lines->len; i++)
    {
      Line *line = line_at (self, i);
      line->dx = i > 0 ? self->left - line->begin - 2. : 0.;
      line->dy = i > 0 && line->top <= line->bottom ? y - line->top : 0.;
      y = MAX (y, line->bottom + line->dy) + LINE_GAP + table;
    }
}

static void
move_items (Folding *self)
{
  double top = G_MAXDOUBLE;

  for (guint i = 0; i < self->lines->len; i++)
    top = MIN (top, line_at (self, i)->top);
  for (guint i = 0; i < self->items->len; i++)
    {
      const Line *line = line_at (self, g_array_index (self->line_of, guint, i));
      const double down = item_at (self, i)->part == HEDDLE_PART_COLUMN ? line->top - top : 0.;
      heddle_item_move (item_at (self, i), line->dx, line->dy + down);
    }
}

/* The scene's items have not been asked for yet: nothing of it depends on where they are. */
guint
heddle_paint_lines (HeddlePainter *self, guint ground)
{
  Folding folding = { .painter = self, .items = self->scene->items };

  folding.lines = g_array_new (FALSE, FALSE, sizeof (Line));
  folding.line_of = g_array_new (FALSE, FALSE, sizeof (guint));
  folding.line_of_head = g_array_new (FALSE, FALSE, sizeof (guint));
  folding.heads = g_ptr_array_new ();
  find_lines (&folding);
  if (folding.lines->len > 1)
    {
      ground = cut (&folding, ground);
      squeeze_lines (&folding);
      measure_lines (&folding);
      stack_lines (&folding);
      move_items (&folding);
    }
  g_array_unref (folding.lines);
  g_array_unref (folding.line_of);
  g_array_unref (folding.line_of_head);
  g_ptr_array_unref (folding.heads);
  return ground;
}
