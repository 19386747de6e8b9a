/* SPDX-License-Identifier: MIT */
#include "codegen/tile/shifts-private.h"

/* This file tells of operands that are read at shifted indices; find-shifts.c finds them. */

void
heddle_tile_shift_free (gpointer data)
{
  HeddleTileOperandShift *self = data;

  g_array_unref (self->axes);
  for (guint k = 0; k < self->from->len; k++)
    if (g_ptr_array_index (self->from, k) != NULL)
      heddle_expr_unref (g_ptr_array_index (self->from, k));
  g_ptr_array_unref (self->from);
  for (guint k = 0; k < self->sums->len; k++)
    heddle_window_sum_free (g_ptr_array_index (self->sums, k));
  g_ptr_array_unref (self->sums);
  g_free (self);
}

void
heddle_tile_shift_node_free (gpointer data)
{
  HeddleNode *node = data;

  g_ptr_array_unref (node->children);
  g_ptr_array_unref (node->source_indices);
  g_free (node);
}

void
heddle_tile_shift_buffer_free (gpointer data)
{
  HeddleBuffer *buffer = data;

  g_array_unref (buffer->axes);
  g_array_unref (buffer->extents);
  g_free (buffer);
}

void
heddle_tile_shifts_free (HeddleTileShifts *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->program.buffers);
  g_ptr_array_unref (self->nodes);
  g_ptr_array_unref (self->buffers);
  g_hash_table_unref (self->shifts);
  g_free (self);
}

static const HeddleTileOperandShift *
shift_of (const HeddleTileProgram *self, const HeddleBuffer *buffer)
{
  return self->shifts != NULL ? g_hash_table_lookup (self->shifts->shifts, buffer) : NULL;
}

const char *
heddle_tile_array_axis (const HeddleTileProgram *self, const HeddleBuffer *buffer, guint k)
{
  const HeddleTileOperandShift *shift = shift_of (self, buffer);

  return heddle_ids_index (shift != NULL ? shift->axes : buffer->axes, k);
}

HeddleExpr *
heddle_tile_shift (const HeddleTileProgram *self, const HeddleBuffer *buffer, guint k)
{
  const HeddleTileOperandShift *shift = shift_of (self, buffer);

  return shift != NULL ? g_ptr_array_index (shift->from, k) : NULL;
}

gboolean
heddle_tile_shifts_by (const HeddleTileProgram *self, const HeddleBuffer *buffer, guint k, gint64 n)
{
  const HeddleTileOperandShift *shift = shift_of (self, buffer);
  const HeddleWindowSum *sum = shift != NULL ? g_ptr_array_index (shift->sums, k) : NULL;
  gboolean good = sum == NULL || sum->offset % n == 0;

  for (guint i = 0; good && sum != NULL && i < sum->axes->len; i++)
    good = heddle_ids_index (sum->axes, i) == heddle_ids_index (buffer->axes, k)
           || g_array_index (sum->factors, gint64, i) % n == 0;
  return good;
}
