/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/expression/expr.h"
#include "files/onnx/context.h"
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"
#include "files/onnx/model.h"
#include "files/onnx/operators/windows.h"
#include "files/onnx/sketch.h"
#include "files/onnx/table.h"
#include "files/onnx/window.h"
#include "files/onnx/windows.h"

/* This file puts windows back: what is at each place of a window is summed at the place it came from. */

#define LARGEST 1000000

/* Computes the output's sizes, and how much of it is cut off before the first place. */
static gboolean
transposed_window (
    HeddleImport *self, const HeddleFlow *input, const HeddleFlow *kernel, HeddleOnnxWindow *window)
{
  const GArray *shape = heddle_onnx_node_ints (self->node, "output_shape");
  const GArray *more = heddle_onnx_node_ints (self->node, "output_padding");
  const GArray *pads = heddle_onnx_node_ints (self->node, "pads");
  const char *mode = heddle_onnx_node_text (self->node, "auto_pad", "NOTSET");
  guint n = window->n;

  if (!heddle_import_check_lengths (self, shape) || !heddle_import_check_lengths (self, more)
      || !heddle_import_check_lengths (self, pads))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      gint64 extra = more != NULL && more->len == n ? g_array_index (more, gint64, i) : 0;
      gint64 full = window->stride[i] * (input->dims[i + 2].size - 1) + extra
                    + (window->kernel[i] - 1) * window->dilation[i] + 1;
      gint64 total = 0;

      window->before[i] = pads != NULL && pads->len == 2 * n ? g_array_index (pads, gint64, i) : 0;
      window->after[i] = pads != NULL && pads->len == 2 * n ? g_array_index (pads, gint64, n + i) : 0;
      window->out[i] = full - window->before[i] - window->after[i];
      if (shape != NULL && shape->len == n)
        window->out[i] = g_array_index (shape, gint64, i);
      else if (shape != NULL && shape->len == n + 2)
        window->out[i] = g_array_index (shape, gint64, i + 2);
      else if (g_str_has_prefix (mode, "SAME"))
        window->out[i] = input->dims[i + 2].size * window->stride[i];
      else if (window->out[i] >= 1 && full <= G_MAXINT32)
        continue;
      total = MAX (full - window->out[i], 0);
      window->before[i] = g_str_equal (mode, "SAME_UPPER") ? total / 2 : total - total / 2;
      if (window->out[i] < 1 || window->out[i] > G_MAXINT32 || full > G_MAXINT32)
        return heddle_import_refuse (self, _ ("the size of the output"));
    }
  return TRUE;
}

/* Returns what reaches a place y from a window's place k: x with stride x + dilation k - before = y. */
static HeddleExpr *
source_of (HeddleSketch *sketch, const HeddleDim *out, const HeddleDim *k, const HeddleOnnxWindow *window,
    guint i, HeddleExpr **condition)
{
  HeddleExpr *at = heddle_expr_binary (HEDDLE_EXPR_SUB,
      heddle_expr_binary (
          HEDDLE_EXPR_ADD, heddle_dim_index (sketch, out), heddle_expr_number ((double) window->before[i])),
      heddle_expr_binary (
          HEDDLE_EXPR_MUL, heddle_expr_number ((double) window->dilation[i]), heddle_dim_index (sketch, k)));
  HeddleExpr *stride = heddle_expr_number ((double) window->stride[i]), *whole;

  if (window->stride[i] == 1)
    {
      heddle_expr_unref (stride);
      return at;
    }
  whole = heddle_expr_binary (HEDDLE_EXPR_EQ,
      heddle_expr_binary (HEDDLE_EXPR_MOD, heddle_expr_ref (at), heddle_expr_ref (stride)),
      heddle_expr_number (0.));
  *condition = *condition == NULL ? whole : heddle_expr_binary (HEDDLE_EXPR_AND, *condition, whole);
  return heddle_expr_unary (HEDDLE_EXPR_FLOOR, heddle_expr_binary (HEDDLE_EXPR_DIV, at, stride));
}

/* Slides windows back: [n, c, (@own: the window's places, each with what it brings), in …] becomes [n, c, out
 * …, window …]. */
