/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>
#include <math.h>

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

/* This file has reductions, products and softmaxes over whole dimensions. */

/* A reduction with what comes before and after it. */
typedef struct
{
  const char *op, *before, *kind, *after;
  double of_nothing;
} Reduction;

static const Reduction reductions[] = {
  { "ReduceL1", "abs($0)", "sum", NULL, 0. },
  { "ReduceL2", "$0*$0", "sum", "sqrt($0)", 0. },
  { "ReduceLogSum", NULL, "sum", "log($0)", -INFINITY },
  { "ReduceLogSumExp", NULL, "logsumexp", NULL, -INFINITY },
  { "ReduceMax", NULL, "max", NULL, -INFINITY },
  { "ReduceMean", NULL, "mean", NULL, NAN },
  { "ReduceMin", NULL, "min", NULL, INFINITY },
  { "ReduceProd", NULL, "prod", NULL, 1. },
  { "ReduceSum", NULL, "sum", NULL, 0. },
  { "ReduceSumSquare", "$0*$0", "sum", NULL, 0. },
};

static gboolean
map_one (HeddleImport *self, HeddleFlow *flow, const char *text)
{
  const HeddleFlow before = *flow, *input = &before;

  return text == NULL
         || heddle_flow_map (
             self->sketch, &input, 1, heddle_import_expr (text, 0., 0., 0.), flow->type, flow);
}

static gboolean
flag_axes (HeddleImport *self, const GArray *axes, guint rank, gboolean *flags)
{
  for (guint i = 0; i < axes->len; i++)
    {
      guint axis;

      if (!heddle_import_axis (self, g_array_index (axes, gint64, i), rank, &axis))
        return FALSE;
      flags[axis] = TRUE;
    }
  return TRUE;
}

/* Reduces along a dimension without elements. */
static gboolean
reduce_nothing (HeddleImport *self, const HeddleFlow *input, const gboolean *flags, double of_nothing)
{
  gboolean keep = heddle_onnx_node_int (self->node, "keepdims", 1) != 0;
  HeddleFlow shape = { .type = input->type }, result;

  for (guint i = 0; i < input->rank; i++)
    if (!flags[i] || keep)
      shape.dims[shape.rank++]
          = flags[i] ? (HeddleDim){ 1, -1 } : heddle_dim_new (self->sketch, input->dims[i].size, "i");
  if (heddle_flow_count (&shape) == 0)
    return heddle_import_give_empty (self, 0, &shape);
  if (input->type == HEDDLE_ONNX_BOOL)
    of_nothing = CLAMP (of_nothing, 0., 1.);
  else if (!isfinite (of_nothing) && !heddle_dtype_is_real (heddle_onnx_dtype (input->type)))
    return heddle_import_refuse (self, _ ("an array without elements"));
  heddle_import_fill (self, heddle_expr_number (of_nothing), shape.dims, shape.rank, input->type, &result);
  return heddle_import_give (self, 0, &result);
}

/* Reduces. The axes are an attribute or, since version 13 (for sums) or 18, an input. No axes at all means
 * all or, if the node says so, none. */
static gboolean
reduce (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  g_autoptr (GArray) axes = NULL;
  gboolean found, flags[HEDDLE_ONNX_MAX_RANK] = { FALSE };
  const Reduction *reduction = reductions;
  HeddleFlow flow;

  while (!g_str_equal (reduction->op, row->op))
    reduction++;
  if (input == NULL || !heddle_import_ints (self, 1, "axes", &axes, &found)
      || !flag_axes (self, axes, input->rank, flags))
    return heddle_import_refuse (self, _ ("an input is missing"));
  flow = *input;
  if (axes->len == 0 && heddle_onnx_node_int (self->node, "noop_with_empty_axes", 0) != 0)
    return heddle_import_give (self, 0, input);
  for (guint i = 0; axes->len == 0 && i < input->rank; i++)
    flags[i] = TRUE;
  if (heddle_flow_count (input) == 0)
    return reduce_nothing (self, input, flags, reduction->of_nothing);
  map_one (self, &flow, reduction->before);
  heddle_flow_reduce (self->sketch, &flow, reduction->kind, flags,
      heddle_onnx_node_int (self->node, "keepdims", 1) != 0, flow.type, &flow);
  map_one (self, &flow, reduction->after);
  return heddle_import_give (self, 0, &flow);
}

/* --- places ------------------------------------------------------------------------------------ */

static void
reversed (HeddleImport *self, HeddleFlow *flow, guint axis)
{
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  const HeddleFlow before = *flow;

  for (guint i = 0; i < flow->rank; i++)
    indices[i] = heddle_dim_index (self->sketch, &flow->dims[i]);
  if (flow->dims[axis].axis >= 0)
    indices[axis] = heddle_expr_binary (
        HEDDLE_EXPR_SUB, heddle_expr_number ((double) flow->dims[axis].size - 1.), indices[axis]);
  heddle_flow_reindex (self->sketch, &before, indices, NULL, 0, flow);
}

