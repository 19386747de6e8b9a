/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "diagram/expression/expr.h"
#include "files/onnx/context.h"
#include "files/onnx/model.h"
#include "files/onnx/operators/windows.h"
#include "files/onnx/table.h"
#include "files/onnx/window.h"
#include "files/onnx/windows.h"

/* This file has convolutions and poolings: a window over the array, then a contraction or a reduction. What a
 * window reads outside is left out. */

/* The labels: batch, group, channel within it, feature within it, then the places and the window. */
enum
{
  BATCH,
  GROUP,
  CHANNEL,
  FEATURE,
  PLACE,
  WITHIN = PLACE + HEDDLE_MAX_SPATIAL,
};

void
heddle_window_split_groups (
    HeddleImport *self, const HeddleFlow *flow, guint dim, gint64 groups, HeddleFlow *split)
{
  gint64 shape[HEDDLE_ONNX_MAX_RANK];
  guint n = 0;

  for (guint i = 0; i < flow->rank; i++)
    {
      if (i == dim)
        shape[n++] = groups;
      shape[n++] = i == dim ? flow->dims[i].size / groups : flow->dims[i].size;
    }
  heddle_flow_reshape (self->sketch, flow, shape, n, split);
}

/* Labels [n, (g c), …] and [(g o), c, …], each without g if there is one group. */
static void
label_conv (HeddleLabelled *slid, HeddleLabelled *kernel, guint spatial, gboolean grouped)
{
  guint n = 0;

  slid->labels[n++] = BATCH;
  if (grouped)
    slid->labels[n++] = GROUP;
  slid->labels[n++] = CHANNEL;
  for (guint i = 0; i < 2 * spatial; i++)
    slid->labels[n++] = (int) (i < spatial ? PLACE + i : WITHIN + i - spatial);
  n = 0;
  if (grouped)
    kernel->labels[n++] = GROUP;
  kernel->labels[n++] = FEATURE;
  kernel->labels[n++] = CHANNEL;
  for (guint i = 0; i < spatial; i++)
    kernel->labels[n++] = (int) (WITHIN + i);
}

gboolean
heddle_window_add_bias (HeddleImport *self, const HeddleFlow *bias, int type, HeddleFlow *flow)
{
  const HeddleFlow before = *flow;
  HeddleLabelled operands[2] = { { .flow = &before }, { .flow = bias, .labels = { 1 } } };
  int labels[HEDDLE_ONNX_MAX_RANK];

  if (bias->rank != 1)
    return heddle_import_refuse (self, _ ("the bias has %u dimensions"), bias->rank);
  for (guint i = 0; i < flow->rank; i++)
    operands[0].labels[i] = labels[i] = (int) i;
  return heddle_flow_map_labelled (self->sketch, operands, 2, labels, before.rank,
             heddle_import_expr ("$0 + $1", 0., 0., 0.), type, flow)
         || heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
}

/* Removes the dimensions of one place from the kernel, which are no axes to sum over: they are read at 0. */
static void
drop_places (HeddleImport *self, guint spatial, HeddleFlow *kernel)
{
  HeddleFlow flat = *kernel;
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  gboolean some = FALSE;

  for (guint i = kernel->rank - spatial; i < kernel->rank; i++)
    if (kernel->dims[i].size == 1)
      {
        some |= kernel->dims[i].axis >= 0;
        flat.dims[i].axis = -1;
      }
  if (!some)
    return;
  for (guint i = 0; i < kernel->rank; i++)
    indices[i] = heddle_dim_index (self->sketch, &flat.dims[i]);
  heddle_flow_reindex (self->sketch, kernel, indices, NULL, 0, &flat);
  *kernel = flat;
}

gboolean
heddle_window_contract (HeddleImport *self, const HeddleFlow *slid, const HeddleFlow *kernel, guint spatial,
    gint64 groups, int type, HeddleFlow *result)
{
  HeddleFlow parts[2] = { *slid, *kernel };
  HeddleLabelled operands[2] = { { .flow = &parts[0] }, { .flow = &parts[1] } };
  gint64 shape[HEDDLE_ONNX_MAX_RANK];
  int labels[HEDDLE_ONNX_MAX_RANK];
  guint n = 0;

  if (groups > 1)
    {
      heddle_window_split_groups (self, slid, 1, groups, &parts[0]);
      heddle_window_split_groups (self, kernel, 0, groups, &parts[1]);
    }
  drop_places (self, spatial, &parts[1]);
  label_conv (&operands[0], &operands[1], spatial, groups > 1);
  labels[n++] = BATCH;
  if (groups > 1)
    labels[n++] = GROUP;
  labels[n++] = FEATURE;
  for (guint i = 0; i < spatial; i++)
    labels[n++] = (int) (PLACE + i);
  if (!heddle_flow_contract (self->sketch, operands, 2, labels, n, type, result))
    return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  if (groups == 1)
    return TRUE;
  shape[0] = slid->dims[0].size;
  shape[1] = kernel->dims[0].size;
  for (guint i = 0; i < spatial; i++)
    shape[i + 2] = slid->dims[i + 2].size;
  heddle_flow_reshape (self->sketch, result, shape, spatial + 2, &parts[0]);
  *result = parts[0];
  return TRUE;
}

