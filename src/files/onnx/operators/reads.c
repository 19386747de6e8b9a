/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "diagram/base/array.h"
#include "diagram/expression/expr.h"
#include "files/onnx/context.h"
#include "files/onnx/flow-places.h"
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"
#include "files/onnx/model.h"
#include "files/onnx/sketch.h"
#include "files/onnx/table.h"
#include "files/onnx/tensor.h"

/* This file has operators that read an array elsewhere: at indices that another array holds, at its border,
 * between its points. */

static HeddleExpr *
number (double value)
{
  return heddle_expr_number (value);
}

/* --- gathers ---------------------------------------------------------------------------------- */

/* Returns argument @argument as an index along @dim, counted from the end if it is below 0; a table of
 * parameters is never read so at an input of the model. */
static HeddleExpr *
index_by (HeddleImport *self, const HeddleFlow *indices, guint argument, gint64 size, gboolean is_table)
{
  HeddleExpr *at = heddle_expr_argument (argument);

  if (is_table || !heddle_import_has_negative (self, indices))
    return at;
  return heddle_expr_where (heddle_expr_binary (HEDDLE_EXPR_LT, heddle_expr_ref (at), number (0.)),
      heddle_expr_binary (HEDDLE_EXPR_ADD, heddle_expr_ref (at), number ((double) size)), at);
}

#define OF_INDICES 40 /* labels */

/* Returns the place along an axis of another size than @size as a sum, so that the axes are not taken for the
 * same. */
static HeddleExpr *
apart_by_size (HeddleImport *self, HeddleExpr *places, gint64 size)
{
  if (heddle_expr_get_kind (places) == HEDDLE_EXPR_INDEX
      && heddle_sketch_size (
             self->sketch, heddle_sketch_axis_of (self->sketch, heddle_expr_get_symbol (places)))
             != size)
    return heddle_expr_binary (HEDDLE_EXPR_ADD, heddle_expr_ref (places), number (0.));
  return heddle_expr_ref (places);
}

/* Gathers: the value of each index is within the read, under axes that differ from those of the data. */
static gboolean
gather (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *data = heddle_import_input (self, 0), *at = heddle_import_input (self, 1);
  HeddleLabelled operands[2] = { { .flow = data }, { .flow = at } };
  g_autoptr (HeddleExpr) places = NULL;
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  int labels[2 * HEDDLE_ONNX_MAX_RANK], value;
  HeddleLabelling labelling = { { 0 } };
  HeddleFlow result;
  double place;
  guint axis, n = 0;
  gboolean is_table;

  if (data == NULL || at == NULL || data->rank + at->rank > HEDDLE_ONNX_MAX_RANK
      || !heddle_import_axis (self, heddle_onnx_node_int (self->node, "axis", 0), data->rank, &axis))
    return heddle_import_refuse (self, _ ("an input is missing"));
  if (!heddle_import_check_indices (self, at))
    return FALSE;
  is_table = axis == 0 && heddle_sketch_is_known (self->sketch, data->value) && at->rank > 0
             && !heddle_sketch_is_known (self->sketch, at->value);
  for (guint i = 0; i < data->rank; i++)
    {
      operands[0].labels[i] = (int) i;
      for (guint j = 0; i == axis && j < at->rank; j++)
        operands[1].labels[j] = labels[n++] = OF_INDICES + (int) j;
      if (i != axis)
        labels[n++] = (int) i;
    }
  if (!heddle_label (self->sketch, operands, 2, &labelling))
    return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  value = heddle_label_view (self->sketch, &operands[1], &labelling);
  heddle_label_result (&labelling, labels, n, data->type, &result);
  for (guint i = 0; i < data->rank; i++)
    indices[i] = labelling.axes[i] < 0 || data->dims[i].axis < 0
                     ? number (0.)
                     : heddle_sketch_index (self->sketch, labelling.axes[i]);
  heddle_expr_unref (indices[axis]);
  if (heddle_flow_scalar (self->sketch, at, &place))
    {
      indices[axis] = number (place < 0. ? place + (double) data->dims[axis].size : place);
      heddle_flow_reindex (self->sketch, data, indices, NULL, 0, &result);
    }
  else if ((places = heddle_flow_places (self->sketch, &operands[1], &labelling)) != NULL
           && (is_table || !heddle_import_has_negative (self, at)))
    {
      indices[axis] = apart_by_size (self, places, data->dims[axis].size);
      heddle_flow_reindex (self->sketch, data, indices, NULL, 0, &result);
    }
  else
    {
      indices[axis] = index_by (self, at, 1, data->dims[axis].size, is_table);
      heddle_flow_reindex (self->sketch, data, indices, &value, 1, &result);
    }
  return heddle_import_give (self, 0, &result);
}

