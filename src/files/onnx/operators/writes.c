/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "files/onnx/context.h"
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"
#include "files/onnx/model.h"
#include "files/onnx/sketch.h"
#include "files/onnx/table.h"
#include "files/onnx/tensor.h"

/* This file has operators that write into a copy of an array, at places that another array holds. In a
 * diagram each place looks for what is written there: the last that is, or all of them together. */

/* The way in which what is written at one place is combined with what was there. */
typedef struct
{
  const char *name, *kind, *together;
  double neutral;
} Way;

static const Way ways[] = {
  { "add", "sum", "$0 + $1", 0. },
  { "mul", "prod", "$0*$1", 1. },
  { "max", "max", "max($0, $1)", -INFINITY },
  { "min", "min", "min($0, $1)", INFINITY },
};

/* A write: numbers @updates go into @data along @axis, at the places @at, whose other dimensions are those of
 * the data or 1. */
typedef struct
{
  const HeddleFlow *data;
  HeddleFlow at, updates;
  guint axis;
} Writing;

/* Returns the flow with one more dimension of size 1, before number @place. */
static HeddleFlow
widen (const HeddleFlow *flow, guint place)
{
  HeddleFlow wide = *flow;

  memmove (&wide.dims[place + 1], &wide.dims[place], (flow->rank - place) * sizeof *wide.dims);
  wide.dims[place] = (HeddleDim){ 1, -1 };
  wide.rank++;
  return wide;
}

/* Returns the index along @dim, as number @place of @rank dimensions. */
static HeddleFlow
index_along (HeddleImport *self, const HeddleDim *dim, guint place, guint rank)
{
  HeddleDim dims[HEDDLE_ONNX_MAX_RANK];
  HeddleFlow flow;

  for (guint i = 0; i < rank; i++)
    dims[i] = i == place ? *dim : (HeddleDim){ 1, -1 };
  heddle_import_fill (self, heddle_dim_index (self->sketch, dim), dims, rank, HEDDLE_ONNX_INT64, &flow);
  return flow;
}

/* Maps @body of the places ($0), of the index along the axis ($1) and of @third ($2), then combines
 * everything that is written. */
static gboolean
bring_together (HeddleImport *self, const Writing *writing, const HeddleFlow *third, HeddleExpr *body,
    const char *kind, int type, HeddleFlow *result)
{
  const guint axis = writing->axis, rank = writing->data->rank + 1;
  HeddleFlow at = widen (&writing->at, axis);
  HeddleFlow here = index_along (self, &writing->data->dims[axis], axis, rank), all;
  const HeddleFlow *operands[] = { &at, &here, third };
  gboolean reduced[HEDDLE_ONNX_MAX_RANK] = { FALSE };

  if (!heddle_flow_map (self->sketch, operands, 3, body, type, &all))
    return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  reduced[axis + 1] = TRUE;
  heddle_flow_reduce (self->sketch, &all, kind, reduced, FALSE, type, result);
  return TRUE;
}

/* Reads the updates at @places, or outside of them. */
static gboolean
read_updates (HeddleImport *self, const Writing *writing, const HeddleFlow *places, HeddleFlow *result)
{
  HeddleLabelled operands[] = { { .flow = writing->data }, { .flow = places } };
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  HeddleLabelling labelling = { { 0 } };
  const guint rank = writing->data->rank;
  int value;

  for (guint i = 0; i < rank; i++)
    operands[0].labels[i] = operands[1].labels[i] = (int) i;
  if (!heddle_label (self->sketch, operands, 2, &labelling))
    return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  value = heddle_label_view (self->sketch, &operands[1], &labelling);
  heddle_label_result (&labelling, operands[0].labels, rank, writing->data->type, result);
  for (guint i = 0; i < rank; i++)
    indices[i] = i == writing->axis      ? heddle_expr_argument (1)
                 : labelling.axes[i] < 0 ? heddle_expr_number (0.)
                                         : heddle_sketch_index (self->sketch, labelling.axes[i]);
  heddle_flow_reindex (self->sketch, &writing->updates, indices, &value, 1, result);
  return TRUE;
}

