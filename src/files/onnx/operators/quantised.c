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
#include "files/onnx/operators/products.h"
#include "files/onnx/operators/windows.h"
#include "files/onnx/table.h"
#include "files/onnx/tensor.h"

/* This file has operators on whole numbers that stand for (number - zero point) scale. */

/* The number rounded to the nearest, ties to even. */
#define ROUNDED "floor($0 + 0.5) - where(floor($0 + 0.5) == $0 + 0.5, mod(floor($0 + 0.5), 2), 0)"

static gboolean
map (HeddleImport *self, const HeddleFlow *const *inputs, guint n, const char *text, double a, double b,
    int type, HeddleFlow *result)
{
  for (guint i = 0; i < n; i++)
    if (inputs[i] == NULL)
      return heddle_import_refuse (self, _ ("an input is missing"));
  return heddle_flow_map (self->sketch, inputs, n, heddle_import_expr (text, a, b, 0.), type, result)
         || heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
}

/* Returns a scale or zero point along dimension @axis of @rank. */
static const HeddleFlow *
along (const HeddleFlow *flow, guint axis, guint rank, HeddleFlow *widened)
{
  if (flow == NULL || flow->rank != 1 || flow->dims[0].size == 1)
    return flow;
  *widened = *flow;
  widened->rank = rank - axis;
  for (guint i = 1; i < widened->rank; i++)
    widened->dims[i] = (HeddleDim){ 1, -1 };
  return widened;
}

/* Spreads a parameter that holds for @block places along @axis each. */
static gboolean
spread_blocks (HeddleImport *self, const HeddleFlow *flow, const HeddleFlow *input, guint axis, gint64 block,
    HeddleFlow *spread)
{
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];

  for (guint i = 0; i < input->rank; i++)
    if (flow->rank != input->rank
        || flow->dims[i].size
               != (i == axis ? (input->dims[i].size + block - 1) / block : input->dims[i].size))
      return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  *spread = *flow;
  spread->dims[axis] = input->dims[axis];
  for (guint i = 0; i < input->rank; i++)
    indices[i] = heddle_dim_index (self->sketch, &spread->dims[i]);
  indices[axis] = heddle_expr_unary (HEDDLE_EXPR_FLOOR,
      heddle_expr_binary (HEDDLE_EXPR_DIV, indices[axis], heddle_expr_number ((double) block)));
  heddle_flow_reindex (self->sketch, flow, indices, NULL, 0, spread);
  return TRUE;
}

static void
bounds_of (int type, double *low, double *high)
{
  const double largest = type == HEDDLE_ONNX_E4M3 ? 448. : type == HEDDLE_ONNX_E5M2 ? 57344. : 0.;
  gboolean is_signed = type == HEDDLE_ONNX_INT8 || type == HEDDLE_ONNX_INT16;
  double range = type == HEDDLE_ONNX_INT16 || type == HEDDLE_ONNX_UINT16 ? 65536. : 256.;

  *low = largest > 0. ? -largest : is_signed ? -range / 2. : 0.;
  *high = largest > 0. ? largest : is_signed ? range / 2. - 1. : range - 1.;
}

/* Quantises. The type is that of the zero point, or else an attribute. Types with a fraction are rounded to
 * as they are stored. */
static gboolean
quantise (HeddleImport *self, const HeddleFlow *input, const HeddleFlow *scale, const HeddleFlow *zero,
    HeddleFlow *result)
{
  const HeddleFlow *pair[] = { input, scale }, *last[] = { result, zero };
  int type = zero != NULL ? zero->type
                          : (int) CLAMP (heddle_onnx_node_int (self->node, "output_dtype", 0), 0, G_MAXINT);
  HeddleFlow rounded;
  double low, high;

  type = type != 0 ? type : HEDDLE_ONNX_UINT8;
  if (heddle_onnx_dtype (type) == HEDDLE_DTYPE_UNSET)
    return heddle_import_refuse (self, _ ("numbers of type %s"), heddle_onnx_type_name (type));
  bounds_of (type, &low, &high);
  if (!map (self, pair, 2, "$0/$1", 0., 0., HEDDLE_ONNX_FLOAT, result)
      || !map (self, last, 1, heddle_dtype_is_real (heddle_onnx_dtype (type)) ? "$0" : ROUNDED, 0., 0.,
          HEDDLE_ONNX_FLOAT, &rounded))
    return FALSE;
  last[0] = &rounded;
  return map (self, last, zero != NULL ? 2 : 1,
      zero != NULL ? "max(a, min(b, $0 + $1))" : "max(a, min(b, $0))", low, high, type, result);
}