static gboolean
argmax (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  gboolean last = heddle_onnx_node_int (self->node, "select_last_index", 0) != 0;
  gboolean flags[HEDDLE_ONNX_MAX_RANK] = { FALSE };
  HeddleFlow flow, result;
  const HeddleFlow *made = &result;
  guint axis;

  if (input == NULL
      || !heddle_import_axis (self, heddle_onnx_node_int (self->node, "axis", 0), input->rank, &axis))
    return heddle_import_refuse (self, _ ("an input is missing"));
  flow = *input;
  flags[axis] = TRUE;
  map_one (self, &flow, row->text);
  if (last)
    reversed (self, &flow, axis);
  heddle_flow_need_axis (self->sketch, &flow, axis);
  heddle_flow_reduce (self->sketch, &flow, "argmax", flags,
      heddle_onnx_node_int (self->node, "keepdims", 1) != 0, HEDDLE_ONNX_INT64, &result);
  if (!last)
    return heddle_import_give (self, 0, &result);
  return heddle_import_map (self, 0, &made, 1,
      heddle_import_expr ("a - $0", (double) flow.dims[axis].size - 1., 0., 0.), HEDDLE_ONNX_INT64);
}

/* Puts the places along @from in order along a new dimension, then reads what stands there. */
static gboolean
topk (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  gboolean largest = heddle_onnx_node_int (self->node, "largest", 1) != 0;
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  int axes[HEDDLE_ONNX_MAX_RANK], core[2];
  HeddleFlow flow, places, values;
  double k = (double) heddle_onnx_node_int (self->node, "k", 0);
  guint axis, n = 0;

  if (input == NULL || (self->opset >= 10 && !heddle_import_number (self, 1, 0., &k))
      || !heddle_import_axis (self, heddle_onnx_node_int (self->node, "axis", -1), input->rank, &axis))
    return heddle_import_refuse (self, _ ("an input is missing"));
  if (k < 1. || k > (double) input->dims[axis].size)
    return heddle_import_refuse (self, _ ("%g of %" PRId64), k, input->dims[axis].size);
  flow = *input;
  if (!largest)
    map_one (self, &flow, "-$0");
  heddle_flow_need_axis (self->sketch, &flow, axis);
  places = flow;
  places.type = HEDDLE_ONNX_INT64;
  places.dims[axis] = (HeddleDim){ (gint64) k, heddle_sketch_add_axis (self->sketch, (gint64) k, "k", 2) };
  core[0] = heddle_sketch_find (self->sketch, flow.dims[axis].axis);
  core[1] = places.dims[axis].axis;
  heddle_sketch_keep_apart (self->sketch, core, 2);
  for (guint i = 0; i < flow.rank; i++)
    if (i != axis && flow.dims[i].axis >= 0)
      axes[n++] = heddle_sketch_find (self->sketch, flow.dims[i].axis);
  axes[n++] = core[1];
  places.value = heddle_sketch_operate (
      self->sketch, "argtopk", &flow.value, 1, core, 2, axes, n, 0., HEDDLE_DTYPE_I64);
  values = places;
  values.type = input->type;
  for (guint i = 0; i < flow.rank; i++)
    indices[i] = i == axis ? heddle_expr_argument (1) : heddle_dim_index (self->sketch, &flow.dims[i]);
  heddle_flow_reindex (self->sketch, &flow, indices, &places.value, 1, &values);
  if (!largest)
    map_one (self, &values, "-$0");
  heddle_import_give (self, 0, &values);
  return heddle_import_give (self, 1, &places);
}

/* --- softmax -------------------------------------------------------------------------------------- */

/* Flags the dimension of a softmax; before version 13 it is that one and all after it together. */
static gboolean
flag_softmax (HeddleImport *self, const HeddleFlow *input, gboolean *flags, guint *first)
{
  gint64 axis = heddle_onnx_node_int (self->node, "axis", self->opset < 13 ? 1 : -1);

  if (!heddle_import_axis (self, axis, input->rank, first))
    return FALSE;
  for (guint i = *first; i < input->rank && (i == *first || self->opset < 13); i++)
    flags[i] = TRUE;
  return TRUE;
}

static gboolean
softmax (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  gboolean flags[HEDDLE_ONNX_MAX_RANK] = { FALSE };
  HeddleFlow flow;
  guint first;

  if (input == NULL || !flag_softmax (self, input, flags, &first))
    return heddle_import_refuse (self, _ ("an input is missing"));
  heddle_flow_normalise (self->sketch, input, "softmax", flags, 0., &flow);
  return heddle_import_give (self, 0, &flow);
}

