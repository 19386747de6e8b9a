/* SPDX-License-Identifier: MIT */
#include "diagram/document/ornament.h"
#include "figure/layout/block-title.h"
#include "figure/layout/title-size.h"
#include "figure/typeset/prose-pieces.h"

#include <math.h>

/* Where the title of a block stands: over all that is in it; or beside what is high in it, where it then makes the block less high. */

#define PAD 6. /* from what is in a block to its edge */
#define TITLE_ROOM 5. /* beside the lines of a title */
#define TITLE_SIDE 4. /* from them to the block's sides */
#define TITLE_BESIDE 6. /* from a title to what is higher than its foot */
#define LEAST_GAIN 8. /* by which the block must become less high */
#define SAME 0.1
#define MOST_MEMBERS 200 /* in a larger diagram it is over all */
#define TITLE_SIZE 13.

double
heddle_block_title_size (const HeddleBlock *block)
{
  return block->size > 0. ? CLAMP (block->size, 4., 100.) : TITLE_SIZE;
}

static double
height_of_lines (const HeddleBlock *block, guint n)
{
  return n * heddle_block_title_size (block) * HEDDLE_PROSE_LEADING;
}

double
heddle_block_title_height (const HeddleBlock *block)
{
  guint n = block->title != NULL && *block->title != '\0' ? 1 : 0;

  for (const char *p = block->title; n > 0 && *p != '\0'; p++)
    n += *p == '\n';
  return height_of_lines (block, n);
}

/* Returns how many lines the words of @line take where none is longer than @width. */
static guint
count_wrapped (const char *line, double size, double width)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 1;

  for (guint i = 0; words[i] != NULL; i++)
    {
      const gsize before = text->len;
      g_string_append_printf (text, "%s%s", before > 0 ? " " : "", words[i]);
      if (before == 0 || heddle_title_width (text->str, HEDDLE_FONT_SANS, size) <= width)
        continue;
      g_string_assign (text, words[i]);
      n++;
    }
  return n;
}