static gboolean
dequantise (HeddleImport *self, const HeddleFlow *input, const HeddleFlow *scale, const HeddleFlow *zero,
    HeddleFlow *result)
{
  const HeddleFlow *inputs[] = { input, scale, zero };

  return map (self, inputs, zero != NULL ? 3 : 2, zero != NULL ? "($0 - $2)*$1" : "$0*$1", 0., 0.,
      scale != NULL ? scale->type : HEDDLE_ONNX_FLOAT, result);
}

static gboolean
linear (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0), *scale = heddle_import_input (self, 1);
  const HeddleFlow *zero = heddle_import_input (self, 2);
  const gint64 block = heddle_onnx_node_int (self->node, "block_size", 0);
  HeddleFlow parts[2], result;
  guint axis = 0;

  if (input == NULL || scale == NULL)
    return heddle_import_refuse (self, _ ("an input is missing"));
  if (block > G_MAXINT32)
    return heddle_import_refuse (self, _ ("a size of %" PRId64), block);
  if (block > 0)
    {
      if (!heddle_import_axis (self, heddle_onnx_node_int (self->node, "axis", 1), input->rank, &axis)
          || !spread_blocks (self, scale, input, axis, block, &parts[0])
          || (zero != NULL && !spread_blocks (self, zero, input, axis, block, &parts[1])))
        return FALSE;
      scale = &parts[0];
      zero = zero != NULL ? &parts[1] : NULL;
    }
  if (scale->rank == 1 && scale->dims[0].size != 1
      && !heddle_import_axis (self, heddle_onnx_node_int (self->node, "axis", 1), input->rank, &axis))
    return FALSE;
  scale = along (scale, axis, input->rank, &parts[0]);
  zero = along (zero, axis, input->rank, &parts[1]);
  return (g_str_equal (row->text, "to") ? quantise : dequantise) (self, input, scale, zero, &result)
         && heddle_import_give (self, 0, &result);
}

/* Computes scale and zero point from the numbers themselves, so that 0 is exact. */
static gboolean
dynamic (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0), *pair[2], *one[1];
  gboolean flags[HEDDLE_ONNX_MAX_RANK];
  HeddleFlow low, high, scale, place, zero, result;

  if (input == NULL)
    return heddle_import_refuse (self, _ ("an input is missing"));
  for (guint i = 0; i < input->rank; i++)
    flags[i] = TRUE;
  heddle_flow_reduce (self->sketch, input, "min", flags, FALSE, input->type, &low);
  heddle_flow_reduce (self->sketch, input, "max", flags, FALSE, input->type, &high);
  pair[0] = &low;
  pair[1] = &high;
  if (!map (self, pair, 2, "(max($1, 0) - min($0, 0))/255", 0., 0., input->type, &scale))
    return FALSE;
  pair[1] = &scale;
  one[0] = &place;
  if (!map (self, pair, 2, "max(0, min(255, -min($0, 0)/$1))", 0., 0., input->type, &place)
      || !map (self, one, 1, ROUNDED, 0., 0., HEDDLE_ONNX_UINT8, &zero)
      || !quantise (self, input, &scale, &zero, &result))
    return FALSE;
  heddle_import_give (self, 1, &scale);
  heddle_import_give (self, 2, &zero);
  return heddle_import_give (self, 0, &result);
}