gboolean
heddle_import_conv (HeddleImport *self, const HeddleFlow *input, const HeddleFlow *kernel,
    const HeddleFlow *bias, int type, HeddleFlow *result)
{
  gint64 groups = heddle_onnx_node_int (self->node, "group", 1);
  HeddleOnnxWindow window;
  HeddleFlow slid;

  if (kernel == NULL || !heddle_window_read (self, input, kernel, &window))
    return heddle_import_refuse (self, _ ("an input is missing"));
  if (groups < 1 || kernel->dims[0].size % groups != 0
      || input->dims[1].size != kernel->dims[1].size * groups)
    return heddle_import_refuse (self, _ ("the channels do not fit together"));
  heddle_window_slide (self, input, &window, groups == 1 ? kernel : NULL, &slid);
  return heddle_window_contract (self, &slid, kernel, window.n, groups, type, result)
         && (bias == NULL || heddle_window_add_bias (self, bias, type, result));
}

static gboolean
conv (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  HeddleFlow result;

  return heddle_import_conv (self, input, heddle_import_input (self, 1), heddle_import_input (self, 2),
             input != NULL ? input->type : 0, &result)
         && heddle_import_give (self, 0, &result);
}

/* --- poolings -------------------------------------------------------------------------------------- */

static gboolean
map_one (HeddleImport *self, HeddleFlow *flow, const char *text, double a)
{
  const HeddleFlow before = *flow, *input = &before;

  return heddle_flow_map (self->sketch, &input, 1, heddle_import_expr (text, a, 0., 0.), flow->type, flow);
}

static void
reduce_windows (HeddleImport *self, const HeddleFlow *slid, guint n, const char *kind, HeddleFlow *result)
{
  gboolean flags[HEDDLE_ONNX_MAX_RANK] = { FALSE };

  for (guint i = 0; i < n; i++)
    flags[2 + n + i] = TRUE;
  heddle_flow_reduce (self->sketch, slid, kind, flags, FALSE, slid->type, result);
}

/* Returns the place of the largest element of a window in the whole array, in the order of its dimensions, or
 * (storage_order) of its columns first. */
static HeddleExpr *
place_in_array (
    HeddleImport *self, const HeddleFlow *input, const HeddleOnnxWindow *window, const HeddleFlow *out)
{
  gboolean columns = heddle_onnx_node_int (self->node, "storage_order", 0) != 0;
  HeddleExpr *sum = heddle_expr_number (0.);
  double strides[HEDDLE_ONNX_MAX_RANK], whole = 1., inner = 1.;

  for (guint i = 0; i < input->rank; i++)
    {
      guint dim = input->rank - 1 - i;
      guint from = columns && dim >= 2 ? 2 + (input->rank - 1 - dim) : dim;

      strides[from] = whole;
      whole *= (double) input->dims[from].size;
    }
  for (guint dim = input->rank; dim-- > 0;)
    {
      HeddleExpr *at = heddle_dim_index (self->sketch, &out->dims[dim]);

      if (dim >= 2)
        {
          HeddleExpr *within = heddle_import_expr (
              "floor($0/a) - b*floor($0/a/b)", inner, (double) window->kernel[dim - 2], 0.);

          inner *= (double) window->kernel[dim - 2];
          at = heddle_expr_binary (HEDDLE_EXPR_ADD,
              heddle_expr_binary (HEDDLE_EXPR_MUL, at, heddle_expr_number ((double) window->stride[dim - 2])),
              heddle_expr_binary (HEDDLE_EXPR_SUB,
                  heddle_expr_binary (
                      HEDDLE_EXPR_MUL, within, heddle_expr_number ((double) window->dilation[dim - 2])),
                  heddle_expr_number ((double) window->before[dim - 2])));
        }
      sum = heddle_expr_binary (
          HEDDLE_EXPR_ADD, sum, heddle_expr_binary (HEDDLE_EXPR_MUL, at, heddle_expr_number (strides[dim])));
    }
  return sum;
}

