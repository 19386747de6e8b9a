/* SPDX-License-Identifier: MIT */
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation.h"
#include "figure/layout/block-title.h"
#include "figure/layout/blocks.h"
#include "figure/layout/graph.h"
#include "figure/layout/lookup.h"
#include "figure/layout/node-title.h"

/* Where the backdrops of blocks are: around the boxes of their operations and the wires that these read and make, the ones nested in them,
 * and their titles. */

#define PAD 6. /* from what is in it to the edge */
#define TITLE_ROOM 5. /* beside its lines */
#define BESIDE_TITLE 3.
#define FLOAT_ROOM 18. /* over the wires, for a function that floats there */
#define BAND_ROOM 7.
#define PARENTHESIS 20.
#define BEFORE_DOT 4. /* from the edge, less its distance, to the dots of a copy */
#define MOST_BLOCKS 400

static void
shown_free (gpointer data)
{
  HeddleShownBlock *shown = data;

  g_hash_table_unref (shown->nodes);
  g_array_unref (shown->contents);
  g_free (shown);
}

gboolean
heddle_block_repeats (const HeddleBlock *block)
{
  return block->first != NULL || block->last != NULL || block->times != NULL;
}

static HeddleShownBlock *
shown_new (const HeddleLayout *self, const HeddleBlock *block)
{
  HeddleShownBlock *shown = g_new0 (HeddleShownBlock, 1);

  shown->block = block;
  shown->nodes = g_hash_table_new (NULL, NULL);
  shown->contents = g_array_new (FALSE, FALSE, sizeof (HeddleContent));
  shown->first = G_MAXINT;
  shown->last = -1;
  for (guint i = 0; i < block->operations->len; i++)
    {
      const guint index
          = GPOINTER_TO_UINT (g_hash_table_lookup (self->node_of, heddle_ids_index (block->operations, i)));
      if (index == 0)
        continue;
      HeddleFigureNode *node = heddle_layout_node (self, index - 1);
      g_hash_table_add (shown->nodes, node);
      shown->first = MIN (shown->first, node->stage);
      shown->last = MAX (shown->last, node->stage);
    }
  return shown;
}

static gboolean
is_within (const HeddleShownBlock *inner, const HeddleShownBlock *outer)
{
  GHashTableIter iter;
  gpointer node;

  if (inner == outer || g_hash_table_size (inner->nodes) > g_hash_table_size (outer->nodes))
    return FALSE;
  g_hash_table_iter_init (&iter, inner->nodes);
  while (g_hash_table_iter_next (&iter, &node, NULL))
    if (!g_hash_table_contains (outer->nodes, node))
      return FALSE;
  return TRUE;
}

static int
by_size (gconstpointer a, gconstpointer b)
{
  const guint first = g_hash_table_size ((*(HeddleShownBlock *const *) a)->nodes),
              second = g_hash_table_size ((*(HeddleShownBlock *const *) b)->nodes);

  return first < second ? -1 : first > second;
}

/* Of two with the same operations, the one that comes first in the document is the outer one. */
GPtrArray *
heddle_layout_find_blocks (const HeddleLayout *self)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (shown_free);
  const HeddlePresentation *presentation = self->figure->presentation;

  for (guint i = presentation != NULL ? MIN (presentation->blocks->len, MOST_BLOCKS) : 0; i-- > 0;)
    {
      HeddleShownBlock *shown = shown_new (self, presentation->blocks->pdata[i]);
      if (shown->last >= 0)
        g_ptr_array_add (found, shown);
      else
        shown_free (shown);
    }
  g_ptr_array_sort (found, by_size);
  for (guint i = 0; i < found->len; i++)
    for (guint j = 0; j < i; j++)
      {
        HeddleShownBlock *outer = found->pdata[i];
        const HeddleShownBlock *inner = found->pdata[j];
        if (is_within (inner, outer))
          outer->inner = MAX (outer->inner, inner->inner + 1);
      }
  return found;
}

