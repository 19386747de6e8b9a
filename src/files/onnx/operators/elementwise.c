/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "files/onnx/context.h"
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"
#include "files/onnx/model.h"
#include "files/onnx/table.h"
#include "files/onnx/tensor.h"

/* This file has operators whose result at a point is a function of the inputs' numbers there:
 * https://onnx.ai/onnx/operators. Inputs are broadcast as in NumPy; before version 7 of the operator set the
 * second input's dimensions begin at `axis`. */

#define TRUNCATED(x) "where(" x " < 0, ceil(" x "), floor(" x "))"
#define SIGN "where($0 > 0, 1, where($0 < 0, -1, 0))"
/* The number rounded to the nearest, ties to even. */
#define ROUNDED "(floor($0 + 0.5) - where(floor($0 + 0.5) == $0 + 0.5, mod(floor($0 + 0.5), 2), 0))"

static gboolean
is_whole (int type)
{
  return !heddle_dtype_is_real (heddle_onnx_dtype (type));
}

static int
result_type (const HeddleOnnxOperator *row, const HeddleFlow *first)
{
  return row->type != 0 ? row->type : first->type;
}

/* Maps `text` over one input; its letters are the attributes that `letters` lists. */
static gboolean
map_with (HeddleImport *self, const HeddleOnnxOperator *row, double a, double b)
{
  const HeddleFlow *input = heddle_import_input (self, 0);

  if (input == NULL)
    return heddle_import_refuse (self, _ ("an input is missing"));
  return heddle_import_map (
      self, 0, &input, 1, heddle_import_expr (row->text, a, b, 0.), result_type (row, input));
}

static gboolean
unary (HeddleImport *self, const HeddleOnnxOperator *row)
{
  return map_with (self, row, 0., 0.);
}

static gboolean
attributes (HeddleImport *self, const HeddleOnnxOperator *row, const char *a, double a_otherwise,
    const char *b, double b_otherwise)
{
  return map_with (self, row, heddle_onnx_node_float (self->node, a, a_otherwise),
      b != NULL ? heddle_onnx_node_float (self->node, b, b_otherwise) : 0.);
}

static gboolean
elu (HeddleImport *self, const HeddleOnnxOperator *row)
{
  return attributes (self, row, "alpha", 1., NULL, 0.);
}

static gboolean
leaky (HeddleImport *self, const HeddleOnnxOperator *row)
{
  return attributes (self, row, "alpha", 0.01, NULL, 0.);
}

static gboolean
selu (HeddleImport *self, const HeddleOnnxOperator *row)
{
  return attributes (self, row, "alpha", 1.67326319217681884765625, "gamma", 1.05070102214813232421875);
}

static gboolean
hard_sigmoid (HeddleImport *self, const HeddleOnnxOperator *row)
{
  return attributes (self, row, "alpha", 0.2, "beta", 0.5);
}

static gboolean
shrink (HeddleImport *self, const HeddleOnnxOperator *row)
{
  return attributes (self, row, "lambd", 0.5, "bias", 0.);
}

static gboolean
gelu (HeddleImport *self, const HeddleOnnxOperator *row)
{
  HeddleOnnxOperator tanh_row = *row;

  tanh_row.text = "0.5*$0*(1 + tanh(0.7978845608028654*($0 + 0.044715*$0*$0*$0)))";
  return unary (self,
      g_str_equal (heddle_onnx_node_text (self->node, "approximate", "none"), "tanh") ? &tanh_row : row);
}

/* --- two inputs and more ---------------------------------------------------------------------- */

/* Places the second input's dimensions as versions before 7 do. */
static gboolean
old_broadcast (HeddleImport *self, const HeddleFlow *a, const HeddleFlow *b, HeddleFlow *widened)
{
  guint axis = a->rank >= b->rank ? a->rank - b->rank : 0;

  *widened = *b;
  if (heddle_onnx_node_attribute (self->node, "axis") != NULL
      && !heddle_import_axis (self, heddle_onnx_node_int (self->node, "axis", 0), MAX (a->rank, 1), &axis))
    return FALSE;
  if (axis + b->rank > a->rank)
    return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  widened->rank = a->rank - axis;
  for (guint i = b->rank; i < widened->rank; i++)
    widened->dims[i] = (HeddleDim){ 1, -1 };
  return TRUE;
}

