/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "diagram/expression/expr.h"
#include "files/onnx/context.h"
#include "files/onnx/model.h"
#include "files/onnx/sketch.h"
#include "files/onnx/window.h"

/* The largest number of places: more than any picture has; it keeps all products of sizes far from
 * overflow. */
#define LARGEST 1000000

static gboolean
take (HeddleImport *self, const char *attribute, gint64 *numbers, guint n, gint64 least)
{
  const GArray *given = heddle_onnx_node_ints (self->node, attribute);

  if (given == NULL || given->len == 0)
    return TRUE;
  if (given->len != n)
    return heddle_import_refuse (
        self, _ ("%s has %u numbers where %u are expected"), attribute, given->len, n);
  for (guint i = 0; i < n; i++)
    {
      numbers[i] = g_array_index (given, gint64, i);
      if (numbers[i] < least || numbers[i] > LARGEST)
        return heddle_import_refuse (self, _ ("%s has the number %" PRId64), attribute, numbers[i]);
    }
  return TRUE;
}

static gboolean
take_padding (HeddleImport *self, const HeddleFlow *input, HeddleOnnxWindow *window)
{
  const char *mode = heddle_onnx_node_text (self->node, "auto_pad", "NOTSET");
  gint64 pads[2 * HEDDLE_MAX_SPATIAL] = { 0 };

  if (g_str_has_prefix (mode, "SAME"))
    {
      for (guint i = 0; i < window->n; i++)
        {
          gint64 size = input->dims[i + 2].size, reach = (window->kernel[i] - 1) * window->dilation[i] + 1;
          gint64 out = (size + window->stride[i] - 1) / window->stride[i];
          gint64 total = MAX ((out - 1) * window->stride[i] + reach - size, 0);

          window->before[i] = g_str_equal (mode, "SAME_LOWER") ? total - total / 2 : total / 2;
          window->after[i] = total - window->before[i];
        }
      return TRUE;
    }
  if (!g_str_equal (mode, "VALID") && !take (self, "pads", pads, 2 * window->n, 0))
    return FALSE;
  memcpy (window->before, pads, window->n * sizeof (gint64));
  memcpy (window->after, pads + window->n, window->n * sizeof (gint64));
  return TRUE;
}

static gboolean
find_output (HeddleImport *self, const HeddleFlow *input, HeddleOnnxWindow *window)
{
  gboolean up = heddle_onnx_node_int (self->node, "ceil_mode", 0) != 0;

  for (guint i = 0; i < window->n; i++)
    {
      gint64 reach = (window->kernel[i] - 1) * window->dilation[i] + 1;
      gint64 room = input->dims[i + 2].size + window->before[i] + window->after[i] - reach;

      if (room < 0 || input->dims[i + 2].size > LARGEST * 100)
        return heddle_import_refuse (self, _ ("the window is larger than its input"));
      window->out[i] = (up ? room + window->stride[i] - 1 : room) / window->stride[i] + 1;
      /* the last window has to begin within the array or the padding before it */
      if (up && (window->out[i] - 1) * window->stride[i] >= input->dims[i + 2].size + window->before[i])
        window->out[i]--;
    }
  return TRUE;
}

gboolean
heddle_window_read (
    HeddleImport *self, const HeddleFlow *input, const HeddleFlow *kernel, HeddleOnnxWindow *window)
{
  *window = (HeddleOnnxWindow){ 0 };
  if (input == NULL || input->rank < 3 || input->rank - 2 > HEDDLE_MAX_SPATIAL
      || (kernel != NULL && kernel->rank != input->rank))
    return heddle_import_refuse (self, _ ("windows over so many dimensions"));
  window->n = input->rank - 2;
  for (guint i = 0; i < window->n; i++)
    {
      window->stride[i] = window->dilation[i] = 1;
      window->kernel[i] = kernel != NULL ? kernel->dims[i + 2].size : 0;
    }
  if (!take (self, "kernel_shape", window->kernel, window->n, 1)
      || !take (self, "strides", window->stride, window->n, 1)
      || !take (self, "dilations", window->dilation, window->n, 1) || !take_padding (self, input, window))
    return FALSE;
  for (guint i = 0; i < window->n; i++)
    if (window->kernel[i] < 1 || (kernel != NULL && window->kernel[i] != kernel->dims[i + 2].size))
      return heddle_import_refuse (self, _ ("the size of the window"));
  return find_output (self, input, window);
}