/* --- columns ------------------------------------------------------------------------------------------------ */

/* Returns whether nothing that the node reads is made in the block. */
static gboolean
begins_block (const HeddleLayout *self, const HeddleShownBlock *shown, const HeddleFigureNode *node)
{
  for (guint i = 0; i < node->operation->operands->len; i++)
    {
      const HeddleOperation *producer
          = heddle_diagram_get_producer (self->diagram, heddle_ids_index (node->operation->operands, i));
      if (producer != NULL
          && g_hash_table_contains (shown->nodes, heddle_layout_node_of (self, producer->id)))
        return FALSE;
    }
  return TRUE;
}

/* The nodes of a block by their stages, and the last stage to which each could go. */
typedef struct
{
  const HeddleLayout *layout;
  const HeddleShownBlock *shown;
  GPtrArray *nodes;
  GHashTable *latest; /* node -> stage */
} Alignment;

static int
by_stage (gconstpointer a, gconstpointer b)
{
  return (*(HeddleFigureNode *const *) a)->stage - (*(HeddleFigureNode *const *) b)->stage;
}

/* Before those that read @value, or before the last stage to which these could go. */
static int
latest_for (const Alignment *self, const HeddleFigureNode *node, const char *value)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (self->layout->diagram, value);
  int latest = self->layout->n_stages - 1;

  for (guint i = 0; i < readers->len; i++)
    {
      const HeddleFigureNode *reader
          = heddle_layout_node_of (self->layout, ((HeddleOperation *) readers->pdata[i])->id);
      gpointer stage;
      if (reader == NULL || reader == node)
        continue;
      const gboolean within = g_hash_table_lookup_extended (self->latest, reader, NULL, &stage);
      latest = MIN (latest, (within ? GPOINTER_TO_INT (stage) : reader->stage) - 1);
    }
  return latest;
}

static void
find_latest (Alignment *self)
{
  for (guint i = self->nodes->len; i-- > 0;)
    {
      HeddleFigureNode *node = self->nodes->pdata[i];
      int latest = latest_for (self, node, node->result);
      for (guint j = 1; j < heddle_operation_n_results (node->operation); j++)
        latest = MIN (latest, latest_for (self, node, heddle_operation_get_result (node->operation, j)));
      g_hash_table_insert (self->latest, node, GINT_TO_POINTER (MAX (latest, node->stage)));
    }
}

/* The first stage in which all that the node reads is there. */
static int
earliest_stage (const Alignment *self, const HeddleFigureNode *node)
{
  int stage = node->stage;

  for (guint i = 0; i < node->operation->operands->len; i++)
    {
      const HeddleOperation *producer = heddle_diagram_get_producer (
          self->layout->diagram, heddle_ids_index (node->operation->operands, i));
      const HeddleFigureNode *made
          = producer != NULL ? heddle_layout_node_of (self->layout, producer->id) : NULL;
      if (made != NULL && made != node)
        stage = MAX (stage, made->stage + 1);
    }
  return stage;
}

/* Moves nodes: what begins the block goes as far as the last of these is, if what is made from it can
 * follow. */
static void
move_nodes (Alignment *self)
{
  int stage = 0;

  for (guint i = 0; i < self->nodes->len; i++)
    if (begins_block (self->layout, self->shown, self->nodes->pdata[i]))
      stage = MAX (stage, ((HeddleFigureNode *) self->nodes->pdata[i])->stage);
  for (guint i = 0; i < self->nodes->len; i++)
    {
      HeddleFigureNode *node = self->nodes->pdata[i];
      const int latest = GPOINTER_TO_INT (g_hash_table_lookup (self->latest, node));
      node->stage = begins_block (self->layout, self->shown, node) ? MAX (node->stage, MIN (stage, latest))
                                                                   : earliest_stage (self, node);
    }
}