static double
height_within (const HeddleBlock *block, double width)
{
  g_auto (GStrv) lines = g_strsplit (block->title, "\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    n += count_wrapped (lines[i], heddle_block_title_size (block), width);
  return height_of_lines (block, n);
}

/* A title above and one below are sought alike: there what is far down counts as high. */
static double
upward (const HeddleShownBlock *shown, double y1, double y2)
{
  return shown->block->place == HEDDLE_PLACE_BELOW ? -y2 : y1;
}

/* Returns what is highest in the block from @x1 to @x2. */
static double
top_between (const HeddleShownBlock *shown, double x1, double x2)
{
  double top = G_MAXDOUBLE;

  for (guint i = 0; i < shown->contents->len; i++)
    {
      const HeddleContent *content = &g_array_index (shown->contents, HeddleContent, i);
      if (content->x1 < x2 && content->x2 > x1)
        top = MIN (top, upward (shown, content->y1, content->y2));
    }
  return top;
}

static gboolean
holds (const HeddleLayout *self, const HeddleShownBlock *shown, int node)
{
  return node >= 0 && g_hash_table_contains (shown->nodes, heddle_layout_node (self, node));
}

/* The wires of a member from where the block has them on, with their names. */
static void
add_wires (const HeddleLayout *self, HeddleShownBlock *shown, const HeddleMember *member)
{
  const gboolean made = member->start != HEDDLE_START_COPY && holds (self, shown, member->producer);
  const gboolean read = holds (self, shown, member->reader);

  for (guint i = 0; (made || read) && i < member->strands->len; i++)
    {
      const HeddleStrand *strand = heddle_strand (member->strands, i);
      const double source = heddle_layout_line_y (self, strand->source),
                   line = heddle_layout_line_y (self, strand->line),
                   target = heddle_layout_line_y (self, strand->target);
      const HeddleContent wire
          = { made ? strand->start.x : shown->x1, MIN (MIN (source, line), target) - HEDDLE_BLOCK_LABEL_ROOM,
              read ? strand->end.x : shown->x2, MAX (MAX (source, line), target) + HEDDLE_BLOCK_UNDER_WIRE };
      g_array_append_val (shown->contents, wire);
    }
}

typedef struct
{
  HeddleShownBlock *shown;
  double width, height; /* of the title on its own lines */
  double least; /* the block's edge without a title */
  double plain; /* …with one over all that is in it */
  double edge; /* …and with it in the best place so far */
  double room; /* beside it there; 0: it is over all */
  double top; /* of the title there */
} Search;

/* Returns how far from the title between @x1 and @x2 are the sides of the block, and of what is in it and
 * higher than @foot. */
static double
distance_from (const HeddleShownBlock *shown, double x1, double x2, double foot)
{
  double least = MIN (x1 - shown->x1, shown->x2 - x2);

  for (guint i = 0; i < shown->contents->len; i++)
    {
      const HeddleContent *content = &g_array_index (shown->contents, HeddleContent, i);
      if (upward (shown, content->y1, content->y2) < foot)
        least = MIN (least, MAX (x1 - content->x2, content->x1 - x2));
    }
  return least;
}

/* In the middle between @x1 and @x2, if that makes the block less high; of places that do alike the one with the most room beside it. */
static void
try_between (Search *self, double x1, double x2)
{
  const double x = (x1 + x2 - self->width) / 2., end = x + self->width;

  if (x2 - x1 < self->width + 2. * TITLE_BESIDE)
    return;
  const double foot = top_between (self->shown, x - TITLE_BESIDE, end + TITLE_BESIDE) - TITLE_ROOM;
  const double edge = MIN (self->least, foot - self->height - TITLE_ROOM);
  const double room = distance_from (self->shown, x, end, foot);
  const gboolean alike = self->room > 0. && fabs (edge - self->edge) <= SAME;
  if (edge < self->plain + LEAST_GAIN || (alike ? room <= self->room + SAME : edge < self->edge))
    return;
  self->edge = edge;
  self->room = room;
  self->top = MAX (edge + TITLE_ROOM, foot - self->height - TITLE_ROOM);
  self->shown->title_x = x - TITLE_SIDE;
  self->shown->title_width = self->width + 2. * TITLE_SIDE;
}

/* Finds a place; @height is that of the title over all of the block. */
static Search
find_place (const HeddleLayout *self, HeddleShownBlock *shown, double height, gboolean wraps)
{
  const double size = heddle_block_title_size (shown->block),
               least = upward (shown, shown->y1, shown->y2) - PAD;
  Search search = { .shown = shown,
    .width = heddle_title_width (shown->block->title, HEDDLE_FONT_SANS, size),
    .height = heddle_block_title_height (shown->block),
    .least = least,
    .plain = least - height - TITLE_ROOM,
    .edge = least - height - TITLE_ROOM,
    .top = least - height };
  const gboolean sought = !wraps && self->members->len <= MOST_MEMBERS;

  for (guint i = 0; sought && i < self->members->len; i++)
    add_wires (self, shown, heddle_layout_member (self, i));
  for (guint i = 0; sought && i < shown->contents->len; i++)
    {
      const HeddleContent *content = &g_array_index (shown->contents, HeddleContent, i);
      try_between (&search, shown->x1, content->x1);
      try_between (&search, content->x2, shown->x2);
    }
  if (search.room <= 0.)
    search.height = height;
  return search;
}

void
heddle_block_place_title (const HeddleLayout *self, HeddleShownBlock *shown, gboolean wraps)
{
  const gboolean below = shown->block->place == HEDDLE_PLACE_BELOW;

  if (shown->block->title == NULL || *shown->block->title == '\0')
    {
      shown->y1 -= PAD;
      shown->y2 += PAD;
      return;
    }
  shown->title_x = shown->x1 + TITLE_SIDE;
  shown->title_width = shown->x2 - shown->x1 - 2. * TITLE_SIDE;
  const double height
      = wraps ? heddle_block_title_height (shown->block) : height_within (shown->block, shown->title_width);
  const Search found = find_place (self, shown, height, wraps);
  shown->title_top = below ? -found.top - found.height : found.top;
  shown->y1 = below ? shown->y1 - PAD : found.edge;
  shown->y2 = below ? -found.edge : shown->y2 + PAD;
}
