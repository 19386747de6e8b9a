/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "files/onnx/context.h"
#include "files/onnx/model.h"
#include "files/onnx/operators/shapes.h"
#include "files/onnx/sketch.h"
#include "files/onnx/table.h"
#include "files/onnx/tensor.h"

/* This file has operators that only rearrange the same numbers. */

static const HeddleFlow *
first_input (HeddleImport *self)
{
  const HeddleFlow *input = heddle_import_input (self, 0);

  if (input == NULL)
    heddle_import_refuse (self, _ ("an input is missing"));
  return input;
}

static gboolean
give_reshaped (HeddleImport *self, const HeddleFlow *input, const gint64 *shape, guint rank)
{
  gint64 n = 1;
  HeddleFlow result;

  for (guint i = 0; i < rank; i++)
    if (shape[i] < 0 || (shape[i] > 0 && n > G_MAXINT64 / shape[i]))
      return heddle_import_refuse (self, _ ("a size of %" PRId64), shape[i]);
    else
      n *= shape[i];
  if (n != heddle_flow_count (input))
    return heddle_import_refuse (self, _ ("%" PRId64 " elements as %" PRId64), heddle_flow_count (input), n);
  if (n == 0)
    {
      result = (HeddleFlow){ .type = input->type, .rank = rank };
      for (guint i = 0; i < rank; i++)
        result.dims[i] = (HeddleDim){ shape[i], -1 };
      return heddle_import_give_empty (self, 0, &result);
    }
  heddle_flow_reshape (self->sketch, input, shape, rank, &result);
  return heddle_import_give (self, 0, &result);
}

/* Reshapes. A size of 0 means as it is (unless allowzero), -1 what is left. */
static gboolean
reshape (HeddleImport *self, const HeddleOnnxOperator *row)
{
  gboolean found, allow_zero = heddle_onnx_node_int (self->node, "allowzero", 0) != 0;
  const HeddleFlow *input = first_input (self);
  gint64 *shape, others = 1;
  int open = -1;
  g_autoptr (GArray) ints = NULL;

  if (input == NULL || !heddle_import_ints (self, self->opset < 5 ? -1 : 1, "shape", &ints, &found)
      || ints->len > HEDDLE_ONNX_MAX_RANK)
    return heddle_import_refuse (self, _ ("the shape"));
  shape = (gint64 *) ints->data;
  for (guint i = 0; i < ints->len; i++)
    {
      if (shape[i] == 0 && !allow_zero && i < input->rank)
        shape[i] = input->dims[i].size;
      if (shape[i] == -1 && open < 0)
        open = (int) i;
      else if (shape[i] < 0 || (shape[i] > 0 && others > G_MAXINT64 / shape[i]))
        return heddle_import_refuse (self, _ ("a size of %" PRId64), shape[i]);
      else
        others *= shape[i];
    }
  if (open >= 0)
    shape[open] = others > 0 ? heddle_flow_count (input) / others : 0;
  return give_reshaped (self, input, shape, ints->len);
}

static gboolean
flatten (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = first_input (self);
  gint64 axis = heddle_onnx_node_int (self->node, "axis", 1), shape[2] = { 1, 1 };

  if (input == NULL)
    return FALSE;
  if (axis < 0)
    axis += input->rank;
  if (axis < 0 || axis > input->rank)
    return heddle_import_refuse (self, _ ("there is no axis %" PRId64), axis);
  for (guint i = 0; i < input->rank; i++)
    shape[i >= axis] *= input->dims[i].size;
  return give_reshaped (self, input, shape, 2);
}

