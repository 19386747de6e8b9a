/* SPDX-License-Identifier: MIT */
#include "diagram/document/ornament.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation.h"
#include "figure/layout/blocks.h"
#include "figure/layout/graph.h"
#include "figure/layout/layout.h"
#include "figure/layout/node-title.h"
#include "figure/typeset/prose-pieces.h"

/* Where the backdrops of blocks are: around the boxes of their operations and the wires that these read and make, the ones nested in them,
 * and their titles. */

#define PAD 9. /* from what is in it to the edge */
#define TITLE_ROOM 6.4 /* beside its lines */
#define TITLE_SIZE 13.
#define LABEL_ROOM 17. /* over a wire, for the axis' name */
#define UNDER_WIRE 7.
#define FLOAT_ROOM 18. /* over the wires, for a function that floats there */
#define BAND_ROOM 7.
#define PARENTHESIS 24.
#define MOST_BLOCKS 400

static void
shown_free (gpointer data)
{
  HeddleShownBlock *shown = data;

  g_hash_table_unref (shown->nodes);
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

static HeddleFigureNode *
node_of (const HeddleLayout *self, const char *operation)
{
  const guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->node_of, operation));

  return index > 0 ? heddle_layout_node (self, index - 1) : NULL;
}

/* Whether nothing that the node reads is made in the block. */
static gboolean
begins_block (const HeddleLayout *self, const HeddleShownBlock *shown, const HeddleFigureNode *node)
{
  for (guint i = 0; i < node->operation->operands->len; i++)
    {
      const HeddleOperation *producer
          = heddle_diagram_get_producer (self->diagram, heddle_ids_index (node->operation->operands, i));
      if (producer != NULL && g_hash_table_contains (shown->nodes, node_of (self, producer->id)))
        return FALSE;
    }
  return TRUE;
}

/* The last stage in which the node may be for those that read @value. */
static int
latest_stage_for (const HeddleLayout *self, const HeddleFigureNode *node, const char *value)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (self->diagram, value);
  int latest = self->n_stages - 1;

  for (guint i = 0; i < readers->len; i++)
    {
      const HeddleFigureNode *reader = node_of (self, ((HeddleOperation *) readers->pdata[i])->id);
      if (reader != NULL && reader != node)
        latest = MIN (latest, reader->stage - 1);
    }
  return latest;
}

static int
latest_stage (const HeddleLayout *self, const HeddleFigureNode *node)
{
  int latest = latest_stage_for (self, node, node->result);

  for (guint i = 1; i < heddle_operation_n_results (node->operation); i++)
    latest = MIN (latest, latest_stage_for (self, node, heddle_operation_get_result (node->operation, i)));
  return latest;
}

static void
align_block (HeddleLayout *self, const HeddleShownBlock *shown)
{
  g_autoptr (GPtrArray) first = g_ptr_array_new ();
  int stage = 0;

  for (guint i = 0; i < shown->block->operations->len; i++)
    {
      HeddleFigureNode *node = node_of (self, heddle_ids_index (shown->block->operations, i));
      if (node == NULL || !begins_block (self, shown, node))
        continue;
      g_ptr_array_add (first, node);
      stage = MAX (stage, node->stage);
    }
  for (guint i = 0; i < first->len; i++)
    {
      HeddleFigureNode *node = first->pdata[i];
      node->stage = MAX (node->stage, MIN (stage, latest_stage (self, node)));
    }
}

void
heddle_layout_align_blocks (HeddleLayout *self)
{
  g_autoptr (GPtrArray) blocks = heddle_layout_find_blocks (self);

  for (guint i = 0; i < blocks->len; i++)
    align_block (self, blocks->pdata[i]);
}

/* --- room ---------------------------------------------------------------------------------------------- */

double
heddle_block_title_size (const HeddleBlock *block)
{
  return block->size > 0. ? CLAMP (block->size, 4., 100.) : TITLE_SIZE;
}

double
heddle_block_title_height (const HeddleBlock *block)
{
  guint n = block->title != NULL && *block->title != '\0' ? 1 : 0;

  for (const char *p = block->title; n > 0 && *p != '\0'; p++)
    n += *p == '\n';
  return n * heddle_block_title_size (block) * HEDDLE_PROSE_LEADING;
}

static double
title_room (const HeddleBlock *block, HeddlePlace place)
{
  const double height = heddle_block_title_height (block);

  return height > 0. && block->place == (int) place ? height + TITLE_ROOM : 0.;
}

