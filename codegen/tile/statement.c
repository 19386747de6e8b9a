/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/tile/columns.h"
#include "codegen/tile/maps.h"
#include "codegen/tile/products.h"
#include "codegen/tile/program.h"
#include "codegen/tile/roles.h"
#include "codegen/tile/statement.h"

/* The statements of a loop program as operations on tiles. */

/* --- what has to be here first --- */

static gboolean
reads_acquired (const HeddleTileLowering *self, const HeddleNode *node)
{
  for (guint i = 0; node->sources != NULL && i < node->sources->len; i++)
    if (heddle_tile_source (self, node, i)->point >= 0)
      return TRUE;
  return FALSE;
}

/* Returns whether the statement, or one after it, reads what an earlier point brought: the next point would
 * give its slot away. */
static gboolean
is_still_read (const HeddleTileLowering *self, const HeddleNode *node)
{
  const GPtrArray *children = heddle_tile_made (self)->stream->children;
  guint i = 0;

  while (i < children->len && g_ptr_array_index (children, i) != node)
    i++;
  for (; i < children->len; i++)
    if (reads_acquired (self, g_ptr_array_index (children, i)))
      return TRUE;
  return FALSE;
}

/* Assigns a tile of the ring to a point. A tile that a statement is the first to read belongs to the point
 * that is open, or opens one; while an array that came before is still read, it comes with that. */
static void
need_streamed (HeddleTileLowering *self, const HeddleNode *node, HeddleTensorTile *tile)
{
  if (tile->point >= 0)
    return;
  if (self->group < 0 && is_still_read (self, node))
    self->group = (int) heddle_tile_made (self)->points - 1;
  if (self->group < 0)
    {
      self->group = (int) heddle_tile_made (self)->points++;
      heddle_tile_add_op (self, HEDDLE_TILE_ACQUIRE, (guint) self->group, NULL);
    }
  tile->point = self->group;
  if (tile->unpacked)
    heddle_tile_add_op (self, HEDDLE_TILE_UNPACK, tile->buffer, NULL);
}

static gboolean
is_streamed (const HeddleTileLowering *self, const HeddleTensorTile *tile)
{
  return heddle_tile_is_streamed (
      heddle_loop_program_get_buffer (heddle_tile_made (self)->program, tile->buffer));
}

static void
need_sources (HeddleTileLowering *self, const HeddleNode *node)
{
  for (guint i = 0; node->sources != NULL && i < node->sources->len; i++)
    {
      HeddleTensorTile *tile = heddle_tile_source (self, node, i);

      if (tile->place != HEDDLE_TILE_SHARED)
        continue;
      if (self->streamed && is_streamed (self, tile))
        need_streamed (self, node, tile);
      else if (!self->streamed && !self->acquired)
        {
          heddle_tile_add_op (self, HEDDLE_TILE_ACQUIRE, G_MAXUINT, NULL);
          self->acquired = TRUE;
        }
    }
}

/* --- statements --- */

static gboolean
check_sources (HeddleTileLowering *self, const HeddleNode *node)
{
  const HeddleTensorTile *result = heddle_tile_at (heddle_tile_made (self), node->buffer);

  for (guint i = 0; node->sources != NULL && i < node->sources->len; i++)
    {
      const HeddleTensorTile *tile = heddle_tile_source (self, node, i);
      gboolean columns
          = tile->place == HEDDLE_TILE_FRAGMENT || tile->place == HEDDLE_TILE_COLUMN || tile->unpacked;

      if (node != self->maker->windowed && node->source_indices != NULL
          && g_ptr_array_index (node->source_indices, i) != NULL)
        return heddle_tile_refuse (self->maker, _ ("%s is read at computed indices"),
            heddle_tile_name (heddle_tile_made (self), tile->buffer));
      if (columns && node->over->len == 0 && tile->along != result->along)
        return heddle_tile_refuse (self->maker, _ ("%s has other columns than %s"),
            heddle_tile_name (heddle_tile_made (self), tile->buffer),
            heddle_tile_name (heddle_tile_made (self), node->buffer));
    }
  return TRUE;
}

static gboolean
lower_compute (HeddleTileLowering *self, const HeddleNode *node)
{
  guint left, right;

  if (!check_sources (self, node))
    return FALSE;
  if (node->accumulate && node->over->len == 0)
    return heddle_tile_refuse (self->maker, _ ("%s is added to step by step"),
        heddle_tile_name (heddle_tile_made (self), node->buffer));
  need_sources (self, node);
  if (heddle_tile_at (heddle_tile_made (self), node->buffer)->place == HEDDLE_TILE_COLUMN)
    return !heddle_tile_is_contraction (node, &left, &right) /* they begin with 0 */
           || heddle_tile_lower_columns (self, node, left, right);
  if (heddle_tile_is_contraction (node, &left, &right)
      && heddle_tile_at (heddle_tile_made (self), node->buffer)->place == HEDDLE_TILE_FRAGMENT)
    return heddle_tile_lower_contraction (self, node, left, right);
  return node->over->len > 0 ? heddle_tile_lower_reduction (self, node) : heddle_tile_lower_map (self, node);
}

static gboolean
lower_statement (HeddleTileLowering *self, const HeddleNode *node)
{
  const HeddleTileProgram *made = heddle_tile_made (self);
  const HeddleTensorTile *tile = heddle_tile_at (made, node->buffer);
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (made->program, node->buffer);

  switch (node->kind)
    {
    case HEDDLE_NODE_LOAD:
      if (tile->place == HEDDLE_TILE_SHARED && !is_streamed (self, tile))
        {
          heddle_tile_add_op (self, HEDDLE_TILE_COPY, node->buffer, node);
          self->acquired = FALSE;
        }
      return TRUE;
    case HEDDLE_NODE_SAVE:
      if (tile->place != HEDDLE_TILE_COLUMN && !heddle_tile_check_spacing (self->maker, buffer))
        return FALSE;
      heddle_tile_add_op (self, HEDDLE_TILE_STORE, node->buffer, node);
      return TRUE;
    default:
      return lower_compute (self, node);
    }
}

static gboolean
lower_stream (HeddleTileLowering *self)
{
  HeddleTileLowering body
      = { .maker = self->maker, .ops = heddle_tile_made (self)->body, .streamed = TRUE, .group = -1 };
  const GPtrArray *children = heddle_tile_made (self)->stream->children;

  for (guint i = 0; i < children->len; i++)
    if (!lower_statement (&body, g_ptr_array_index (children, i)))
      return FALSE;
  if (heddle_tile_made (self)->points == 0)
    return heddle_tile_refuse (self->maker, _ ("no factor of a product is streamed"));
  self->ops = heddle_tile_made (self)->epilogue;
  self->acquired = TRUE;
  heddle_tile_lower_spread (self);
  return TRUE;
}

gboolean
heddle_tile_lower (HeddleTileMaker *maker)
{
  HeddleTileLowering self = { .maker = maker, .ops = maker->made->prologue, .group = -1 };

  for (guint i = 0; i < maker->inner->children->len; i++)
    {
      const HeddleNode *child = g_ptr_array_index (maker->inner->children, i);

      if (!(child->kind == HEDDLE_NODE_BAND ? lower_stream (&self) : lower_statement (&self, child)))
        return FALSE;
    }
  return TRUE;
}