static gboolean
squeeze (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = first_input (self);
  gboolean found, gone[HEDDLE_ONNX_MAX_RANK] = { FALSE };
  gint64 shape[HEDDLE_ONNX_MAX_RANK];
  g_autoptr (GArray) axes = NULL;
  guint n = 0, axis;

  if (input == NULL || !heddle_import_ints (self, self->opset < 13 ? -1 : 1, "axes", &axes, &found))
    return FALSE;
  for (guint i = 0; i < axes->len; i++)
    {
      if (!heddle_import_axis (self, g_array_index (axes, gint64, i), input->rank, &axis))
        return FALSE;
      gone[axis] = TRUE;
    }
  for (guint i = 0; i < input->rank; i++)
    if (!(found ? gone[i] : input->dims[i].size == 1))
      shape[n++] = input->dims[i].size;
  return give_reshaped (self, input, shape, n);
}

static gboolean
unsqueeze (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = first_input (self);
  gboolean found, new[HEDDLE_ONNX_MAX_RANK] = { FALSE };
  g_autoptr (GArray) axes = NULL;
  HeddleFlow result;
  guint rank, axis;

  if (input == NULL || !heddle_import_ints (self, self->opset < 13 ? -1 : 1, "axes", &axes, &found))
    return FALSE;
  rank = input->rank + axes->len;
  if (axes->len > HEDDLE_ONNX_MAX_RANK || rank > HEDDLE_ONNX_MAX_RANK)
    return heddle_import_refuse (self, _ ("so many dimensions"));
  for (guint i = 0; i < axes->len; i++)
    {
      if (!heddle_import_axis (self, g_array_index (axes, gint64, i), rank, &axis) || new[axis])
        return heddle_import_refuse (self, _ ("a dimension twice"));
      new[axis] = TRUE;
    }
  result = *input;
  result.rank = rank;
  for (guint i = 0, from = 0; i < rank; i++)
    result.dims[i] = new[i] ? (HeddleDim){ 1, -1 } : input->dims[from++];
  return heddle_import_give (self, 0, &result);
}

static gboolean
transpose (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const GArray *given = heddle_onnx_node_ints (self->node, "perm");
  const HeddleFlow *input = first_input (self);
  guint order[HEDDLE_ONNX_MAX_RANK], seen = 0;
  HeddleFlow result;

  if (input == NULL)
    return FALSE;
  if (given != NULL && given->len != input->rank)
    return heddle_import_refuse (self, _ ("the order of the dimensions"));
  for (guint i = 0; i < input->rank; i++)
    {
      order[i] = input->rank - 1 - i;
      if (given != NULL
          && !heddle_import_axis (self, g_array_index (given, gint64, i), input->rank, &order[i]))
        return FALSE;
      seen |= 1u << order[i];
    }
  if (seen != (guint) ((G_GUINT64_CONSTANT (1) << input->rank) - 1))
    return heddle_import_refuse (self, _ ("the order of the dimensions"));
  heddle_flow_permute (input, order, &result);
  return heddle_import_give (self, 0, &result);
}

/* --- one after the other ----------------------------------------------------------------------- */

#define OWN 40 /* labels of what each operand has for itself */
#define MOST_AT_ONCE (HEDDLE_MAX_LABELS - OWN)

/* Gives dimensions of size 1 an axis in all flows if one of them has it. */
static void
even_out (HeddleImport *self, HeddleFlow *flows, guint n, guint axis)
{
  for (guint d = 0; d < flows[0].rank; d++)
    {
      gboolean any = d == axis;

      for (guint i = 0; i < n; i++)
        any = any || flows[i].dims[d].axis >= 0;
      for (guint i = 0; any && i < n; i++)
        heddle_flow_need_axis (self->sketch, &flows[i], d);
    }
}

/* Returns a label of its own for the axis; two that have the same axis there, as where an array is joined to
 * itself, have one label. */
static int
own_label (HeddleSketch *sketch, const HeddleLabelled *operands, guint i, guint axis)
{
  for (guint j = 0; j < i; j++)
    if (heddle_sketch_find (sketch, operands[j].flow->dims[axis].axis)
        == heddle_sketch_find (sketch, operands[i].flow->dims[axis].axis))
      return operands[j].labels[axis];
  return OWN + (int) i;
}