gint64
heddle_window_count (const HeddleOnnxWindow *self, guint i)
{
  const gint64 room
      = self->out[i] + self->before[i] + self->after[i] - (self->kernel[i] - 1) * self->dilation[i] - 1;

  return room < 0 ? 0 : room / self->stride[i] + 1;
}

/* Returns stride out + dilation k - before, without terms that are 0 and factors that are 1. */
static HeddleExpr *
window_index (
    HeddleSketch *sketch, const HeddleDim *out, const HeddleDim *k, const HeddleOnnxWindow *window, guint i)
{
  HeddleExpr *at = heddle_dim_index (sketch, out);

  if (window->stride[i] != 1)
    at = heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_number ((double) window->stride[i]), at);
  if (k->axis >= 0)
    {
      HeddleExpr *within = heddle_dim_index (sketch, k);

      if (window->dilation[i] != 1)
        within
            = heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_number ((double) window->dilation[i]), within);
      at = heddle_expr_binary (HEDDLE_EXPR_ADD, at, within);
    }
  if (window->before[i] != 0)
    at = heddle_expr_binary (HEDDLE_EXPR_SUB, at, heddle_expr_number ((double) window->before[i]));
  return at;
}

/* Returns whether there is a window at each place of dimension @i, whose axis is then kept. */
static gboolean
keeps_places (const HeddleFlow *input, const HeddleOnnxWindow *window, guint i)
{
  return window->stride[i] == 1 && window->out[i] == input->dims[2 + i].size;
}

void
heddle_window_need_axes (HeddleImport *self, HeddleFlow *flow, guint first, guint n)
{
  for (guint i = 0; i < n; i++)
    heddle_flow_need_axis (self->sketch, flow, first + i);
}

static gboolean
reaches_beyond (const HeddleFlow *input, const HeddleOnnxWindow *window)
{
  for (guint i = 0; i < window->n; i++)
    if (input->dims[2 + i].axis < 0 && (window->out[i] > 1 || window->kernel[i] > 1))
      return TRUE;
  return FALSE;
}

void
heddle_window_slide (HeddleImport *self, const HeddleFlow *input, const HeddleOnnxWindow *window,
    const HeddleFlow *kernel, HeddleFlow *slid)
{
  static const char *const names[] = { "y", "x", "z", "w", "v", "u" };
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  HeddleFlow read = *input, result;
  gboolean same = TRUE;

  if (reaches_beyond (input, window))
    heddle_window_need_axes (self, &read, 2, window->n);
  result = read;
  result.rank = 2 + 2 * window->n;
  for (guint i = 0; i < read.rank; i++)
    indices[i] = heddle_dim_index (self->sketch, &read.dims[i]);
  for (guint i = 0; i < window->n; i++)
    {
      HeddleDim *out = &result.dims[2 + i], *k = &result.dims[2 + window->n + i];

      same = same && keeps_places (input, window, i) && window->kernel[i] == 1;
      if (!keeps_places (input, window, i))
        *out = heddle_dim_new (self->sketch, window->out[i], names[i]);
      *k = heddle_dim_new (self->sketch, window->kernel[i], "k");
      if (kernel != NULL && kernel->dims[2 + i].axis >= 0 && window->kernel[i] > 1)
        k->axis = kernel->dims[2 + i].axis;
      heddle_expr_unref (indices[2 + i]);
      indices[2 + i] = window_index (self->sketch, out, k, window, i);
    }
  if (same)
    for (guint i = 0; i < read.rank; i++)
      heddle_expr_unref (indices[i]);
  else
    heddle_flow_reindex (self->sketch, &read, indices, NULL, 0, &result);
  *slid = result;
}