static void
align_block (HeddleLayout *self, const HeddleShownBlock *shown)
{
  Alignment alignment = { self, shown, g_ptr_array_new (), g_hash_table_new (NULL, NULL) };
  for (guint i = 0; i < self->nodes->len; i++)
    if (g_hash_table_contains (shown->nodes, self->nodes->pdata[i]))
      g_ptr_array_add (alignment.nodes, self->nodes->pdata[i]);
  g_ptr_array_sort (alignment.nodes, by_stage);
  find_latest (&alignment);
  move_nodes (&alignment);
  g_ptr_array_unref (alignment.nodes);
  g_hash_table_unref (alignment.latest);
}

void
heddle_layout_align_blocks (HeddleLayout *self)
{
  g_autoptr (GPtrArray) blocks = heddle_layout_find_blocks (self);

  for (guint i = 0; i < blocks->len; i++)
    align_block (self, blocks->pdata[i]);
}

/* --- room ---------------------------------------------------------------------------------------------- */

static double
title_room (const HeddleBlock *block, HeddlePlace place)
{
  const double height = heddle_block_title_height (block);

  return height > 0. && block->place == (int) place ? height + TITLE_ROOM : 0.;
}

/* Returns whether wires that pass stage @t above the others, or below them, begin or end within the block:
 * its edge is beyond them. */
static gboolean
reaches_beyond (const HeddleLayout *self, const HeddleShownBlock *shown, int t, guint key, gboolean above)
{
  const GPtrArray *live = self->live->pdata[t];

  for (guint i = 0; i < live->len; i++)
    {
      const HeddleMember *member = live->pdata[i];
      const gboolean read
          = member->reader >= 0
            && g_hash_table_contains (shown->nodes, heddle_layout_node (self, member->reader));
      if (read && (above ? member->key < key : member->key > key))
        return TRUE;
    }
  return FALSE;
}

typedef struct
{
  HeddleFigureNode *top, *bottom;
  guint top_key, bottom_key; /* of the first operand of the one, of the last of the other */
} Outermost;

static Outermost
find_outermost (const HeddleLayout *self, const HeddleShownBlock *shown, int t)
{
  const GPtrArray *nodes = self->stages->pdata[t];
  Outermost found = { NULL, NULL, G_MAXUINT, 0 };

  for (guint i = 0; i < nodes->len; i++)
    {
      HeddleFigureNode *node = nodes->pdata[i];
      if (node->members->len == 0 || !g_hash_table_contains (shown->nodes, node))
        continue;
      const guint first = heddle_figure_node_member (self, node, 0)->key;
      const guint last = heddle_figure_node_member (self, node, node->members->len - 1)->key;
      found.top = first <= found.top_key ? node : found.top;
      found.top_key = MIN (found.top_key, first);
      found.bottom = last >= found.bottom_key ? node : found.bottom;
      found.bottom_key = MAX (found.bottom_key, last);
    }
  return found;
}

/* A block of one column is as wide as the lines of its title. */
static void
widen_for_title (const HeddleShownBlock *shown, HeddleFigureNode *node)
{
  const HeddleBlock *block = shown->block;

  if (block->title == NULL || *block->title == '\0' || shown->first != shown->last)
    return;
  const double width = heddle_title_width (block->title, HEDDLE_FONT_SANS, heddle_block_title_size (block));
  node->width = MAX (node->width, width + 2. * BESIDE_TITLE - 2. * PAD);
}

