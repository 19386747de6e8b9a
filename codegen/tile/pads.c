/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "codegen/tile/expr.h"
#include "codegen/tile/pads.h"
#include "codegen/tile/program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/tidy.h"
#include "diagram/expression/tree.h"

/* --- columns behind the end of an axis --- */

gboolean
heddle_tile_is_ragged (const HeddleTileProgram *self, const HeddleTensorTile *tile)
{
  const HeddleNode *band = NULL;
  gint64 n = heddle_sizes_get (self->sizes, tile->along);

  if (self->stream != NULL && self->stream->axis == tile->along)
    band = self->stream;
  else
    band = heddle_loop_program_get_band (self->program, tile->along, HEDDLE_BAND_GROUP);
  return band != NULL || n != tile->n_along;
}

void
heddle_tile_set_pad (HeddleTensorTile *tile, double pad)
{
  tile->pad_known = TRUE;
  tile->pad = pad;
  tile->pad_row = -1;
}

gboolean
heddle_tile_pad_with (HeddleTileLowering *self, HeddleTensorTile *tile, double pad)
{
  if (!heddle_tile_is_ragged (heddle_tile_made (self), tile) || (tile->pad_known && tile->pad == pad))
    return TRUE;
  if (tile->scale != NULL && pad != 0 && isfinite (pad))
    return heddle_tile_refuse (self->maker, _ ("columns of %s behind its end cannot be masked"),
        heddle_tile_name (heddle_tile_made (self), tile->buffer));
  heddle_tile_add_op (self, HEDDLE_TILE_MASK, tile->buffer, NULL)->pad = pad;
  heddle_tile_set_pad (tile, pad);
  return TRUE;
}

void
heddle_tile_pad_with_row (HeddleTileLowering *self, HeddleTensorTile *tile, guint row)
{
  heddle_tile_add_op (self, HEDDLE_TILE_MASK, tile->buffer, NULL)->pad_row = (int) row;
  tile->pad_known = FALSE;
  tile->pad_row = (int) row;
}

/* The values of an operation's sources beyond the end of @along, as numbers if they are known. */
typedef struct
{
  const HeddleTileLowering *lowering;
  const HeddleNode *node;
  const char *along;
} Pads;

/* Returns the element of a row tile, if the statement reads it too; else it is not known what is there. */
static HeddleExpr *
row_of_source (const Pads *pads, const HeddleExpr *leaf, int row)
{
  for (guint i = 0; i < pads->node->sources->len; i++)
    if (g_array_index (pads->node->sources, guint, i) == (guint) row)
      return heddle_expr_argument (i);
  return heddle_expr_ref ((HeddleExpr *) leaf);
}

static HeddleExpr *
pad_of_source (const HeddleExpr *leaf, gpointer data)
{
  const Pads *pads = data;
  const HeddleTensorTile *tile;
  const HeddleBuffer *buffer;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_ARGUMENT)
    return heddle_expr_ref ((HeddleExpr *) leaf);
  tile = heddle_tile_source (pads->lowering, pads->node, heddle_expr_get_operand (leaf));
  buffer = heddle_loop_program_get_buffer (heddle_tile_made (pads->lowering)->program, tile->buffer);
  if (tile->place == HEDDLE_TILE_GLOBAL && heddle_ids_contain (buffer->axes, pads->along))
    return heddle_expr_number (0); /* reads behind the end give 0, as copies do */
  if (tile->pad_row >= 0)
    return row_of_source (pads, leaf, tile->pad_row);
  if (tile->place == HEDDLE_TILE_COLUMN)
    return heddle_expr_number (0); /* nor has the factor anything there */
  if (tile->unpacked || (tile->place == HEDDLE_TILE_FRAGMENT && tile->pad_known))
    return heddle_expr_number (tile->unpacked ? 0 : tile->pad);
  return heddle_expr_ref ((HeddleExpr *) leaf);
}

gboolean
heddle_tile_pad_of_body (
    const HeddleTileLowering *self, const HeddleNode *node, HeddleExpr *body, const char *along, double *pad)
{
  Pads pads = { self, node, along };
  g_autoptr (HeddleExpr) there = heddle_expr_substitute (body, pad_of_source, &pads);
  g_autoptr (HeddleExpr) cancelled = heddle_tile_cancel (there);
  g_autoptr (HeddleExpr) tidy = heddle_expr_tidy (cancelled);

  return heddle_expr_evaluate (tidy, NULL, NULL, pad, NULL);
}