static gboolean
join (HeddleImport *self, HeddleFlow *flows, guint n, guint axis, HeddleFlow *result)
{
  g_autofree HeddleLabelled *operands = g_new0 (HeddleLabelled, n);
  g_autofree int *values = g_new0 (int, n);
  HeddleLabelling labelling = { { 0 } };
  int axes[HEDDLE_ONNX_MAX_RANK], labels[HEDDLE_ONNX_MAX_RANK];
  gint64 size = 0;
  guint n_axes = 0;

  even_out (self, flows, n, axis);
  for (guint i = 0; i < n; i++)
    {
      operands[i].flow = &flows[i];
      size += flows[i].dims[axis].size;
      for (guint d = 0; d < flows[0].rank; d++)
        operands[i].labels[d] = labels[d] = (int) d;
      operands[i].labels[axis] = own_label (self->sketch, operands, i, axis);
    }
  if (!heddle_label (self->sketch, operands, n, &labelling))
    return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  heddle_label_result (&labelling, labels, flows[0].rank, flows[0].type, result);
  result->dims[axis] = (HeddleDim){ size, heddle_sketch_add_axis (self->sketch, size, "j", 4) };
  for (guint i = 0; i < n; i++)
    {
      const int apart[] = { result->dims[axis].axis, labelling.axes[operands[i].labels[axis]] };

      values[i] = heddle_label_view (self->sketch, &operands[i], &labelling);
      heddle_sketch_keep_apart (self->sketch, apart, 2);
    }
  for (guint d = 0; d < result->rank; d++)
    if (result->dims[d].axis >= 0)
      axes[n_axes++] = heddle_sketch_find (self->sketch, result->dims[d].axis);
  result->value = heddle_sketch_operate (self->sketch, "concat", values, n, &result->dims[axis].axis, 1, axes,
      n_axes, 0., heddle_onnx_dtype (result->type));
  return TRUE;
}

static gboolean
give_empty_end_to_end (HeddleImport *self, guint n, guint axis)
{
  HeddleFlow empty = *first_input (self);

  for (guint i = 1; i < n; i++)
    empty.dims[axis].size += heddle_import_input (self, i)->dims[axis].size;
  return heddle_import_give_empty (self, 0, &empty);
}

static gboolean
concat (HeddleImport *self, const HeddleOnnxOperator *row)
{
  guint n = heddle_import_n_inputs (self), kept = 0, axis;
  g_autofree HeddleFlow *flows = g_new0 (HeddleFlow, n + 1);

  if (n == 0 || first_input (self) == NULL
      || !heddle_import_axis (
          self, heddle_onnx_node_int (self->node, "axis", 1), first_input (self)->rank, &axis))
    return heddle_import_refuse (self, _ ("%u inputs cannot be joined"), n);
  for (guint i = 0; i < n; i++)
    {
      const HeddleFlow *input = heddle_import_input (self, i);

      if (input == NULL || input->rank != first_input (self)->rank)
        return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
      if (heddle_flow_count (input) > 0)
        flows[kept++] = *input;
    }
  return kept == 0 ? give_empty_end_to_end (self, n, axis)
                   : heddle_import_concat (self, 0, flows, kept, axis);
}

/* Joins as many flows at once as there are labels for; more are joined in pieces, and then the pieces. */
gboolean
heddle_import_join (HeddleImport *self, HeddleFlow *flows, guint n, guint axis, HeddleFlow *result)
{
  g_autofree HeddleFlow *pieces = NULL;
  guint n_pieces = 0;

  if (n == 1)
    *result = flows[0];
  if (n <= MOST_AT_ONCE)
    return n == 1 || join (self, flows, n, axis, result);
  pieces = g_new0 (HeddleFlow, n / MOST_AT_ONCE + 1);
  for (guint i = 0; i < n; i += MOST_AT_ONCE)
    if (!heddle_import_join (self, flows + i, MIN (n - i, MOST_AT_ONCE), axis, &pieces[n_pieces++]))
      return FALSE;
  return heddle_import_join (self, pieces, n_pieces, axis, result);
}