static gboolean
gather_elements (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *data = heddle_import_input (self, 0), *at = heddle_import_input (self, 1);
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  HeddleFlow result;
  guint axis;

  if (data == NULL || at == NULL || data->rank != at->rank
      || !heddle_import_axis (self, heddle_onnx_node_int (self->node, "axis", 0), data->rank, &axis))
    return heddle_import_refuse (self, _ ("an input is missing"));
  if (!heddle_import_check_indices (self, at))
    return FALSE;
  for (guint i = 0; i < data->rank; i++)
    if (i != axis && at->dims[i].size > data->dims[i].size)
      return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  result = *at;
  result.type = data->type;
  for (guint i = 0; i < data->rank; i++)
    {
      indices[i] = i == axis ? index_by (self, at, 1, data->dims[i].size, FALSE)
                             : heddle_dim_index (self->sketch, &at->dims[i]);
      if (i != axis && at->dims[i].size != data->dims[i].size)
        indices[i] = heddle_expr_binary (HEDDLE_EXPR_ADD, indices[i], number (0.));
    }
  heddle_flow_reindex (self->sketch, data, indices, &at->value, 1, &result);
  return heddle_import_give (self, 0, &result);
}

/* Gathers at several indices: the last dimension of the indices counts the dimensions that they are indices
 * into. */
static gboolean
gather_nd (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *data = heddle_import_input (self, 0), *at = heddle_import_input (self, 1);
  gint64 batch = heddle_onnx_node_int (self->node, "batch_dims", 0), depth;
  HeddleLabelled operands[2] = { { .flow = data }, { .flow = at } };
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  int labels[2 * HEDDLE_ONNX_MAX_RANK], values[HEDDLE_ONNX_MAX_RANK];
  HeddleLabelling labelling = { { 0 } };
  HeddleFlow result;
  guint n = 0;

  if (data == NULL || at == NULL || at->rank == 0 || data->rank + at->rank > HEDDLE_ONNX_MAX_RANK || batch < 0
      || batch >= at->rank || (depth = at->dims[at->rank - 1].size) + batch > data->rank || depth < 1)
    return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  for (gint64 i = 0; i < batch; i++)
    if (at->dims[i].size != data->dims[i].size)
      return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  if (!heddle_import_check_indices (self, at))
    return FALSE;
  for (guint i = 0; i < at->rank; i++)
    {
      operands[1].labels[i] = i < batch ? (int) i : OF_INDICES + (int) i;
      if (i + 1 < at->rank)
        labels[n++] = operands[1].labels[i];
    }
  for (guint i = 0; i < data->rank; i++)
    {
      operands[0].labels[i] = (int) i;
      if (i >= batch + depth)
        labels[n++] = (int) i;
    }
  if (!heddle_label (self->sketch, operands, 2, &labelling))
    return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  heddle_label_result (&labelling, labels, n, data->type, &result);
  for (guint k = 0; k < depth; k++)
    {
      HeddleFlow part;

      heddle_label_result (&labelling, operands[1].labels, at->rank - 1, at->type, &part);
      for (guint i = 0; i < at->rank; i++)
        indices[i] = i + 1 == at->rank ? number (k) : heddle_dim_index (self->sketch, &part.dims[i]);
      heddle_flow_reindex (self->sketch, at, indices, NULL, 0, &part);
      values[k] = part.value;
    }
  for (guint i = 0; i < data->rank; i++)
    indices[i] = i >= batch && i < batch + depth
                     ? index_by (self, at, (guint) (1 + i - batch), data->dims[i].size, FALSE)
                 : labelling.axes[i] < 0 ? number (0.)
                                         : heddle_sketch_index (self->sketch, labelling.axes[i]);
  heddle_flow_reindex (self->sketch, data, indices, values, (guint) depth, &result);
  return heddle_import_give (self, 0, &result);
}

static gboolean
compress (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *data = heddle_import_input (self, 0);
  const HeddleOnnxAttribute *given = heddle_onnx_node_attribute (self->node, "axis");
  g_autoptr (HeddleArray) condition = NULL;
  g_autofree gint64 *places = NULL;
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  HeddleFlow flat, chosen, result;
  guint axis = 0, n = 0;
  gint64 whole;

  if (data == NULL || (condition = heddle_import_constant (self, 1)) == NULL
      || (given != NULL && !heddle_import_axis (self, given->i, data->rank, &axis)))
    return heddle_import_refuse (self, _ ("an input is missing"));
  flat = *data;
  whole = heddle_flow_count (data);
  if (given == NULL)
    heddle_flow_reshape (self->sketch, data, &whole, 1, &flat);
  places = g_new0 (gint64, condition->n_elements + 1);
  for (gint64 i = 0; i < MIN (condition->n_elements, flat.dims[axis].size); i++)
    if (condition->data[i] != 0.)
      places[n++] = i;
  if (n == 0)
    return heddle_import_refuse (self, _ ("an array without elements"));
  chosen = heddle_import_known_ints (self, places, n);
  result = flat;
  result.dims[axis] = chosen.dims[0];
  for (guint i = 0; i < flat.rank; i++)
    indices[i] = i == axis ? heddle_expr_argument (1) : heddle_dim_index (self->sketch, &flat.dims[i]);
  heddle_flow_reindex (self->sketch, &flat, indices, &chosen.value, 1, &result);
  return heddle_import_give (self, 0, &result);
}