static gboolean
give_places (
    HeddleImport *self, const HeddleFlow *input, const HeddleFlow *slid, const HeddleOnnxWindow *window)
{
  HeddleFlow places, windows = *slid;
  const HeddleFlow *one = &places;

  for (guint i = 0; i < window->n; i++)
    heddle_flow_need_axis (self->sketch, &windows, 2 + window->n + i);
  windows.type = HEDDLE_ONNX_INT64;
  reduce_windows (self, &windows, window->n, "argmax", &places);
  return heddle_import_map (
      self, 1, &one, 1, place_in_array (self, input, window, &places), HEDDLE_ONNX_INT64);
}

/* Returns how many places of a window are within the padded array: the window at the end may reach beyond
 * it. */
static HeddleExpr *
places_within (
    HeddleImport *self, const HeddleFlow *input, const HeddleOnnxWindow *window, const HeddleFlow *out)
{
  HeddleExpr *all = heddle_expr_number (1.);

  for (guint i = 0; i < window->n; i++)
    {
      const gint64 padded = input->dims[2 + i].size + window->before[i] + window->after[i];
      const gint64 reach
          = (window->out[i] - 1) * window->stride[i] + (window->kernel[i] - 1) * window->dilation[i] + 1;
      HeddleExpr *n = heddle_expr_number ((double) window->kernel[i]);

      if (reach > padded)
        n = heddle_expr_binary (HEDDLE_EXPR_MIN, n,
            heddle_expr_unary (HEDDLE_EXPR_CEIL,
                heddle_expr_binary (HEDDLE_EXPR_DIV,
                    heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_expr_number ((double) padded),
                        heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_number ((double) window->stride[i]),
                            heddle_dim_index (self->sketch, &out->dims[2 + i]))),
                    heddle_expr_number ((double) window->dilation[i]))));
      all = heddle_expr_binary (HEDDLE_EXPR_MUL, all, n);
    }
  return all;
}

/* Pools windows; `text` says how a window is reduced. */
static gboolean
pool (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  const char *kind = row->text;
  HeddleFlow slid, result;
  const HeddleFlow *sum = &result;
  HeddleOnnxWindow window;

  if (!heddle_window_read (self, input, NULL, &window))
    return FALSE;
  heddle_window_slide (self, input, &window, NULL, &slid);
  if (heddle_import_has_output (self, 1) && !give_places (self, input, &slid, &window))
    return FALSE;
  if (g_str_equal (kind, "mean") && heddle_onnx_node_int (self->node, "count_include_pad", 0) != 0)
    kind = "sum";
  reduce_windows (self, &slid, window.n, kind, &result);
  if (!g_str_equal (row->text, "mean") || !g_str_equal (kind, "sum"))
    return heddle_import_give (self, 0, &result);
  return heddle_import_map (self, 0, &sum, 1,
      heddle_expr_binary (
          HEDDLE_EXPR_DIV, heddle_expr_argument (0), places_within (self, input, &window, &result)),
      result.type);
}

static gboolean
lp_pool (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  double p = (double) heddle_onnx_node_int (self->node, "p", 2);
  HeddleFlow slid, result;
  HeddleOnnxWindow window;

  if (!heddle_window_read (self, input, NULL, &window))
    return FALSE;
  heddle_window_slide (self, input, &window, NULL, &slid);
  map_one (self, &slid, "abs($0)^a", p);
  reduce_windows (self, &slid, window.n, "sum", &result);
  map_one (self, &result, "$0^(1/a)", p);
  return heddle_import_give (self, 0, &result);
}

static gboolean
global_pool (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  gboolean flags[HEDDLE_ONNX_MAX_RANK] = { FALSE };
  HeddleFlow result;

  if (input == NULL || input->rank < 2)
    return heddle_import_refuse (self, _ ("windows over so many dimensions"));
  for (guint i = 2; i < input->rank; i++)
    flags[i] = TRUE;
  heddle_flow_reduce (self->sketch, input, row->text, flags, TRUE, input->type, &result);
  return heddle_import_give (self, 0, &result);
}

const HeddleOnnxOperator heddle_onnx_windows[] = {
  { "AveragePool", 1, 0, pool, "mean" },
  { "Conv", 1, 0, conv },
  { "GlobalAveragePool", 1, 0, global_pool, "mean" },
  { "GlobalMaxPool", 1, 0, global_pool, "max" },
  { "LpPool", 2, 0, lp_pool },
  { "MaxPool", 1, 0, pool, "max" },
  { NULL },
};