/* The highest and the lowest of the block's nodes in a stage get it, where the block's edge is next to them. */
void
heddle_layout_make_room_for_blocks (HeddleLayout *self, int t)
{
  for (guint i = 0; i < self->blocks->len; i++)
    {
      const HeddleShownBlock *shown = self->blocks->pdata[i];
      if (t < shown->first || t > shown->last)
        continue;
      const Outermost found = find_outermost (self, shown, t);
      if (found.top != NULL)
        widen_for_title (shown, found.top);
      if (found.top != NULL && !reaches_beyond (self, shown, t, found.top_key, TRUE))
        {
          found.top->above += PAD + title_room (shown->block, HEDDLE_PLACE_ABOVE);
          found.top->edge_above = TRUE;
        }
      if (found.bottom != NULL && !reaches_beyond (self, shown, t, found.bottom_key, FALSE))
        {
          found.bottom->below += PAD + title_room (shown->block, HEDDLE_PLACE_BELOW);
          found.bottom->edge_below = TRUE;
        }
    }
}

static gboolean
is_read_within (const HeddleLayout *self, const HeddleShownBlock *shown, const HeddleMember *member)
{
  return member->end == HEDDLE_END_OPERATION
         && g_hash_table_contains (shown->nodes, heddle_layout_node (self, member->reader));
}

/* A copy of what comes into a repeated block, if it is for the block alone: it is made each time, and so within the parenthesis. */
static const HeddleMember *
find_copy_within (const HeddleLayout *self, const HeddleShownBlock *shown)
{
  const GPtrArray *live
      = heddle_block_repeats (shown->block) && shown->first > 0 ? self->live->pdata[shown->first] : NULL;

  for (guint i = 0; live != NULL && i < live->len; i++)
    {
      const HeddleMember *member = live->pdata[i];
      if (member->start == HEDDLE_START_COPY && member->from == shown->first
          && is_read_within (self, shown, member)
          && is_read_within (self, shown, heddle_layout_member (self, member->first)))
        return member;
    }
  return NULL;
}

static double
side_room (const HeddleShownBlock *shown)
{
  return (shown->inner > 0 ? PAD : 4.) + (heddle_block_repeats (shown->block) ? PARENTHESIS : 0.);
}

/* What the left parenthesis takes where it stands before copies. */
static double
room_before_copies (const HeddleLayout *self, const HeddleShownBlock *shown)
{
  return find_copy_within (self, shown) != NULL ? PARENTHESIS : 0.;
}

/* Beside operations, for the edges of the bands that they and the data types are on. */
static double
room_of_bands (const HeddleLayout *self)
{
  const HeddlePresentation *presentation = self->figure->presentation;

  return presentation != NULL && presentation->bands == HEDDLE_BANDS_SHADED ? BAND_ROOM : 0.;
}

/* Returns what stage @t needs beside its operations for the edges of blocks that begin there, or that end:
 * of those that lie in one another, not of those that lie above one another. */
static double
room_of_blocks (const HeddleLayout *self, int t, gboolean ends)
{
  double most = 0.;

  for (guint i = 0; i < self->blocks->len; i++)
    {
      const HeddleShownBlock *inner = self->blocks->pdata[i];
      double room = 0.;
      if ((ends ? inner->last : inner->first) != t)
        continue;
      for (guint j = i; j < self->blocks->len; j++)
        {
          const HeddleShownBlock *outer = self->blocks->pdata[j];
          if ((ends ? outer->last : outer->first) == t && (i == j || is_within (inner, outer)))
            room += side_room (outer) - (ends ? 0. : room_before_copies (self, outer));
        }
      most = MAX (most, room);
    }
  for (guint i = 0; ends && i < self->blocks->len; i++)
    if (((HeddleShownBlock *) self->blocks->pdata[i])->first == t + 1)
      most = MAX (most, room_before_copies (self, self->blocks->pdata[i]));
  return MIN (most, 20. * PARENTHESIS);
}

double
heddle_layout_room_before_blocks (const HeddleLayout *self, int t)
{
  return (t > 0 ? room_of_bands (self) : 0.) + room_of_blocks (self, t, FALSE);
}

double
heddle_layout_room_after_blocks (const HeddleLayout *self, int t)
{
  return room_of_bands (self) + room_of_blocks (self, t, TRUE);
}

/* --- places --------------------------------------------------------------------------------------------- */