static void
slide_back (
    HeddleImport *self, const HeddleFlow *input, guint own, const HeddleOnnxWindow *window, HeddleFlow *slid)
{
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK], *condition = NULL;
  const HeddleFlow *read = slid;
  HeddleFlow from = *input, result;

  heddle_window_need_axes (self, &from, 2 + own, window->n);
  result = from;
  result.rank = 2 + 2 * window->n;
  for (guint i = 0; i < 2; i++)
    indices[i] = heddle_dim_index (self->sketch, &from.dims[i]);
  for (guint i = 0; i < window->n; i++)
    {
      HeddleDim *k = &result.dims[2 + window->n + i];

      result.dims[2 + i] = heddle_dim_new (self->sketch, window->out[i], i == 0 ? "y" : "x");
      *k = own > 0 ? from.dims[2 + i] : heddle_dim_new (self->sketch, window->kernel[i], "k");
      if (own > 0)
        indices[2 + i] = heddle_dim_index (self->sketch, k);
      indices[2 + own + i] = source_of (self->sketch, &result.dims[2 + i], k, window, i, &condition);
    }
  heddle_flow_reindex (self->sketch, &from, indices, NULL, 0, &result);
  *slid = result;
  if (condition != NULL)
    heddle_flow_map (self->sketch, &read, 1,
        heddle_expr_where (condition, heddle_expr_argument (0), heddle_expr_number (0.)), input->type,
        &result);
  *slid = result;
}

static gboolean
conv_transpose (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0), *kernel = heddle_import_input (self, 1);
  const HeddleFlow *bias = heddle_import_input (self, 2);
  gint64 groups = heddle_onnx_node_int (self->node, "group", 1);
  guint order[HEDDLE_ONNX_MAX_RANK];
  HeddleFlow slid, parts[2], result;
  HeddleOnnxWindow window;

  if (input == NULL || kernel == NULL || kernel->rank != input->rank || input->rank < 3 || groups < 1
      || input->rank - 2 > HEDDLE_MAX_SPATIAL || kernel->dims[0].size != input->dims[1].size
      || input->dims[1].size % groups != 0)
    return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  window = (HeddleOnnxWindow){ .n = input->rank - 2 };
  for (guint i = 0; i < window.n; i++)
    {
      const GArray *strides = heddle_onnx_node_ints (self->node, "strides");
      const GArray *dilations = heddle_onnx_node_ints (self->node, "dilations");

      window.kernel[i] = kernel->dims[i + 2].size;
      window.stride[i] = strides != NULL && strides->len == window.n ? g_array_index (strides, gint64, i) : 1;
      window.dilation[i]
          = dilations != NULL && dilations->len == window.n ? g_array_index (dilations, gint64, i) : 1;
      if (window.stride[i] < 1 || window.dilation[i] < 1 || window.stride[i] > 65536
          || window.dilation[i] > 65536 || window.kernel[i] > 65536 || input->dims[i + 2].size > 65536 * 64)
        return heddle_import_refuse (self, _ ("the size of the window"));
    }
  if (!transposed_window (self, input, kernel, &window))
    return FALSE;
  slide_back (self, input, 0, &window, &slid);
  /* the kernel is [(g c), o, …] here: to [(g o), c, …] */
  for (guint i = 0; i < kernel->rank; i++)
    order[i] = i < 2 ? 1 - i : i;
  if (groups == 1)
    heddle_flow_permute (kernel, order, &parts[1]);
  else
    {
      gint64 shape[HEDDLE_ONNX_MAX_RANK];
      guint swap[HEDDLE_ONNX_MAX_RANK];

      heddle_window_split_groups (self, kernel, 0, groups, &parts[0]);
      for (guint i = 0; i < parts[0].rank; i++)
        swap[i] = i == 1 ? 2 : i == 2 ? 1 : i;
      heddle_flow_permute (&parts[0], swap, &parts[1]);
      shape[0] = groups * parts[1].dims[1].size;
      for (guint i = 1; i < kernel->rank; i++)
        shape[i] = parts[1].dims[i + 1].size;
      parts[0] = parts[1];
      heddle_flow_reshape (self->sketch, &parts[0], shape, kernel->rank, &parts[1]);
    }
  return heddle_window_contract (self, &slid, &parts[1], window.n, groups, input->type, &result)
         && (bias == NULL || heddle_window_add_bias (self, bias, input->type, &result))
         && heddle_import_give (self, 0, &result);
}

