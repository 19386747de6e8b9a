/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "files/onnx/context.h"
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"
#include "files/onnx/model.h"
#include "files/onnx/sketch.h"
#include "files/onnx/table.h"
#include "files/onnx/tensor.h"

/* This file has operators that make arrays of shapes, indices and constants alone. */

/* The number of elements beyond which they stay in the model, as those of initialisers do. */
#define MOST_COPIED 64

static gboolean
give_large (HeddleImport *self, const HeddleOnnxTensor *tensor)
{
  HeddleFlow flow = { .type = tensor->type, .rank = tensor->rank };
  int axes[HEDDLE_ONNX_MAX_RANK];
  guint n = 0;

  for (guint i = 0; i < tensor->rank; i++)
    {
      flow.dims[i] = heddle_dim_new (self->sketch, tensor->shape[i], "i");
      if (flow.dims[i].axis < 0)
        flow.dims[i].axis = heddle_sketch_add_axis (self->sketch, 1, "u", 4);
      axes[n++] = flow.dims[i].axis;
    }
  flow.value = heddle_sketch_add_value (
      self->sketch, HEDDLE_ROLE_PARAMETER, heddle_onnx_dtype (tensor->type), axes, n);
  heddle_sketch_set_name (self->sketch, flow.value, g_ptr_array_index (self->node->outputs, 0));
  heddle_sketch_set_tensor (self->sketch, flow.value, tensor, self->model->folder);
  return heddle_import_give (self, 0, &flow);
}

static gboolean
give_tensor (HeddleImport *self, const HeddleOnnxTensor *tensor)
{
  if (heddle_onnx_tensor_count (tensor) > MOST_COPIED && heddle_import_has_output (self, 0))
    return give_large (self, tensor);
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleArray) numbers = heddle_onnx_tensor_read (tensor, self->model->folder, &error);
  HeddleFlow flow;

  if (numbers == NULL)
    return heddle_import_refuse (self, "%s", error->message);
  flow = heddle_import_known (self, numbers, tensor->type);
  return heddle_import_give (self, 0, &flow);
}

static gboolean
give_floats (HeddleImport *self, const double *values, guint n, gboolean is_scalar)
{
  gint64 size = n;
  g_autoptr (HeddleArray) numbers = heddle_array_new (HEDDLE_DTYPE_F32, is_scalar ? 0 : 1, &size, NULL);
  HeddleFlow flow;

  g_assert (numbers != NULL);
  for (guint i = 0; i < n; i++)
    numbers->data[i] = values[i];
  flow = heddle_import_known (self, numbers, HEDDLE_ONNX_FLOAT);
  return heddle_import_give (self, 0, &flow);
}

static gboolean
constant (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleOnnxAttribute *value;
  HeddleFlow flow;

  if ((value = heddle_onnx_node_attribute (self->node, "value")) != NULL && value->tensor != NULL)
    return give_tensor (self, value->tensor);
  if ((value = heddle_onnx_node_attribute (self->node, "value_float")) != NULL)
    return give_floats (self, &value->f, 1, TRUE);
  if ((value = heddle_onnx_node_attribute (self->node, "value_floats")) != NULL)
    return give_floats (self, (const double *) value->floats->data, value->floats->len, FALSE);
  if ((value = heddle_onnx_node_attribute (self->node, "value_int")) != NULL)
    {
      flow = heddle_import_known_ints (self, &value->i, 1);
      flow.rank = 0;
      return heddle_import_give (self, 0, &flow);
    }
  if ((value = heddle_onnx_node_attribute (self->node, "value_ints")) != NULL)
    {
      flow = heddle_import_known_ints (self, (const gint64 *) value->ints->data, value->ints->len);
      return heddle_import_give (self, 0, &flow);
    }
  return heddle_import_refuse (self, _ ("a constant that is not an array of numbers"));
}

