/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/importer.h"

typedef struct _HeddleOnnxOperator HeddleOnnxOperator;

/* A row says how nodes of a type are understood. */
struct _HeddleOnnxOperator
{
  const char *op;
  gint64 since, until; /* versions of the operator set, both included; until 0: any later one */
  /* Makes the outputs. Returns FALSE if the node was not understood and heddle_import_refuse () has said
   * why. */
  gboolean (*run) (HeddleImport *self, const HeddleOnnxOperator *row);
  const char *text; /* an expression over the inputs, an operation's kind …, as `run` takes it */
  int type; /* of the result where it is not that of the first input; 0: it is */
};

/* The tables, one for each file of operators; each ends at op == NULL. */
extern const HeddleOnnxOperator heddle_onnx_elementwise[], heddle_onnx_reductions[], heddle_onnx_products[],
    heddle_onnx_windows[], heddle_onnx_shapes[], heddle_onnx_reads[], heddle_onnx_norms[],
    heddle_onnx_generators[], heddle_onnx_losses[], heddle_onnx_quantised[], heddle_onnx_resizes[],
    heddle_onnx_control[], heddle_onnx_bits[], heddle_onnx_pads[], heddle_onnx_parts[],
    heddle_onnx_transposed[], heddle_onnx_writes[], heddle_onnx_recurrent[];

/* Returns the row of an operator in that version of the operator set, static; NULL means that it is not
 * understood. */
const HeddleOnnxOperator *heddle_onnx_operator_find (const char *op, gint64 opset);
/* Returns the types of operators that are understood, sorted. Transfer container, of const char *. */
GPtrArray *heddle_onnx_list_operators (void);