static gboolean
binary_as (HeddleImport *self, const HeddleOnnxOperator *row, const char *text)
{
  const HeddleFlow *inputs[] = { heddle_import_input (self, 0), heddle_import_input (self, 1) };
  HeddleFlow widened;

  if (inputs[0] == NULL || inputs[1] == NULL)
    return heddle_import_refuse (self, _ ("an input is missing"));
  if (self->opset < 7 && heddle_onnx_node_int (self->node, "broadcast", 0) != 0)
    {
      if (!old_broadcast (self, inputs[0], inputs[1], &widened))
        return FALSE;
      inputs[1] = &widened;
    }
  return heddle_import_map (
      self, 0, inputs, 2, heddle_import_expr (text, 0., 0., 0.), result_type (row, inputs[0]));
}

static gboolean
binary (HeddleImport *self, const HeddleOnnxOperator *row)
{
  return binary_as (self, row, row->text);
}

/* Divides; whole numbers are divided towards 0. */
static gboolean
divide (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *first = heddle_import_input (self, 0);

  return binary_as (self, row, first != NULL && is_whole (first->type) ? TRUNCATED ("$0/$1") : "$0/$1");
}

/* Computes the remainder. Its sign is that of the divisor or, with fmod, that of the dividend. */
static gboolean
modulo (HeddleImport *self, const HeddleOnnxOperator *row)
{
  if (heddle_onnx_node_int (self->node, "fmod", 0) != 0)
    return binary_as (self, row, "$0 - $1*" TRUNCATED ("$0/$1"));
  return binary_as (self, row, "$0 - $1*floor($0/$1)");
}

static gboolean
shift (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const char *direction = heddle_onnx_node_text (self->node, "direction", "");
  const HeddleFlow *first = heddle_import_input (self, 0);
  double limit = first == NULL                       ? 0.
                 : first->type == HEDDLE_ONNX_UINT8  ? 256.
                 : first->type == HEDDLE_ONNX_UINT16 ? 65536.
                 : first->type == HEDDLE_ONNX_UINT32 ? 4294967296.
                                                     : 18446744073709551616.;
  const HeddleFlow *inputs[] = { first, heddle_import_input (self, 1) };

  if (!g_str_equal (direction, "LEFT"))
    return binary_as (self, row, "floor($0/2^$1)");
  return heddle_import_map (self, 0, inputs, 2,
      heddle_import_expr ("$0*2^$1 - a*floor($0*2^$1/a)", limit, 0., 0.), first != NULL ? first->type : 0);
}

/* Returns the combination of any number of inputs; `text` combines two. */
static HeddleExpr *
combine (const char *text, guint n)
{
  HeddleExprKind kind = g_str_equal (text, "max")   ? HEDDLE_EXPR_MAX
                        : g_str_equal (text, "min") ? HEDDLE_EXPR_MIN
                                                    : HEDDLE_EXPR_ADD;
  HeddleExpr *all = heddle_expr_argument (0);

  for (guint i = 1; i < n; i++)
    all = heddle_expr_binary (kind, all, heddle_expr_argument (i));
  if (g_str_equal (text, "mean"))
    all = heddle_expr_binary (HEDDLE_EXPR_DIV, all, heddle_expr_number (n));
  return all;
}

static gboolean
variadic (HeddleImport *self, const HeddleOnnxOperator *row)
{
  guint n = heddle_import_n_inputs (self);
  g_autofree const HeddleFlow **inputs = g_new0 (const HeddleFlow *, n + 1);

  for (guint i = 0; i < n; i++)
    inputs[i] = heddle_import_input (self, i);
  if (n == 0 || n > 200 || inputs[0] == NULL)
    return heddle_import_refuse (self, _ ("%u inputs cannot be combined"), n);
  return heddle_import_map (self, 0, inputs, n, combine (row->text, n), inputs[0]->type);
}

static gboolean
choose (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *inputs[]
      = { heddle_import_input (self, 0), heddle_import_input (self, 1), heddle_import_input (self, 2) };

  return heddle_import_map (self, 0, inputs, 3, heddle_import_expr (row->text, 0., 0., 0.),
      inputs[1] != NULL ? inputs[1]->type : 0);
}

/* Applies PRelu. The slope is read along the second dimension if it has one of its own. */
static gboolean
prelu (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *inputs[] = { heddle_import_input (self, 0), heddle_import_input (self, 1) };
  HeddleFlow slope;

  if (inputs[0] == NULL || inputs[1] == NULL)
    return heddle_import_refuse (self, _ ("an input is missing"));
  slope = *inputs[1];
  if (self->opset < 7 && slope.rank == 1 && inputs[0]->rank > 1)
    {
      slope.rank = inputs[0]->rank - 1;
      for (guint i = 1; i < slope.rank; i++)
        slope.dims[i] = (HeddleDim){ 1, -1 };
    }
  inputs[1] = &slope;
  return heddle_import_map (self, 0, inputs, 2, heddle_import_expr (row->text, 0., 0., 0.), inputs[0]->type);
}