/* --- repetitions ---------------------------------------------------------------------------------------- */

static gboolean
tile (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  g_autoptr (GArray) times = NULL;
  gboolean found;
  HeddleFlow result;

  if (input == NULL || !heddle_import_ints (self, 1, NULL, &times, &found) || times->len != input->rank)
    return heddle_import_refuse (self, _ ("the numbers of times"));
  result = *input;
  for (guint i = 0; i < input->rank; i++)
    {
      gint64 n = g_array_index (times, gint64, i);

      if (n < 1 || n > G_MAXINT32)
        return heddle_import_refuse (self, _ ("an array without elements"));
      if (n > 1)
        result.dims[i] = heddle_dim_new (self->sketch, input->dims[i].size * n, "t");
      indices[i] = heddle_dim_index (self->sketch, &result.dims[i]);
      if (n > 1)
        indices[i] = heddle_expr_binary (HEDDLE_EXPR_MOD, indices[i], number ((double) input->dims[i].size));
    }
  heddle_flow_reindex (self->sketch, input, indices, NULL, 0, &result);
  return heddle_import_give (self, 0, &result);
}

/* Repeats @input along the dimensions of @result that it lacks or has with size 1. */
static void
spread (HeddleImport *self, const HeddleFlow *input, HeddleFlow *result)
{
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  HeddleFlow narrow = { .type = input->type };
  int axes[HEDDLE_ONNX_MAX_RANK];
  gboolean same = TRUE;
  guint n = 0;

  for (guint i = 0; i < input->rank; i++)
    {
      const HeddleDim *dim = &result->dims[result->rank - input->rank + i];

      same = same && (input->dims[i].axis < 0 || dim->size == input->dims[i].size);
      indices[i]
          = dim->size == input->dims[i].size ? heddle_dim_index (self->sketch, &input->dims[i]) : number (0.);
      if (dim->size == input->dims[i].size)
        narrow.dims[narrow.rank++] = input->dims[i];
    }
  narrow.value = input->value;
  if (!same)
    heddle_flow_reindex (self->sketch, input, indices, NULL, 0, &narrow);
  for (guint i = 0; same && i < input->rank; i++)
    heddle_expr_unref (indices[i]);
  for (guint i = 0; i < result->rank; i++)
    if (result->dims[i].axis >= 0)
      axes[n++] = heddle_sketch_find (self->sketch, result->dims[i].axis);
  result->value = heddle_sketch_map (
      self->sketch, &narrow.value, 1, axes, n, heddle_expr_argument (0), heddle_onnx_dtype (input->type));
}

static gboolean
expand (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  gboolean found, wider = FALSE;
  g_autoptr (GArray) shape = NULL;
  HeddleFlow result, filled;
  double alone;
  guint rank;

  if (input == NULL || !heddle_import_ints (self, 1, NULL, &shape, &found)
      || shape->len > HEDDLE_ONNX_MAX_RANK)
    return heddle_import_refuse (self, _ ("the shape"));
  rank = MAX (shape->len, input->rank);
  result = (HeddleFlow){ .type = input->type, .rank = rank, .value = input->value };
  for (guint i = 0; i < rank; i++)
    {
      gint64 size = i + shape->len >= rank ? g_array_index (shape, gint64, i + shape->len - rank) : 1;
      const HeddleDim *own = i + input->rank >= rank ? &input->dims[i + input->rank - rank] : NULL;

      if (size < 1 || (own != NULL && own->size != 1 && size != 1 && size != own->size))
        return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
      wider = wider || size > (own != NULL ? own->size : 1);
      result.dims[i] = own != NULL && own->size >= size ? *own : heddle_dim_new (self->sketch, size, "e");
    }
  if (wider && heddle_flow_scalar (self->sketch, input, &alone))
    return heddle_import_fill (self, heddle_expr_number (alone), result.dims, rank, input->type, &filled)
           && heddle_import_give (self, 0, &filled);
  if (wider)
    spread (self, input, &result);
  return heddle_import_give (self, 0, &result);
}

const HeddleOnnxOperator heddle_onnx_reads[] = {
  { "Compress", 9, 0, compress },
  { "Expand", 8, 0, expand },
  { "Gather", 1, 0, gather },
  { "GatherElements", 11, 0, gather_elements },
  { "GatherND", 11, 0, gather_nd },
  { "Tile", 6, 0, tile },
  { NULL },
};