/* The highest and the lowest of the block's nodes in a stage get it. */
void
heddle_layout_make_room_for_blocks (HeddleLayout *self, int t)
{
  const GPtrArray *nodes = self->stages->pdata[t];

  for (guint i = 0; i < self->blocks->len; i++)
    {
      const HeddleShownBlock *shown = self->blocks->pdata[i];
      HeddleFigureNode *top = NULL, *bottom = NULL;
      guint top_key = G_MAXUINT, bottom_key = 0;
      if (t < shown->first || t > shown->last)
        continue;
      for (guint j = 0; j < nodes->len; j++)
        {
          HeddleFigureNode *node = nodes->pdata[j];
          if (node->members->len == 0 || !g_hash_table_contains (shown->nodes, node))
            continue;
          const guint first = heddle_figure_node_member (self, node, 0)->key;
          top = first <= top_key ? node : top;
          top_key = MIN (top_key, first);
          bottom = first >= bottom_key ? node : bottom;
          bottom_key = MAX (bottom_key, first);
        }
      if (top == NULL)
        continue;
      top->above += PAD + title_room (shown->block, HEDDLE_PLACE_ABOVE);
      bottom->below += PAD + title_room (shown->block, HEDDLE_PLACE_BELOW);
    }
}

static double
side_room (const HeddleShownBlock *shown)
{
  return (shown->inner > 0 ? PAD : 4.) + (heddle_block_repeats (shown->block) ? PARENTHESIS : 0.);
}

/* Beside operations, for the edges of the bands that they and the data types are on. */
static double
room_of_bands (const HeddleLayout *self)
{
  const HeddlePresentation *presentation = self->figure->presentation;

  return presentation != NULL && presentation->bands == HEDDLE_BANDS_SHADED ? BAND_ROOM : 0.;
}

double
heddle_layout_room_before_blocks (const HeddleLayout *self, int t)
{
  double room = 0.;

  if (t > 0)
    room += room_of_bands (self);
  for (guint i = 0; i < self->blocks->len; i++)
    {
      const HeddleShownBlock *shown = self->blocks->pdata[i];
      room += shown->first == t ? side_room (shown) : 0.;
    }
  return MIN (room, 20. * PARENTHESIS);
}

double
heddle_layout_room_after_blocks (const HeddleLayout *self, int t)
{
  double room = room_of_bands (self);

  for (guint i = 0; i < self->blocks->len; i++)
    {
      const HeddleShownBlock *shown = self->blocks->pdata[i];
      room += shown->last == t ? side_room (shown) : 0.;
    }
  return MIN (room, 20. * PARENTHESIS);
}

/* --- places --------------------------------------------------------------------------------------------- */

static void
cover (HeddleShownBlock *shown, double x1, double y1, double x2, double y2)
{
  shown->x1 = MIN (shown->x1, x1);
  shown->y1 = MIN (shown->y1, y1);
  shown->x2 = MAX (shown->x2, x2);
  shown->y2 = MAX (shown->y2, y2);
}

static void
cover_wire (const HeddleLayout *self, HeddleShownBlock *shown, const HeddleFigureNode *node, int line)
{
  const double y = heddle_layout_line_y (self, line);

  cover (shown, node->x, y - LABEL_ROOM + PAD, node->x, y + UNDER_WIRE - PAD);
}

/* A scale after a contraction stands beside it, and what crosses before it. */
static void
cover_node (const HeddleLayout *self, HeddleShownBlock *shown, const HeddleFigureNode *node)
{
  const double attached = node->attached_width > 0. ? node->attached_width + HEDDLE_ATTACHED_GAP : 0.;

  const gboolean floats = node->shape == HEDDLE_SHAPE_FLOAT || node->shape == HEDDLE_SHAPE_JOIN
                          || (node->shape == HEDDLE_SHAPE_BOX && node->attached_title != NULL);
  const double more = (heddle_title_n_lines (node->title) - 1) * HEDDLE_TITLE_LEADING * 15.;

  cover (shown, node->x, node->top - (floats ? FLOAT_ROOM + more : 0.), node->x + node->width + attached,
      node->bottom);
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
place_block (HeddleLayout *self, guint number)
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
  shown->x1 -= PAD;
  shown->x2 += PAD;
  shown->y1 -= PAD + title_room (shown->block, HEDDLE_PLACE_ABOVE);
  shown->y2 += PAD + title_room (shown->block, HEDDLE_PLACE_BELOW);
}

/* Innermost first. */
void
heddle_layout_place_blocks (HeddleLayout *self)
{
  for (guint i = 0; i < self->blocks->len; i++)
    place_block (self, i);
}