/* --- bounds -------------------------------------------------------------------------------------- */

static gboolean
clip_by_attributes (HeddleImport *self, const HeddleOnnxOperator *row)
{
  return attributes (self, row, "min", -INFINITY, "max", INFINITY);
}

static gboolean
clip (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *inputs[3] = { heddle_import_input (self, 0) };
  HeddleExpr *body = heddle_expr_argument (0);
  guint n = 1;

  for (guint i = 1; i <= 2; i++)
    if (heddle_import_input (self, i) != NULL)
      {
        body
            = heddle_expr_binary (i == 1 ? HEDDLE_EXPR_MAX : HEDDLE_EXPR_MIN, body, heddle_expr_argument (n));
        inputs[n++] = heddle_import_input (self, i);
      }
  return heddle_import_map (self, 0, inputs, n, body, inputs[0] != NULL ? inputs[0]->type : 0);
}

static gboolean
is_infinite (HeddleImport *self, const HeddleOnnxOperator *row)
{
  return map_with (self, row, (double) heddle_onnx_node_int (self->node, "detect_negative", 1),
      (double) heddle_onnx_node_int (self->node, "detect_positive", 1));
}

/* --- casts ----------------------------------------------------------------------------------------- */

static gboolean
cast_to (HeddleImport *self, int type)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  const char *text = "$0";

  if (input == NULL)
    return heddle_import_refuse (self, _ ("an input is missing"));
  if (heddle_onnx_dtype (type) == HEDDLE_DTYPE_UNSET || heddle_onnx_dtype (input->type) == HEDDLE_DTYPE_UNSET)
    return heddle_import_refuse (
        self, _ ("a cast from %s to %s"), heddle_onnx_type_name (input->type), heddle_onnx_type_name (type));
  if (type == HEDDLE_ONNX_BOOL)
    text = "where($0 == 0, 0, 1)";
  else if (is_whole (type) && !is_whole (input->type))
    text = TRUNCATED ("$0");
  else if (type == input->type)
    return heddle_import_give (self, 0, input);
  return heddle_import_map (self, 0, &input, 1, heddle_import_expr (text, 0., 0., 0.), type);
}

static gboolean
cast (HeddleImport *self, const HeddleOnnxOperator *row)
{
  static const char *const names[] = { "FLOAT", "UINT8", "INT8", "UINT16", "INT16", "INT32", "INT64",
    "STRING", "BOOL", "FLOAT16", "DOUBLE", "UINT32", "UINT64" };
  const char *name = heddle_onnx_node_text (self->node, "to", NULL);

  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (name, names[i]))
      return cast_to (self, (int) i + 1);
  return cast_to (self, (int) CLAMP (heddle_onnx_node_int (self->node, "to", 0), 0, G_MAXINT));
}

static gboolean
cast_like (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *like = heddle_import_input (self, 1);

  return like != NULL ? cast_to (self, like->type) : heddle_import_refuse (self, _ ("an input is missing"));
}

/* --- nothing at all ----------------------------------------------------------------------------------- */

static gboolean
identity (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);

  return input != NULL ? heddle_import_give (self, 0, input)
                       : heddle_import_refuse (self, _ ("an input is missing"));
}

/* Drops nothing, since nothing is trained: the mask is all true. */
static gboolean
dropout (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  HeddleFlow mask;
  double ratio, training;

  if (!heddle_import_number (self, 1, 0.5, &ratio) || !heddle_import_number (self, 2, 0., &training))
    return FALSE;
  if (input == NULL || (training != 0. && ratio != 0.))
    return heddle_import_refuse (self, _ ("random dropout, as in training"));
  if (heddle_import_has_output (self, 1))
    {
      heddle_import_fill (self, heddle_expr_number (1.), input->dims, input->rank,
          self->opset < 10 ? input->type : HEDDLE_ONNX_BOOL, &mask);
      heddle_import_give (self, 1, &mask);
    }
  return heddle_import_give (self, 0, input);
}

#define BOOL HEDDLE_ONNX_BOOL