static gboolean
log_softmax (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  gboolean flags[HEDDLE_ONNX_MAX_RANK] = { FALSE };
  HeddleFlow total;
  const HeddleFlow *inputs[] = { input, &total };
  guint first;

  if (input == NULL || !flag_softmax (self, input, flags, &first))
    return heddle_import_refuse (self, _ ("an input is missing"));
  heddle_flow_reduce (self->sketch, input, "logsumexp", flags, TRUE, input->type, &total);
  return heddle_import_map (self, 0, inputs, 2, heddle_import_expr ("$0 - $1", 0., 0., 0.), input->type);
}

/* Gives 1 at the first of the largest elements, 0 elsewhere. */
static gboolean
hardmax (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  gboolean flags[HEDDLE_ONNX_MAX_RANK] = { FALSE };
  HeddleExpr *place = heddle_expr_number (0.);
  HeddleFlow flow, at;
  const HeddleFlow *inputs[] = { &flow, &at };
  guint first;

  if (input == NULL || !flag_softmax (self, input, flags, &first))
    {
      heddle_expr_unref (place);
      return heddle_import_refuse (self, _ ("an input is missing"));
    }
  flow = *input;
  for (guint i = 0; i < flow.rank; i++)
    if (flags[i])
      {
        heddle_flow_need_axis (self->sketch, &flow, i);
        place = heddle_expr_binary (HEDDLE_EXPR_ADD,
            heddle_expr_binary (HEDDLE_EXPR_MUL, place, heddle_expr_number ((double) flow.dims[i].size)),
            heddle_dim_index (self->sketch, &flow.dims[i]));
      }
  heddle_flow_reduce (self->sketch, &flow, "argmax", flags, TRUE, HEDDLE_ONNX_INT64, &at);
  return heddle_import_map (self, 0, inputs, 2,
      heddle_expr_where (heddle_expr_binary (HEDDLE_EXPR_EQ, heddle_expr_argument (1), place),
          heddle_expr_number (1.), heddle_expr_number (0.)),
      input->type);
}

/* --- running sums --------------------------------------------------------------------------------------- */

static gboolean
cumsum (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  gboolean backwards = heddle_onnx_node_int (self->node, "reverse", 0) != 0;
  int axes[HEDDLE_ONNX_MAX_RANK], core;
  const HeddleFlow *inputs[2];
  HeddleFlow flow, result;
  guint axis, n = 0;
  double given;

  if (input == NULL || !heddle_import_number (self, 1, 0., &given)
      || !heddle_import_axis (self, (gint64) given, input->rank, &axis))
    return heddle_import_refuse (self, _ ("an input is missing"));
  flow = *input;
  if (backwards)
    reversed (self, &flow, axis);
  heddle_flow_need_axis (self->sketch, &flow, axis);
  result = flow;
  core = heddle_sketch_find (self->sketch, flow.dims[axis].axis);
  for (guint i = 0; i < flow.rank; i++)
    if (flow.dims[i].axis >= 0)
      axes[n++] = heddle_sketch_find (self->sketch, flow.dims[i].axis);
  result.value = heddle_sketch_operate (
      self->sketch, "cumsum", &flow.value, 1, &core, 1, axes, n, 0., heddle_onnx_dtype (flow.type));
  if (backwards)
    reversed (self, &result, axis);
  inputs[0] = &result;
  inputs[1] = input;
  if (heddle_onnx_node_int (self->node, "exclusive", 0) != 0)
    return heddle_import_map (self, 0, inputs, 2, heddle_import_expr ("$0 - $1", 0., 0., 0.), input->type);
  return heddle_import_give (self, 0, &result);
}

const HeddleOnnxOperator heddle_onnx_reductions[] = {
  { "ArgMax", 1, 0, argmax, NULL },
  { "ArgMin", 1, 0, argmax, "-$0" },
  { "CumSum", 11, 0, cumsum },
  { "Hardmax", 1, 0, hardmax },
  { "LogSoftmax", 1, 0, log_softmax },
  { "ReduceL1", 1, 0, reduce },
  { "ReduceL2", 1, 0, reduce },
  { "ReduceLogSum", 1, 0, reduce },
  { "ReduceLogSumExp", 1, 0, reduce },
  { "ReduceMax", 1, 0, reduce },
  { "ReduceMean", 1, 0, reduce },
  { "ReduceMin", 1, 0, reduce },
  { "ReduceProd", 1, 0, reduce },
  { "ReduceSum", 1, 0, reduce },
  { "ReduceSumSquare", 1, 0, reduce },
  { "Softmax", 1, 0, softmax },
  { "TopK", 1, 0, topk },
  { NULL },
};
