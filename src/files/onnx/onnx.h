/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/array.h"
#include "diagram/document/document.h"

G_BEGIN_DECLS

/* Models of ONNX as diagrams. */

typedef struct
{
  char *node, *op; /* the node's name (or its first output's), its type */
  char *why;
} HeddleOnnxOpaque;

typedef struct
{
  guint n_operators, n_understood; /* nodes of the graph */
  GPtrArray *opaque; /* of HeddleOnnxOpaque: the others */
  GPtrArray *wanted; /* of char *: inputs that would have to be known (--constant) for some of them */
  GPtrArray *assumed; /* of char *: "batch = 2": sizes that the model leaves open and nobody gave */
} HeddleOnnxReport;

void heddle_onnx_report_clear (HeddleOnnxReport *self);

/* @constants (nullable): name of an input -> HeddleArray *. @sizes (nullable): name of a size -> gint64 *. The document of the model at @path; what is not
 * understood is a box. Errors: those of files, %HEDDLE_FILES_ERROR_FORMAT and _LIMIT with place and node. */
HeddleSnapshot *heddle_onnx_import (
    const char *path, GHashTable *constants, GHashTable *sizes, HeddleOnnxReport *report, GError **error);
/* Whether the file is to be read so, by its suffix. */
gboolean heddle_onnx_is (const char *path);
/* The types of operators that are understood, sorted. Transfer container, of const char *. */
GPtrArray *heddle_onnx_list_operators (void);
/* The value of a diagram that has this name, or had it in the model. */
const HeddleValue *heddle_onnx_find_value (const HeddleDiagram *diagram, const char *raw);
/* What a value of such a diagram was called in the model. Newly allocated. */
char *heddle_onnx_raw_name (const HeddleValue *value);
/* What its parts were called, where they are arrays of the model one after another; of char *, transfer full. */
GPtrArray *heddle_onnx_raw_parts (const HeddleValue *value);
/* Adds the arrays that the model at @path has for parameters of @diagram to @inputs, by their names there. */
gboolean heddle_onnx_fill_parameters (
    const char *path, const HeddleDiagram *diagram, GHashTable *inputs, GError **error);
/* An array of a file: `.pb`, or as NumPy writes it. */
HeddleArray *heddle_array_load (const char *path, GError **error);
/* One TensorProto of a file `.pb`. */
HeddleArray *heddle_onnx_tensor_load (const char *path, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleOnnxReport, heddle_onnx_report_clear)

G_END_DECLS
