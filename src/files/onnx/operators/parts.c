/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "diagram/expression/expr.h"
#include "files/onnx/context.h"
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"
#include "files/onnx/model.h"
#include "files/onnx/table.h"

/* This file has operators that take parts of an array. */

/* Takes the places start, start + step … of @axis. */
static void
take_places (HeddleImport *self, HeddleFlow *flow, guint axis, gint64 start, gint64 step, gint64 n)
{
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK], *index;
  const HeddleFlow before = *flow;

  if (start == 0 && step == 1 && n == flow->dims[axis].size)
    return;
  for (guint i = 0; i < flow->rank; i++)
    indices[i] = heddle_dim_index (self->sketch, &flow->dims[i]);
  flow->dims[axis] = heddle_dim_new (self->sketch, n, "i");
  heddle_expr_unref (indices[axis]);
  index = heddle_dim_index (self->sketch, &flow->dims[axis]);
  if (flow->dims[axis].axis < 0)
    {
      heddle_expr_unref (index);
      index = heddle_expr_number ((double) start);
    }
  else
    {
      if (step != 1)
        index = heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_number ((double) step), index);
      index = heddle_expr_binary (HEDDLE_EXPR_ADD, index, heddle_expr_number ((double) start));
    }
  indices[axis] = index;
  heddle_flow_reindex (self->sketch, &before, indices, NULL, 0, flow);
}

static gboolean
split (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  g_autoptr (GArray) sizes = NULL;
  guint n = self->node->outputs->len, axis;
  gint64 start = 0, size;
  gboolean found;

  if (input == NULL || n == 0)
    return heddle_import_refuse (self, _ ("an input is missing"));
  if (!heddle_import_axis (self, heddle_onnx_node_int (self->node, "axis", 0), input->rank, &axis)
      || !heddle_import_ints (self, 1, "split", &sizes, &found))
    return FALSE;
  if (found && sizes->len != n)
    return heddle_import_refuse (self, _ ("%u parts for %u outputs"), sizes->len, n);
  size = (input->dims[axis].size + n - 1) / n;
  for (guint i = 0; i < n; i++)
    {
      gint64 part = found ? g_array_index (sizes, gint64, i) : MIN (size, input->dims[axis].size - start);
      HeddleFlow flow = *input;

      part = found ? part : MAX (part, 0);
      if (part < 0 || part > input->dims[axis].size - start)
        return heddle_import_refuse (self, _ ("a size of %" PRId64), part);
      flow.dims[axis].size = part;
      if (heddle_flow_count (&flow) == 0)
        {
          heddle_import_give_empty (self, i, &flow);
          continue;
        }
      flow.dims[axis].size = input->dims[axis].size;
      take_places (self, &flow, axis, start, 1, part);
      heddle_import_give (self, i, &flow);
      start += part;
    }
  return TRUE;
}

/* The part that is taken along one dimension. */
typedef struct
{
  guint axis;
  gint64 start, step, n;
} Places;

/* Starts and ends are counted from the end where they are below 0, and cut where they are outside. */
static gboolean
read_places (HeddleImport *self, gint64 size, gint64 start, gint64 end, gint64 step, Places *places)
{
  if (step == 0 || step < -G_MAXINT32 || step > G_MAXINT32)
    return heddle_import_refuse (self, _ ("a step of %" PRId64), step);
  start = CLAMP (start < 0 ? start + size : start, 0, step < 0 ? size - 1 : size);
  end = CLAMP (end < 0 ? end + size : end, step < 0 ? -1 : 0, size);
  places->start = start;
  places->step = step;
  places->n = step > 0 ? (end - start + step - 1) / step : (start - end - step - 1) / -step;
  places->n = size > 0 ? MAX (places->n, 0) : 0;
  return TRUE;
}

static gboolean
give_places (HeddleImport *self, const HeddleFlow *input, const Places *places, guint n)
{
  HeddleFlow shape = *input, flow = *input;

  for (guint i = 0; i < n; i++)
    shape.dims[places[i].axis].size = places[i].n;
  if (heddle_flow_count (&shape) == 0)
    return heddle_import_give_empty (self, 0, &shape);
  for (guint i = 0; i < n; i++)
    take_places (self, &flow, places[i].axis, places[i].start, places[i].step, places[i].n);
  return heddle_import_give (self, 0, &flow);
}

static gboolean
slice (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  gboolean old = self->opset < 10, found, has_axes, has_steps, seen[HEDDLE_ONNX_MAX_RANK] = { FALSE };
  g_autoptr (GArray) starts = NULL;
  g_autoptr (GArray) ends = NULL;
  g_autoptr (GArray) axes = NULL;
  g_autoptr (GArray) steps = NULL;
  Places places[HEDDLE_ONNX_MAX_RANK];

  if (input == NULL || !heddle_import_ints (self, old ? -1 : 1, "starts", &starts, &found)
      || !heddle_import_ints (self, old ? -1 : 2, "ends", &ends, &found)
      || !heddle_import_ints (self, old ? -1 : 3, "axes", &axes, &has_axes)
      || !heddle_import_ints (self, old ? -1 : 4, NULL, &steps, &has_steps))
    return FALSE;
  if (ends->len != starts->len || (has_axes && axes->len != starts->len)
      || (has_steps && steps->len != starts->len))
    return heddle_import_refuse (self, _ ("the numbers of starts and ends differ"));
  for (guint i = 0; i < starts->len; i++)
    {
      Places *own = &places[MIN (i, HEDDLE_ONNX_MAX_RANK - 1)];

      if (!heddle_import_axis (self, has_axes ? g_array_index (axes, gint64, i) : i, input->rank, &own->axis))
        return FALSE;
      if (seen[own->axis])
        return heddle_import_refuse (self, _ ("a dimension twice"));
      seen[own->axis] = TRUE;
      if (!read_places (self, input->dims[own->axis].size, g_array_index (starts, gint64, i),
              g_array_index (ends, gint64, i), has_steps ? g_array_index (steps, gint64, i) : 1, own))
        return FALSE;
    }
  return give_places (self, input, places, starts->len);
}

const HeddleOnnxOperator heddle_onnx_parts[] = {
  { "Slice", 1, 0, slice },
  { "Split", 1, 0, split },
  { NULL },
};
