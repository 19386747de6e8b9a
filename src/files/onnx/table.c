/* SPDX-License-Identifier: MIT */
#include "diagram/base/texts.h"
#include "files/onnx/table.h"

static const HeddleOnnxOperator *const tables[] = {
  heddle_onnx_bits,
  heddle_onnx_control,
  heddle_onnx_elementwise,
  heddle_onnx_generators,
  heddle_onnx_losses,
  heddle_onnx_norms,
  heddle_onnx_pads,
  heddle_onnx_parts,
  heddle_onnx_products,
  heddle_onnx_quantised,
  heddle_onnx_reads,
  heddle_onnx_recurrent,
  heddle_onnx_reductions,
  heddle_onnx_resizes,
  heddle_onnx_shapes,
  heddle_onnx_transposed,
  heddle_onnx_windows,
  heddle_onnx_writes,
};

const HeddleOnnxOperator *
heddle_onnx_operator_find (const char *op, gint64 opset)
{
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    for (const HeddleOnnxOperator *row = tables[i]; row->op != NULL; row++)
      if (g_str_equal (row->op, op) && opset >= row->since && (row->until == 0 || opset <= row->until))
        return row;
  return NULL;
}

GPtrArray *
heddle_onnx_list_operators (void)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    for (const HeddleOnnxOperator *row = tables[i]; row->op != NULL; row++)
      if (row == tables[i] || !g_str_equal (row->op, row[-1].op))
        g_ptr_array_add (list, (gpointer) row->op);
  g_ptr_array_sort (list, heddle_texts_compare);
  return list;
}