/* Subtracts the zero point, along @axis if there are several. */
static gboolean
centre (HeddleImport *self, guint input, guint zero, guint axis, HeddleFlow *result)
{
  const HeddleFlow *flow = heddle_import_input (self, input), *inputs[2] = { flow };
  HeddleFlow widened;

  if (flow == NULL || flow->rank <= axis)
    return heddle_import_refuse (self, _ ("an input is missing"));
  inputs[1] = along (heddle_import_input (self, zero), axis, flow->rank, &widened);
  return map (self, inputs, inputs[1] != NULL ? 2 : 1, inputs[1] != NULL ? "$0 - $1" : "$0", 0., 0.,
      HEDDLE_ONNX_INT32, result);
}

static gboolean
matmul_integer (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *a = heddle_import_input (self, 0), *b = heddle_import_input (self, 1);
  HeddleFlow sides[2], result;

  if (a == NULL || b == NULL)
    return heddle_import_refuse (self, _ ("an input is missing"));
  return centre (self, 0, 2, MAX (a->rank, 2) - 2, &sides[0])
         && centre (self, 1, 3, MAX (b->rank, 1) - 1, &sides[1])
         && heddle_import_matmul (self, &sides[0], &sides[1], HEDDLE_ONNX_INT32, &result)
         && heddle_import_give (self, 0, &result);
}

static gboolean
conv_integer (HeddleImport *self, const HeddleOnnxOperator *row)
{
  HeddleFlow sides[2], result;

  return centre (self, 0, 2, 0, &sides[0]) && centre (self, 1, 3, 0, &sides[1])
         && heddle_import_conv (self, &sides[0], &sides[1], NULL, HEDDLE_ONNX_INT32, &result)
         && heddle_import_give (self, 0, &result);
}

/* Multiplies quantised matrices. Inputs: each side with its scale and zero point, then those of the
 * result. */
static gboolean
matmul_linear (HeddleImport *self, const HeddleOnnxOperator *row)
{
  HeddleFlow sides[2], product, result;

  return dequantise (self, heddle_import_input (self, 0), heddle_import_input (self, 1),
             heddle_import_input (self, 2), &sides[0])
         && dequantise (self, heddle_import_input (self, 3), heddle_import_input (self, 4),
             heddle_import_input (self, 5), &sides[1])
         && heddle_import_matmul (self, &sides[0], &sides[1], HEDDLE_ONNX_FLOAT, &product)
         && quantise (self, &product, heddle_import_input (self, 6), heddle_import_input (self, 7), &result)
         && heddle_import_give (self, 0, &result);
}

/* Computes a quantised convolution. The bias is in units of both scales. */
static gboolean
conv_linear (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *kernel = heddle_import_input (self, 3), *given = heddle_import_input (self, 8);
  const HeddleFlow *scale = heddle_import_input (self, 4), *zero = heddle_import_input (self, 5);
  const HeddleFlow *of_bias[] = { given, heddle_import_input (self, 1), scale };
  HeddleFlow sides[2], parts[2], bias, sum, result;

  if (kernel == NULL || kernel->rank < 3)
    return heddle_import_refuse (self, _ ("an input is missing"));
  return dequantise (self, heddle_import_input (self, 0), heddle_import_input (self, 1),
             heddle_import_input (self, 2), &sides[0])
         && dequantise (self, kernel, along (scale, 0, kernel->rank, &parts[0]),
             along (zero, 0, kernel->rank, &parts[1]), &sides[1])
         && (given == NULL || map (self, of_bias, 3, "$0*$1*$2", 0., 0., HEDDLE_ONNX_FLOAT, &bias))
         && heddle_import_conv (
             self, &sides[0], &sides[1], given != NULL ? &bias : NULL, HEDDLE_ONNX_FLOAT, &sum)
         && quantise (self, &sum, heddle_import_input (self, 6), heddle_import_input (self, 7), &result)
         && heddle_import_give (self, 0, &result);
}

const HeddleOnnxOperator heddle_onnx_quantised[] = {
  { "ConvInteger", 10, 0, conv_integer },
  { "DequantizeLinear", 10, 0, linear, "from" },
  { "DynamicQuantizeLinear", 11, 0, dynamic },
  { "MatMulInteger", 10, 0, matmul_integer },
  { "QLinearConv", 10, 0, conv_linear },
  { "QLinearMatMul", 10, 0, matmul_linear },
  { "QuantizeLinear", 10, 0, linear, "to" },
  { NULL },
};