/* --- columns ------------------------------------------------------------------------------------------ */

/* Reads the windows of an array of the shape that input 1 gives, of the size that input 2 gives, one a
 * column; @window's places are those of the array. */
static gboolean
read_columns (HeddleImport *self, const HeddleFlow *input, HeddleOnnxWindow *window)
{
  static const char *const names[] = { "strides", "dilations" };
  const GArray *pads = heddle_onnx_node_ints (self->node, "pads");
  g_autoptr (GArray) shape = NULL;
  g_autoptr (GArray) block = NULL;
  gint64 channels = 1, columns = 1;
  gboolean found;

  if (!heddle_import_ints (self, 1, NULL, &shape, &found)
      || !heddle_import_ints (self, 2, NULL, &block, &found))
    return FALSE;
  *window = (HeddleOnnxWindow){ .n = shape->len };
  if (shape->len < 1 || shape->len > HEDDLE_MAX_SPATIAL || block->len != shape->len
      || (pads != NULL && pads->len != 2 * shape->len))
    return heddle_import_refuse (self, _ ("windows over so many dimensions"));
  for (guint i = 0; i < window->n; i++)
    {
      for (guint k = 0; k < G_N_ELEMENTS (names); k++)
        {
          const GArray *given = heddle_onnx_node_ints (self->node, names[k]);

          (k == 0 ? window->stride : window->dilation)[i]
              = given != NULL && given->len == window->n ? g_array_index (given, gint64, i) : 1;
        }
      window->out[i] = g_array_index (shape, gint64, i);
      window->kernel[i] = g_array_index (block, gint64, i);
      window->before[i] = pads != NULL ? g_array_index (pads, gint64, i) : 0;
      window->after[i] = pads != NULL ? g_array_index (pads, gint64, window->n + i) : 0;
      if (window->out[i] < 1 || window->kernel[i] < 1 || window->stride[i] < 1 || window->dilation[i] < 1
          || window->before[i] < 0 || window->after[i] < 0
          || MAX (window->out[i], window->kernel[i]) > LARGEST
          || MAX (window->stride[i], window->dilation[i]) > LARGEST
          || MAX (window->before[i], window->after[i]) > LARGEST)
        return heddle_import_refuse (self, _ ("the size of the window"));
      channels *= window->kernel[i];
      columns *= heddle_window_count (window, i);
      if (columns < 1 || channels > LARGEST || columns > (gint64) LARGEST * LARGEST)
        return heddle_import_refuse (self, _ ("the size of the window"));
    }
  return (input->dims[1].size % channels == 0 && input->dims[2].size == columns)
         || heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
}

static gboolean
columns_to_image (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  gint64 shape[HEDDLE_ONNX_MAX_RANK];
  gboolean summed[HEDDLE_ONNX_MAX_RANK] = { FALSE };
  HeddleFlow parted, slid, result;
  HeddleOnnxWindow window;
  guint n;

  if (input == NULL || input->rank != 3 || heddle_flow_count (input) == 0)
    return heddle_import_refuse (self, _ ("windows over so many dimensions"));
  if (!read_columns (self, input, &window))
    return FALSE;
  n = window.n;
  shape[0] = input->dims[0].size;
  shape[1] = input->dims[1].size;
  for (guint i = 0; i < n; i++)
    {
      shape[1] /= window.kernel[i];
      shape[2 + i] = window.kernel[i];
      shape[2 + n + i] = heddle_window_count (&window, i);
      summed[2 + n + i] = TRUE;
    }
  heddle_flow_reshape (self->sketch, input, shape, 2 + 2 * n, &parted);
  slide_back (self, &parted, n, &window, &slid);
  heddle_flow_reduce (self->sketch, &slid, "sum", summed, FALSE, input->type, &result);
  return heddle_import_give (self, 0, &result);
}

const HeddleOnnxOperator heddle_onnx_transposed[] = {
  { "Col2Im", 18, 0, columns_to_image },
  { "ConvTranspose", 1, 0, conv_transpose },
  { NULL },
};
