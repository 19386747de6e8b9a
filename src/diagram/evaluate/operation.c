/* SPDX-License-Identifier: MIT */
#include "diagram/evaluate/batch.h"
#include "diagram/evaluate/operation.h"
#include "diagram/evaluate/reindex.h"
#include "diagram/evaluate/share.h"

#include <string.h>

HeddleBatch *
heddle_run_batch (const HeddleRun *self, const GArray *axes)
{
  HeddleBatch *batch = heddle_batch_new (self->evaluation->sizes, axes);

  for (guint i = 0; i < self->operand_values->len; i++)
    heddle_batch_add_cursor (batch, heddle_run_operand_axes (self, i));
  return batch;
}

/* --- maps ---------------------------------------------------------------------------- */

static gboolean
map_points (gint64 begin, gint64 end, gpointer data, GError **error)
{
  HeddleRun *self = data;
  g_autoptr (HeddleBatch) batch = heddle_run_batch (self, self->value->axes);
  HeddleBinding binding = { batch, self->operand_values->len, self->data, NULL, NULL };
  g_autoptr (HeddleBound) body = heddle_bound_new (self->operation->body, &binding, error);

  if (body == NULL)
    return FALSE;
  heddle_batch_seek (batch, begin);
  for (gint64 at = begin; at < end; at += batch->n_points)
    {
      guint n = heddle_batch_take (batch, end - at);

      memcpy (self->result->data + at, heddle_bound_run (body, n), n * sizeof (double));
    }
  return TRUE;
}

gboolean
heddle_run_map (HeddleRun *self, GError **error)
{
  return heddle_evaluation_share (
      self->evaluation, self->result->n_elements, HEDDLE_POINTS_PER_PIECE, map_points, self, error);
}

/* --- reindexing ---------------------------------------------------------------------- */

static gboolean
read_points (gint64 begin, gint64 end, gpointer data, GError **error)
{
  HeddleRun *self = data;
  g_autoptr (HeddleBatch) batch = heddle_run_batch (self, self->value->axes);
  g_autofree gint64 *strides = heddle_run_operand_strides (self, heddle_run_operand_axes (self, 0));
  g_autoptr (HeddleReader) reader = heddle_reader_new (self, batch, strides, error);
  const double *from = self->data[0];

  if (reader == NULL)
    return FALSE;
  heddle_batch_seek (batch, begin);
  for (gint64 at = begin; at < end; at += batch->n_points)
    {
      guint n = heddle_batch_take (batch, end - at);
      const gint64 *offsets = heddle_reader_locate (reader);
      double *out = self->result->data + at;

      for (guint i = 0; i < n; i++)
        out[i] = offsets[i] >= 0 ? from[offsets[i]] : 0.;
    }
  return TRUE;
}

gboolean
heddle_run_reindex (HeddleRun *self, GError **error)
{
  return heddle_evaluation_share (
      self->evaluation, self->result->n_elements, HEDDLE_POINTS_PER_PIECE, read_points, self, error);
}
