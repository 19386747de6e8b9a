/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"
#include "files/onnx/model.h"
#include "files/onnx/onnx.h"

G_BEGIN_DECLS

typedef struct _HeddleOnnxOperator HeddleOnnxOperator;

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

/* The row of @kind-s that this table has; ends at op == NULL. One for each file of operators. */
extern const HeddleOnnxOperator heddle_onnx_elementwise[], heddle_onnx_reductions[], heddle_onnx_products[],
    heddle_onnx_windows[], heddle_onnx_shapes[], heddle_onnx_reads[], heddle_onnx_norms[],
    heddle_onnx_generators[], heddle_onnx_losses[], heddle_onnx_quantised[], heddle_onnx_resizes[],
    heddle_onnx_control[], heddle_onnx_bits[], heddle_onnx_pads[], heddle_onnx_parts[],
    heddle_onnx_transposed[];

/* What the model says of a value; NULL: nothing. */
void heddle_importer_read_info (Importer *self, const HeddleOnnxInfo *info, HeddleFlow *flow);
/* Tells whether all sizes are at least 1 and within what can be imported. */
gboolean heddle_importer_has_good_sizes (const HeddleFlow *flow);
/* A value with all of its axes, called @name. */
void heddle_importer_store (Importer *self, HeddleFlow *flow, HeddleValueRole role, const char *name);
/* Adds an array of the model as a parameter; its numbers stay in the file. */
void heddle_importer_add_initializer (Importer *self, const HeddleOnnxTensor *tensor);
/* Remembers what the model says of its values, by name; the model owns it. */
void heddle_importer_note_infos (Importer *self, GPtrArray *infos);
/* Frees the lists of a report, but not the report. */
void heddle_onnx_report_clear (HeddleOnnxReport *self);
/* Whether the file is to be read so, by its suffix. */
gboolean heddle_onnx_is (const char *path);
/* @constants (nullable): name of an input -> HeddleArray *. @sizes (nullable): name of a size -> gint64 *. The document of the model at @path; what is not
 * understood is a box. Errors: those of files, %HEDDLE_FILES_ERROR_FORMAT and _LIMIT with place and node. */
HeddleSnapshot *heddle_onnx_import (
    const char *path, GHashTable *constants, GHashTable *sizes, HeddleOnnxReport *report, GError **error);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleOnnxReport, heddle_onnx_report_clear)

G_END_DECLS