static gboolean
constant_of_shape (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleOnnxAttribute *value = heddle_onnx_node_attribute (self->node, "value");
  HeddleDim dims[HEDDLE_ONNX_MAX_RANK];
  g_autoptr (HeddleArray) number = NULL;
  g_autoptr (GArray) shape = NULL;
  gboolean found, empty = FALSE;
  HeddleFlow flow;

  if (!heddle_import_ints (self, 0, NULL, &shape, &found) || shape->len > HEDDLE_ONNX_MAX_RANK)
    return heddle_import_refuse (self, _ ("the shape"));
  if (value != NULL && value->tensor != NULL
      && ((number = heddle_onnx_tensor_read (value->tensor, NULL, NULL)) == NULL || number->n_elements != 1))
    return heddle_import_refuse (self, _ ("a constant that is not an array of numbers"));
  for (guint i = 0; i < shape->len; i++)
    {
      gint64 size = g_array_index (shape, gint64, i);

      if (size < 0)
        return heddle_import_refuse (self, _ ("a size of %" PRId64), size);
      dims[i] = heddle_dim_new (self->sketch, size, "i");
      empty = empty || size == 0;
    }
  if (empty)
    {
      flow = (HeddleFlow){ .type = number != NULL ? value->tensor->type : HEDDLE_ONNX_FLOAT,
        .rank = shape->len };
      memcpy (flow.dims, dims, sizeof dims);
      return heddle_import_give_empty (self, 0, &flow);
    }
  heddle_import_fill (self, heddle_expr_number (number != NULL ? number->data[0] : 0.), dims, shape->len,
      number != NULL ? value->tensor->type : HEDDLE_ONNX_FLOAT, &flow);
  return heddle_import_give (self, 0, &flow);
}

static gboolean
shape_of (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  gint64 sizes[HEDDLE_ONNX_MAX_RANK], start, end;
  HeddleFlow flow;

  if (input == NULL || input->untyped)
    return heddle_import_refuse (self, _ ("nothing is known of the shape"));
  start = heddle_onnx_node_int (self->node, "start", 0);
  end = heddle_onnx_node_int (self->node, "end", input->rank);
  start = CLAMP (start < 0 ? start + input->rank : start, 0, input->rank);
  end = CLAMP (end < 0 ? end + input->rank : end, start, input->rank);
  for (gint64 i = start; i < end; i++)
    sizes[i - start] = input->dims[i].size;
  flow = heddle_import_known_ints (self, sizes, (guint) (end - start));
  return heddle_import_give (self, 0, &flow);
}

static gboolean
size_of (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  HeddleFlow flow;
  gint64 n;

  if (input == NULL || input->untyped)
    return heddle_import_refuse (self, _ ("nothing is known of the shape"));
  n = heddle_flow_count (input);
  flow = heddle_import_known_ints (self, &n, 1);
  flow.rank = 0;
  return heddle_import_give (self, 0, &flow);
}

static gboolean
range (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  double start, limit, step, n;
  HeddleDim dim;
  HeddleFlow flow;

  if (input == NULL || !heddle_import_number (self, 0, 0., &start)
      || !heddle_import_number (self, 1, 0., &limit) || !heddle_import_number (self, 2, 1., &step))
    return FALSE;
  n = ceil ((limit - start) / step);
  if (!(n >= 1. && n < 1e9))
    return heddle_import_refuse (self, _ ("an array without elements"));
  dim = heddle_dim_new (self->sketch, (gint64) n, "i");
  heddle_import_fill (self,
      heddle_expr_binary (HEDDLE_EXPR_ADD, heddle_expr_number (start),
          heddle_expr_binary (
              HEDDLE_EXPR_MUL, heddle_expr_number (step), heddle_dim_index (self->sketch, &dim))),
      &dim, 1, input->type, &flow);
  return heddle_import_give (self, 0, &flow);
}

/* Returns the predicate that the column is at, or to one side of, the diagonal shifted by @by: it compares
 * index (column) - index (row) with that. */
static HeddleExpr *
beside_diagonal (HeddleImport *self, const HeddleFlow *flow, HeddleExprKind kind, double by)
{
  return heddle_expr_binary (kind, heddle_dim_index (self->sketch, &flow->dims[flow->rank - 1]),
      heddle_expr_binary (HEDDLE_EXPR_ADD, heddle_dim_index (self->sketch, &flow->dims[flow->rank - 2]),
          heddle_expr_number (by)));
}

