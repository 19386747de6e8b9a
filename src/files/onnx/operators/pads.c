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

/* This file adds borders to an array, or removes them. */

static HeddleExpr *
number (double value)
{
  return heddle_expr_number (value);
}

/* Returns the index along a padded dimension. Nothing is read outside, as that would be left out of a sum
 * over it. */
static HeddleExpr *
padded_index (HeddleImport *self, const HeddleDim *dim, gint64 before, gint64 size, const char *mode)
{
  HeddleExpr *at = heddle_dim_index (self->sketch, dim), *last = number ((double) size - 1.);

  if (before != 0)
    at = heddle_expr_binary (HEDDLE_EXPR_SUB, at, number ((double) before));
  else if (dim->size != size)
    at = heddle_expr_binary (HEDDLE_EXPR_ADD, at, number (0.));
  if (g_str_equal (mode, "wrap") || (g_str_equal (mode, "reflect") && size == 1))
    {
      heddle_expr_unref (last);
      return heddle_expr_binary (HEDDLE_EXPR_MOD, at, number ((double) size));
    }
  if (g_str_equal (mode, "reflect"))
    return heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_expr_ref (last),
        heddle_expr_unary (HEDDLE_EXPR_ABS,
            heddle_expr_binary (HEDDLE_EXPR_SUB, last,
                heddle_expr_binary (HEDDLE_EXPR_MOD, at, number (2. * ((double) size - 1.))))));
  return heddle_expr_binary (HEDDLE_EXPR_MIN, heddle_expr_binary (HEDDLE_EXPR_MAX, at, number (0.)), last);
}

static HeddleExpr *
is_inside (HeddleImport *self, const HeddleDim *dim, gint64 before, gint64 size, HeddleExpr *so_far)
{
  HeddleExpr *inside = heddle_expr_binary (HEDDLE_EXPR_AND,
      heddle_expr_binary (HEDDLE_EXPR_GE, heddle_dim_index (self->sketch, dim), number ((double) before)),
      heddle_expr_binary (
          HEDDLE_EXPR_LT, heddle_dim_index (self->sketch, dim), number ((double) (before + size))));

  return so_far == NULL ? inside : heddle_expr_binary (HEDDLE_EXPR_AND, so_far, inside);
}

/* Pads an input without elements: only the padding is there. */
static gboolean
pad_nothing (HeddleImport *self, const HeddleFlow *input, const gint64 *before, const gint64 *after,
    const char *mode, double value)
{
  HeddleFlow shape = *input, result;

  for (guint i = 0; i < input->rank; i++)
    shape.dims[i] = heddle_dim_new (self->sketch, input->dims[i].size + before[i] + after[i], "p");
  if (heddle_flow_count (&shape) == 0)
    return heddle_import_give_empty (self, 0, &shape);
  if (!g_str_equal (mode, "constant"))
    return heddle_import_refuse (self, _ ("an array without elements"));
  heddle_import_fill (self, number (value), shape.dims, shape.rank, input->type, &result);
  return heddle_import_give (self, 0, &result);
}

static gboolean
pad_by (HeddleImport *self, const HeddleFlow *input, const gint64 *before, const gint64 *after,
    const char *mode, double value)
{
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK], *inside = NULL;
  HeddleFlow result = *input;
  const HeddleFlow *read = &result;

  if (heddle_flow_count (input) == 0)
    return pad_nothing (self, input, before, after, mode, value);
  for (guint i = 0; i < input->rank; i++)
    {
      gint64 size = input->dims[i].size;

      if (before[i] == 0 && after[i] == 0)
        {
          indices[i] = heddle_dim_index (self->sketch, &input->dims[i]);
          continue;
        }
      result.dims[i] = heddle_dim_new (self->sketch, size + before[i] + after[i], "p");
      indices[i] = padded_index (self, &result.dims[i], before[i], size, mode);
      if (before[i] > 0 || after[i] > 0)
        inside = is_inside (self, &result.dims[i], before[i], size, inside);
    }
  heddle_flow_reindex (self->sketch, input, indices, NULL, 0, &result);
  if (!g_str_equal (mode, "constant") || inside == NULL)
    {
      g_clear_pointer (&inside, heddle_expr_unref);
      return heddle_import_give (self, 0, &result);
    }
  return heddle_import_map (
      self, 0, &read, 1, heddle_expr_where (inside, heddle_expr_argument (0), number (value)), input->type);
}

static gboolean
pad (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  const char *mode = heddle_onnx_node_text (self->node, "mode", "constant");
  gint64 before[HEDDLE_ONNX_MAX_RANK] = { 0 }, after[HEDDLE_ONNX_MAX_RANK] = { 0 };
  gboolean found, has_axes;
  g_autoptr (GArray) pads = NULL;
  g_autoptr (GArray) axes = NULL;
  double value = heddle_onnx_node_float (self->node, "value", 0.);
  guint n;

  if (input == NULL
      || !heddle_import_ints (
          self, self->opset < 11 ? -1 : 1, self->opset < 2 ? "paddings" : "pads", &pads, &found)
      || !heddle_import_ints (self, self->opset < 18 ? -1 : 3, NULL, &axes, &has_axes)
      || (self->opset >= 11 && !heddle_import_number (self, 2, 0., &value)))
    return heddle_import_refuse (self, _ ("an input is missing"));
  n = has_axes ? axes->len : input->rank;
  if (pads->len != 2 * n)
    return heddle_import_refuse (self, _ ("the padding has %u numbers"), pads->len);
  if (!heddle_import_check_lengths (self, pads))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      guint axis;

      if (!heddle_import_axis (self, has_axes ? g_array_index (axes, gint64, i) : i, input->rank, &axis))
        return FALSE;
      before[axis] = g_array_index (pads, gint64, i);
      after[axis] = g_array_index (pads, gint64, n + i);
      if (input->dims[axis].size + before[axis] + after[axis] < 0)
        return heddle_import_refuse (self, _ ("an array without elements"));
    }
  return pad_by (self, input, before, after, mode, value);
}

/* Crops or pads half at each side, and the odd one at the end. */
static gboolean
centre_crop_pad (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  const GArray *axes = heddle_onnx_node_ints (self->node, "axes");
  gint64 before[HEDDLE_ONNX_MAX_RANK] = { 0 }, after[HEDDLE_ONNX_MAX_RANK] = { 0 };
  g_autoptr (GArray) shape = NULL;
  gboolean found;

  if (input == NULL || !heddle_import_ints (self, 1, NULL, &shape, &found)
      || shape->len != (axes != NULL ? axes->len : input->rank))
    return heddle_import_refuse (self, _ ("the shape"));
  if (!heddle_import_check_lengths (self, shape))
    return FALSE;
  for (guint i = 0; i < shape->len; i++)
    {
      const gint64 size = g_array_index (shape, gint64, i);
      gint64 more;
      guint axis;

      if (!heddle_import_axis (self, axes != NULL ? g_array_index (axes, gint64, i) : i, input->rank, &axis))
        return FALSE;
      more = size - input->dims[axis].size;
      if (size < 0)
        return heddle_import_refuse (self, _ ("a size of %" PRId64), size);
      before[axis] = more / 2; /* towards 0 */
      after[axis] = more - before[axis];
    }
  return pad_by (self, input, before, after, "constant", 0.);
}

const HeddleOnnxOperator heddle_onnx_pads[] = {
  { "CenterCropPad", 18, 0, centre_crop_pad },
  { "Pad", 1, 0, pad },
  { NULL },
};
