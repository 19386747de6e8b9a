/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include "files/onnx/onnx.h"

/* Frees the lists of a report, but not the report. */
void heddle_onnx_report_clear (HeddleOnnxReport *self);
/* Returns whether a file is a model of ONNX, by its suffix. */
gboolean heddle_onnx_is (const char *path);
/* Reads the model at @path as a document, transfer full; what is not understood is a box. @constants
 * (nullable) maps names of inputs to the HeddleArray that they are known to be, @sizes (nullable) names of
 * sizes to gint64. Layers that are alike are one definition, unless they are to stay @unrolled. Errors are those of files, and %HEDDLE_FILES_ERROR_FORMAT and _LIMIT with the place and
 * the node. */
HeddleSnapshot *heddle_onnx_import (const char *path, GHashTable *constants, GHashTable *sizes,
    gboolean unrolled, HeddleOnnxReport *report, GError **error);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleOnnxReport, heddle_onnx_report_clear)