static void
extend (HeddleShownBlock *shown, double x1, double y1, double x2, double y2)
{
  shown->x1 = MIN (shown->x1, x1);
  shown->y1 = MIN (shown->y1, y1);
  shown->x2 = MAX (shown->x2, x2);
  shown->y2 = MAX (shown->y2, y2);
}

static void
cover (HeddleShownBlock *shown, double x1, double y1, double x2, double y2)
{
  const HeddleContent content = { x1, y1, x2, y2 };

  g_array_append_val (shown->contents, content);
  extend (shown, x1, y1, x2, y2);
}

static void
cover_wire (const HeddleLayout *self, HeddleShownBlock *shown, const HeddleFigureNode *node, int line)
{
  const double y = heddle_layout_line_y (self, line);

  extend (shown, node->x, y - HEDDLE_BLOCK_LABEL_ROOM + PAD, node->x, y + HEDDLE_BLOCK_UNDER_WIRE - PAD);
}

/* A scale after a contraction stands beside it, and what crosses before it. */
static void
cover_node (const HeddleLayout *self, HeddleShownBlock *shown, const HeddleFigureNode *node)
{
  const double attached = node->attached_width > 0. ? node->attached_width + HEDDLE_ATTACHED_GAP : 0.;

  const gboolean floats = node->shape == HEDDLE_SHAPE_FLOAT || node->shape == HEDDLE_SHAPE_JOIN;
  const gboolean under = node->shape == HEDDLE_SHAPE_BOX && node->attached_title != NULL;
  const double more = (heddle_title_n_lines (node->title) - 1) * HEDDLE_TITLE_LEADING * 15.;

  const double over = floats ? FLOAT_ROOM + more : node->over != NULL ? HEDDLE_FLOAT_UNDER : 0.;

  cover (shown, node->x, node->top - over, node->x + node->width + attached,
      node->bottom + (under ? HEDDLE_FLOAT_UNDER - PAD : 0.));
  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self, node, i);
      const HeddleColumn *column = heddle_layout_column (self, member->to);
      for (guint j = 0; j < member->strands->len; j++)
        {
          cover_wire (self, shown, node, heddle_strand (member->strands, j)->target);
          if (member->crosses)
            cover_wire (self, shown, node, heddle_strand (member->strands, j)->line);
        }
      if (member->crosses)
        shown->x1 = MIN (shown->x1, column->cross);
    }
  for (guint i = 0; i < node->results->len; i++)
    cover_wire (self, shown, node, heddle_strand (node->results, i)->line);
}

static void
place_block (HeddleLayout *self, guint number, gboolean wraps)
{
  HeddleShownBlock *shown = self->blocks->pdata[number];
  GHashTableIter iter;
  gpointer node;

  shown->x1 = shown->y1 = G_MAXDOUBLE;
  shown->x2 = shown->y2 = -G_MAXDOUBLE;
  g_hash_table_iter_init (&iter, shown->nodes);
  while (g_hash_table_iter_next (&iter, &node, NULL))
    cover_node (self, shown, node);
  for (guint i = 0; i < number; i++)
    {
      const HeddleShownBlock *inner = self->blocks->pdata[i];
      const double aside = heddle_block_repeats (inner->block) ? PARENTHESIS : 0.;
      if (is_within (inner, shown))
        cover (shown, inner->x1 - aside, inner->y1, inner->x2 + aside, inner->y2);
    }
  const HeddleMember *copy = find_copy_within (self, shown);
  if (copy != NULL)
    shown->x1 = MIN (shown->x1, copy->bend_from - BEFORE_DOT);
  shown->x1 -= PAD;
  shown->x2 += PAD;
  heddle_block_place_title (self, shown, wraps);
}

/* Innermost first. */
void
heddle_layout_place_blocks (HeddleLayout *self, gboolean wraps)
{
  for (guint i = 0; i < self->blocks->len; i++)
    place_block (self, i, wraps);
}