gboolean
heddle_import_concat (HeddleImport *self, guint output, HeddleFlow *flows, guint n, guint axis)
{
  HeddleFlow result;

  for (guint i = 0; i < n; i++)
    for (guint d = 0; d < flows[0].rank; d++)
      if (flows[i].rank != flows[0].rank || (d != axis && flows[i].dims[d].size != flows[0].dims[d].size))
        return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  return heddle_import_join (self, flows, n, axis, &result) && heddle_import_give (self, output, &result);
}

/* --- blocks of channels -------------------------------------------------------------------------------------- */

static void
rearrange (HeddleImport *self, const HeddleFlow *input, const gint64 *parts, const guint *order,
    const gint64 *whole, HeddleFlow *result)
{
  HeddleFlow parted, moved;

  heddle_flow_reshape (self->sketch, input, parts, 6, &parted);
  heddle_flow_permute (&parted, order, &moved);
  heddle_flow_reshape (self->sketch, &moved, whole, 4, result);
}

static gboolean
depth_to_space (HeddleImport *self, const HeddleOnnxOperator *row)
{
  static const guint depth_first[] = { 0, 3, 4, 1, 5, 2 }, column_first[] = { 0, 1, 4, 2, 5, 3 };
  gboolean columns = g_str_equal (heddle_onnx_node_text (self->node, "mode", "DCR"), "CRD");
  const HeddleFlow *input = first_input (self);
  gint64 b = heddle_onnx_node_int (self->node, "blocksize", 0), n, c, h, w;
  HeddleFlow result;

  if (input == NULL || input->rank != 4 || b < 1 || b > 4096 || input->dims[1].size % (b * b) != 0)
    return heddle_import_refuse (self, _ ("the channels do not fit together"));
  n = input->dims[0].size;
  c = input->dims[1].size / (b * b);
  h = input->dims[2].size;
  w = input->dims[3].size;
  if (columns)
    rearrange (
        self, input, (gint64[]){ n, c, b, b, h, w }, column_first, (gint64[]){ n, c, h * b, w * b }, &result);
  else
    rearrange (
        self, input, (gint64[]){ n, b, b, c, h, w }, depth_first, (gint64[]){ n, c, h * b, w * b }, &result);
  return heddle_import_give (self, 0, &result);
}

static gboolean
space_to_depth (HeddleImport *self, const HeddleOnnxOperator *row)
{
  static const guint depth_first[] = { 0, 3, 5, 1, 2, 4 }, column_first[] = { 0, 1, 3, 5, 2, 4 };
  gboolean columns = g_str_equal (heddle_onnx_node_text (self->node, "mode", "DCR"), "CRD");
  const HeddleFlow *input = first_input (self);
  gint64 b = heddle_onnx_node_int (self->node, "blocksize", 0), n, c, h, w;
  HeddleFlow result;

  if (input == NULL || input->rank != 4 || b < 1 || b > 4096 || input->dims[2].size % b != 0
      || input->dims[3].size % b != 0)
    return heddle_import_refuse (self, _ ("the block does not fit"));
  n = input->dims[0].size;
  c = input->dims[1].size;
  h = input->dims[2].size / b;
  w = input->dims[3].size / b;
  rearrange (self, input, (gint64[]){ n, c, h, b, w, b }, columns ? column_first : depth_first,
      (gint64[]){ n, c * b * b, h, w }, &result);
  return heddle_import_give (self, 0, &result);
}

const HeddleOnnxOperator heddle_onnx_shapes[] = {
  { "Concat", 1, 0, concat },
  { "DepthToSpace", 1, 0, depth_to_space },
  { "Flatten", 1, 0, flatten },
  { "Reshape", 1, 0, reshape },
  { "SpaceToDepth", 1, 0, space_to_depth },
  { "Squeeze", 1, 0, squeeze },
  { "Transpose", 1, 0, transpose },
  { "Unsqueeze", 1, 0, unsqueeze },
  { NULL },
};