/* Keeps the last that is written at a place. */
static gboolean
write_last (HeddleImport *self, const Writing *writing, HeddleFlow *result)
{
  const guint axis = writing->axis, rank = writing->data->rank + 1;
  HeddleFlow order = index_along (self, &writing->at.dims[axis], axis + 1, rank), places, written;
  const HeddleFlow *operands[] = { &places, &written, writing->data };

  if (!bring_together (self, writing, &order, heddle_import_expr ("where($0 == $1, $2, -1)", 0., 0., 0.),
          "max", HEDDLE_ONNX_INT64, &places)
      || !read_updates (self, writing, &places, &written))
    return FALSE;
  return heddle_flow_map (self->sketch, operands, 3,
             heddle_import_expr ("where($0 >= 0, $1, $2)", 0., 0., 0.), writing->data->type, result)
         || heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
}

static gboolean
write_all (HeddleImport *self, const Writing *writing, const Way *way, HeddleFlow *result)
{
  const HeddleFlow *operands[2] = { writing->data, result };
  const int type = writing->data->type;
  HeddleFlow updates = widen (&writing->updates, writing->axis), all;

  if (!isfinite (way->neutral) && !heddle_dtype_is_real (heddle_onnx_dtype (type)))
    return heddle_import_refuse (self, _ ("the reduction “%s” of whole numbers"), way->name);
  operands[1] = &all;
  return bring_together (self, writing, &updates,
             heddle_import_expr ("where($0 == $1, $2, a)", way->neutral, 0., 0.), way->kind, type, &all)
         && (heddle_flow_map (
                 self->sketch, operands, 2, heddle_import_expr (way->together, 0., 0., 0.), type, result)
             || heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together")));
}

static gboolean
write_into (HeddleImport *self, const Writing *writing, HeddleFlow *result)
{
  const char *name = heddle_onnx_node_text (self->node, "reduction", "none");

  if (writing->data->rank + 1 > HEDDLE_ONNX_MAX_RANK)
    return heddle_import_refuse (self, _ ("so many dimensions"));
  if (g_str_equal (name, "none"))
    return write_last (self, writing, result);
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    if (g_str_equal (ways[i].name, name))
      return write_all (self, writing, &ways[i], result);
  return heddle_import_refuse (self, _ ("the reduction “%s”"), name);
}

/* Makes indices below 0, which count from the end, count from the start. */
static gboolean
count_from_start (HeddleImport *self, HeddleFlow *at, gint64 size)
{
  const HeddleFlow before = *at, *operand = &before;

  if (!heddle_import_check_indices (self, at))
    return FALSE;
  return !heddle_import_has_negative (self, &before)
         || heddle_flow_map (self->sketch, &operand, 1,
             heddle_import_expr ("where($0 < 0, $0 + a, $0)", (double) size, 0., 0.), at->type, at);
}

/* --- element by element ------------------------------------------------------------------------------------- */

static gboolean
has_sizes (const HeddleFlow *a, const HeddleFlow *b, int but)
{
  for (guint i = 0; i < a->rank && a->rank == b->rank; i++)
    if ((int) i != but && a->dims[i].size != b->dims[i].size)
      return FALSE;
  return a->rank == b->rank;
}

/* Returns whether the indices are for a part of the data alone, along other axes than @axis: ONNX leaves what is
 * beyond as it is. */
static gboolean
are_for_a_part (const HeddleFlow *data, const HeddleFlow *at, guint axis)
{
  for (guint i = 0; i < at->rank && at->rank == data->rank; i++)
    if (i != axis && at->dims[i].size > data->dims[i].size)
      return FALSE;
  return at->rank == data->rank && !has_sizes (data, at, (int) axis);
}

static gboolean
scatter_elements (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *data = heddle_import_input (self, 0), *at = heddle_import_input (self, 1),
                   *updates = heddle_import_input (self, 2);
  Writing writing = { .data = data };
  HeddleFlow result;

  if (data == NULL || at == NULL || updates == NULL)
    return heddle_import_refuse (self, _ ("an input is missing"));
  if (!heddle_import_axis (self, heddle_onnx_node_int (self->node, "axis", 0), data->rank, &writing.axis))
    return FALSE;
  if (has_sizes (at, updates, -1) && are_for_a_part (data, at, writing.axis))
    return heddle_import_refuse (self, _ ("indices for a part of the data alone"));
  if (!has_sizes (at, updates, -1) || !has_sizes (data, at, (int) writing.axis))
    return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  if (heddle_flow_count (at) == 0)
    return heddle_import_give (self, 0, data);
  writing.at = *at;
  writing.updates = *updates;
  return count_from_start (self, &writing.at, data->dims[writing.axis].size)
         && write_into (self, &writing, &result) && heddle_import_give (self, 0, &result);
}

/* --- part by part ------------------------------------------------------------------------------------------------ */

/* Takes number @k of each index, along the first axes of the indices. */
static gboolean
part_of_indices (HeddleImport *self, const HeddleFlow *at, guint k, gint64 size, HeddleFlow *part)
{
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];

  *part = *at;
  part->rank--;
  for (guint i = 0; i < part->rank; i++)
    indices[i] = heddle_dim_index (self->sketch, &part->dims[i]);
  indices[part->rank] = heddle_expr_number (k);
  heddle_flow_reindex (self->sketch, at, indices, NULL, 0, part);
  return count_from_start (self, part, size);
}

