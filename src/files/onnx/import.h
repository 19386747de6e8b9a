/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/onnx/flow.h"

G_BEGIN_DECLS

typedef struct _HeddleOnnxOperator HeddleOnnxOperator;

/* A model on its way into a diagram. */
typedef struct
{
  const HeddleOnnxModel *model;
  HeddleSketch *sketch;
  GHashTable *flows; /* name in the model -> HeddleFlow */
  GHashTable *constants; /* name of an input -> HeddleArray: what it is known to be */
  GHashTable *infos; /* name -> HeddleOnnxInfo (none): what the model says of a value */
  GHashTable *wants; /* set of names of inputs whose numbers something needs */
  gint64 opset;
  const HeddleOnnxNode *node; /* at hand */
  guint n_run; /* nodes of graphs within nodes, however often */
  char *why; /* it was not understood; or NULL */
} HeddleImport;

/* One row: how nodes of a type are understood. */
struct _HeddleOnnxOperator
{
  const char *op;
  gint64 since, until; /* versions of the operator set, both included; until 0: any later one */
  /* Makes the outputs. %FALSE: it was not understood, heddle_import_refuse () has said why. */
  gboolean (*run) (HeddleImport *self, const HeddleOnnxOperator *row);
  const char *text; /* an expression over the inputs, an operation's kind …, as `run` takes it */
  int type; /* of the result where it is not that of the first input; 0: it is */
};

const HeddleOnnxOperator *heddle_onnx_operator_find (const char *op, gint64 opset);
/* The row of @kind-s that this table has; ends at op == NULL. One for each file of operators. */
extern const HeddleOnnxOperator heddle_onnx_elementwise[], heddle_onnx_reductions[], heddle_onnx_products[],
    heddle_onnx_windows[], heddle_onnx_shapes[], heddle_onnx_reads[], heddle_onnx_norms[],
    heddle_onnx_generators[], heddle_onnx_losses[], heddle_onnx_quantised[], heddle_onnx_resizes[],
    heddle_onnx_control[], heddle_onnx_bits[], heddle_onnx_pads[], heddle_onnx_parts[],
    heddle_onnx_transposed[];

/* --- what rows use --- */
G_GNUC_PRINTF (2, 3) gboolean heddle_import_refuse (HeddleImport *self, const char *format, ...);
/* Input @i; NULL: left out. */
const HeddleFlow *heddle_import_input (HeddleImport *self, guint i);
guint heddle_import_n_inputs (HeddleImport *self);
/* Whether output @i is to be made. */
gboolean heddle_import_has_output (HeddleImport *self, guint i);
gboolean heddle_import_give (HeddleImport *self, guint i, const HeddleFlow *flow);
/* Runs the nodes of a graph within the node at hand, or of a function that it calls, on @n flows. @again: the same was run before, and counts but once.
 * The flows of its outputs, transfer full; NULL: refused. */
HeddleFlow *heddle_import_run (
    HeddleImport *self, const HeddleOnnxGraph *graph, const HeddleFlow *given, guint n, gboolean again);
/* Output @output: the flows end to end along @axis. Their sizes along the others are the same. */
gboolean heddle_import_concat (HeddleImport *self, guint output, HeddleFlow *flows, guint n, guint axis);
/* The numbers of input @i, which have to be known. Transfer full; NULL: refused. */
HeddleArray *heddle_import_constant (HeddleImport *self, guint i);
/* Whole numbers: of input @i where it is given, else of the attribute (where @attribute is not NULL). @found FALSE: of neither. */
gboolean heddle_import_ints (
    HeddleImport *self, int input, const char *attribute, GArray **ints, gboolean *found);
/* An attribute of the same, one number. */
gboolean heddle_import_number (HeddleImport *self, guint input, double otherwise, double *number);
/* Axis @axis of @rank dimensions, counted from the end where it is below 0. */
gboolean heddle_import_axis (HeddleImport *self, gint64 axis, guint rank, guint *found);
/* Expressions over $0 …, with the letters a, b and c as the numbers given. */
HeddleExpr *heddle_import_expr (const char *text, double a, double b, double c);
/* Maps the inputs at hand, all of them given. */
gboolean heddle_import_map (
    HeddleImport *self, guint output, const HeddleFlow *const *inputs, guint n, HeddleExpr *body, int type);
/* A number as an array without dimensions, or with these. */
gboolean heddle_import_fill (
    HeddleImport *self, HeddleExpr *body, const HeddleDim *dims, guint rank, int type, HeddleFlow *flow);
/* A new array whose numbers are known. */
HeddleFlow heddle_import_known (HeddleImport *self, HeddleArray *numbers, int type);
/* Without elements, in the shape of @like, so that all its numbers are known. */
HeddleFlow heddle_import_empty (HeddleImport *self, const HeddleFlow *like);
/* Output @i is such. */
gboolean heddle_import_give_empty (HeddleImport *self, guint i, const HeddleFlow *like);
HeddleFlow heddle_import_known_ints (HeddleImport *self, const gint64 *numbers, guint n);

G_END_DECLS