const HeddleOnnxOperator heddle_onnx_elementwise[] = {
  { "Abs", 1, 0, unary, "abs($0)" },
  { "Acosh", 9, 0, unary, "log($0 + sqrt($0*$0 - 1))" },
  { "Add", 1, 0, binary, "$0 + $1" },
  { "And", 1, 0, binary, "where($0 != 0 and $1 != 0, 1, 0)", BOOL },
  { "Asinh", 9, 0, unary, SIGN "*log(abs($0) + sqrt($0*$0 + 1))" },
  { "Atanh", 9, 0, unary, "0.5*log((1 + $0)/(1 - $0))" },
  { "BitShift", 11, 0, shift },
  { "Cast", 1, 0, cast },
  { "CastLike", 15, 0, cast_like },
  { "Ceil", 1, 0, unary, "ceil($0)" },
  { "Celu", 12, 0, elu, "max(0, $0) + min(0, a*(exp($0/a) - 1))" },
  { "Clip", 1, 10, clip_by_attributes, "min(max($0, a), b)" },
  { "Clip", 11, 0, clip },
  { "Cos", 7, 0, unary, "cos($0)" },
  { "Cosh", 9, 0, unary, "0.5*(exp($0) + exp(-$0))" },
  { "Div", 1, 0, divide },
  { "Dropout", 1, 0, dropout },
  { "Elu", 1, 0, elu, "where($0 < 0, a*(exp($0) - 1), $0)" },
  { "Equal", 1, 0, binary, "where($0 == $1, 1, 0)", BOOL },
  { "Erf", 9, 0, unary, "erf($0)" },
  { "Exp", 1, 0, unary, "exp($0)" },
  { "Floor", 1, 0, unary, "floor($0)" },
  { "Gelu", 20, 0, gelu, "gelu($0)" },
  { "Greater", 1, 0, binary, "where($0 > $1, 1, 0)", BOOL },
  { "GreaterOrEqual", 12, 0, binary, "where($0 >= $1, 1, 0)", BOOL },
  { "HardSigmoid", 1, 0, hard_sigmoid, "max(0, min(1, a*$0 + b))" },
  { "HardSwish", 14, 0, unary, "$0*max(0, min(1, $0/6 + 0.5))" },
  { "Identity", 1, 0, identity },
  { "IsInf", 10, 0, is_infinite, "where(($0 == -inf and a != 0) or ($0 == inf and b != 0), 1, 0)", BOOL },
  { "IsNaN", 9, 0, unary, "where($0 == $0, 0, 1)", BOOL },
  { "LeakyRelu", 1, 0, leaky, "where($0 < 0, a*$0, $0)" },
  { "Less", 1, 0, binary, "where($0 < $1, 1, 0)", BOOL },
  { "LessOrEqual", 12, 0, binary, "where($0 <= $1, 1, 0)", BOOL },
  { "Log", 1, 0, unary, "log($0)" },
  { "Max", 1, 0, variadic, "max" },
  { "Mean", 1, 0, variadic, "mean" },
  { "Min", 1, 0, variadic, "min" },
  { "Mish", 18, 0, unary, "$0*tanh(max($0, 0) + log(1 + exp(-abs($0))))" },
  { "Mod", 10, 0, modulo },
  { "Mul", 1, 0, binary, "$0*$1" },
  { "Neg", 1, 0, unary, "-$0" },
  { "Not", 1, 0, unary, "where($0 == 0, 1, 0)", BOOL },
  { "Or", 1, 0, binary, "where($0 != 0 or $1 != 0, 1, 0)", BOOL },
  { "PRelu", 1, 0, prelu, "where($0 < 0, $1*$0, $0)" },
  { "Pow", 1, 0, binary, "$0^$1" },
  { "Reciprocal", 1, 0, unary, "1/$0" },
  { "Relu", 1, 0, unary, "relu($0)" },
  { "Round", 11, 0, unary, ROUNDED },
  { "Selu", 1, 0, selu, "b*where($0 <= 0, a*(exp($0) - 1), $0)" },
  { "Shrink", 9, 0, shrink, "where($0 < -a, $0 + b, where($0 > a, $0 - b, 0))" },
  { "Sigmoid", 1, 0, unary, "sigmoid($0)" },
  { "Sign", 9, 0, unary, SIGN },
  { "Sin", 7, 0, unary, "sin($0)" },
  { "Sinh", 9, 0, unary, "0.5*(exp($0) - exp(-$0))" },
  { "Softplus", 1, 0, unary, "max($0, 0) + log(1 + exp(-abs($0)))" },
  { "Softsign", 1, 0, unary, "$0/(1 + abs($0))" },
  { "Sqrt", 1, 0, unary, "sqrt($0)" },
  { "Sub", 1, 0, binary, "$0 - $1" },
  { "Sum", 1, 0, variadic, "sum" },
  { "Tan", 7, 0, unary, "sin($0)/cos($0)" },
  { "Tanh", 1, 0, unary, "tanh($0)" },
  { "ThresholdedRelu", 10, 0, elu, "where($0 > a, $0, 0)" },
  { "Where", 9, 0, choose, "where($0 != 0, $1, $2)" },
  { "Xor", 1, 0, binary, "where(($0 != 0 and $1 == 0) or ($0 == 0 and $1 != 0), 1, 0)", BOOL },
  { NULL },
};