/* Turns the indices into places in the merged first dimensions of the data, in one row; adds as many
 * dimensions of size 1 after them as the data has others. */
static gboolean
put_indices_together (
    HeddleImport *self, const HeddleFlow *data, const HeddleFlow *at, guint depth, HeddleFlow *result)
{
  gint64 shape[HEDDLE_ONNX_MAX_RANK] = { heddle_flow_count (at) / depth };
  HeddleFlow place, part;

  for (guint k = 0; k < depth; k++)
    {
      const HeddleFlow *operands[] = { &place, &part };
      HeddleFlow sum;

      if (!part_of_indices (self, at, k, data->dims[k].size, &part))
        return FALSE;
      if (k > 0)
        heddle_flow_map (self->sketch, operands, 2,
            heddle_import_expr ("$0*a + $1", (double) data->dims[k].size, 0., 0.), HEDDLE_ONNX_INT64, &sum);
      place = k > 0 ? sum : part;
    }
  for (guint i = depth; i < data->rank; i++)
    shape[1 + i - depth] = 1;
  heddle_flow_reshape (self->sketch, &place, shape, 1 + data->rank - depth, result);
  return TRUE;
}

/* Returns @flow with its first @depth dimensions merged. */
static HeddleFlow
put_dims_together (HeddleImport *self, const HeddleFlow *flow, guint depth)
{
  gint64 shape[HEDDLE_ONNX_MAX_RANK] = { 1 };
  HeddleFlow result;

  for (guint i = 0; i < depth; i++)
    shape[0] *= flow->dims[i].size;
  for (guint i = depth; i < flow->rank; i++)
    shape[1 + i - depth] = flow->dims[i].size;
  if (depth == 1)
    return *flow;
  heddle_flow_reshape (self->sketch, flow, shape, 1 + flow->rank - depth, &result);
  return result;
}

static gboolean
are_updates_of (const HeddleFlow *data, const HeddleFlow *at, const HeddleFlow *updates, gint64 depth)
{
  if (depth < 1 || depth > data->rank || updates->rank != at->rank - 1 + data->rank - depth)
    return FALSE;
  for (guint i = 0; i < updates->rank; i++)
    if (updates->dims[i].size
        != (i + 1 < at->rank ? at->dims[i].size : data->dims[i + 1 - at->rank + depth].size))
      return FALSE;
  return TRUE;
}

static gboolean
scatter_nd (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *data = heddle_import_input (self, 0), *at = heddle_import_input (self, 1),
                   *updates = heddle_import_input (self, 2);
  const gint64 depth = at != NULL && at->rank > 0 ? at->dims[at->rank - 1].size : 0;
  gint64 shape[HEDDLE_ONNX_MAX_RANK];
  HeddleFlow together, made, result;
  Writing writing = { .data = &together };

  if (data == NULL || at == NULL || updates == NULL || !are_updates_of (data, at, updates, depth))
    return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  if (heddle_flow_count (updates) == 0)
    return heddle_import_give (self, 0, data);
  together = put_dims_together (self, data, (guint) depth);
  writing.updates = at->rank > 1 ? put_dims_together (self, updates, at->rank - 1) : widen (updates, 0);
  if (!put_indices_together (self, data, at, (guint) depth, &writing.at)
      || !write_into (self, &writing, &made))
    return FALSE;
  for (guint i = 0; i < data->rank; i++)
    shape[i] = data->dims[i].size;
  result = made;
  if (depth > 1)
    heddle_flow_reshape (self->sketch, &made, shape, data->rank, &result);
  return heddle_import_give (self, 0, &result);
}

const HeddleOnnxOperator heddle_onnx_writes[] = {
  { "Scatter", 9, 10, scatter_elements },
  { "ScatterElements", 11, 0, scatter_elements },
  { "ScatterND", 11, 0, scatter_nd },
  { NULL },
};