static gboolean
eye_like (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  HeddleFlow shape, flow;
  int type;

  if (input == NULL || input->rank != 2)
    return heddle_import_refuse (self, _ ("an input is not a matrix"));
  shape = *input;
  for (guint i = 0; i < 2; i++)
    if (shape.dims[i].axis >= 0)
      shape.dims[i].axis = heddle_sketch_find (self->sketch, shape.dims[i].axis);
  type = (int) heddle_onnx_node_int (self->node, "dtype", input->type);
  heddle_import_fill (self,
      heddle_expr_where (
          beside_diagonal (self, &shape, HEDDLE_EXPR_EQ, (double) heddle_onnx_node_int (self->node, "k", 0)),
          heddle_expr_number (1.), heddle_expr_number (0.)),
      shape.dims, 2, type, &flow);
  return heddle_import_give (self, 0, &flow);
}

static gboolean
triangle (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  gboolean upper = heddle_onnx_node_int (self->node, "upper", 1) != 0;
  double by;

  if (input == NULL || input->rank < 2 || !heddle_import_number (self, 1, 0., &by))
    return heddle_import_refuse (self, _ ("an input is not a matrix"));
  return heddle_import_map (self, 0, &input, 1,
      heddle_expr_where (
          beside_diagonal (self, input, upper ? HEDDLE_EXPR_GE : HEDDLE_EXPR_LE, CLAMP (by, -1e9, 1e9)),
          heddle_expr_argument (0), heddle_expr_number (0.)),
      input->type);
}

/* Adds a new dimension at @axis, in which the place that the index names is on. */
static gboolean
one_hot (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *at = heddle_import_input (self, 0), *values = heddle_import_input (self, 2);
  const HeddleFlow *inputs[3];
  HeddleFlow spread, sides[2];
  gint64 axis = heddle_onnx_node_int (self->node, "axis", -1);
  HeddleExpr *place;
  double depth;

  if (at == NULL || values == NULL || !heddle_import_number (self, 1, 0., &depth))
    return heddle_import_refuse (self, _ ("an input is missing"));
  axis += axis < 0 ? at->rank + 1 : 0;
  depth = floor (depth);
  if (axis < 0 || axis > at->rank || at->rank == HEDDLE_ONNX_MAX_RANK || !(depth >= 1. && depth < 1e9))
    return heddle_import_refuse (self, _ ("a depth of %g"), depth);
  spread = *at;
  spread.rank++;
  for (guint i = at->rank; i > axis; i--)
    spread.dims[i] = at->dims[i - 1];
  spread.dims[axis] = heddle_dim_new (self->sketch, (gint64) depth, "d");
  for (guint i = 0; i < 2; i++)
    {
      HeddleExpr *index = heddle_expr_number (i);

      sides[i] = (HeddleFlow){ .type = values->type };
      heddle_flow_reindex (self->sketch, values, &index, NULL, 0, &sides[i]);
      inputs[i + 1] = &sides[i];
    }
  inputs[0] = &spread;
  place = heddle_dim_index (self->sketch, &spread.dims[axis]);
  /* the value has no such axis: it is broadcast */
  return heddle_import_map (self, 0, inputs, 3,
      heddle_expr_where (heddle_expr_binary (HEDDLE_EXPR_EQ,
                             heddle_import_expr ("where($0 < 0, $0 + a, $0)", depth, 0., 0.), place),
          heddle_expr_argument (2), heddle_expr_argument (1)),
      values->type);
}

const HeddleOnnxOperator heddle_onnx_generators[] = {
  { "Constant", 1, 0, constant },
  { "ConstantOfShape", 9, 0, constant_of_shape },
  { "EyeLike", 9, 0, eye_like },
  { "OneHot", 9, 0, one_hot },
  { "Range", 11, 0, range },
  { "Shape", 1, 0, shape_of },
  { "Size", 1, 0, size_of },
  { "Trilu", 14, 0, triangle },
  { NULL },
};
