/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"
#include "files/onnx/model.h"

G_BEGIN_DECLS

/* Runs the nodes of a graph within the node at hand, or of a function that it calls, on @n flows. @again: the same was run before, and counts but once.
 * The flows of its outputs, transfer full; NULL: refused. */
HeddleFlow *heddle_import_run (
    HeddleImport *self, const HeddleOnnxGraph *graph, const HeddleFlow *given, guint n, gboolean again);
/* A node within a function with the attributes of its call. Attributes are those of @made, which frees them. */
HeddleOnnxNode heddle_importer_resolve (const Importer *self, const HeddleOnnxNode *node, GPtrArray *made);
/* The nodes of a function of the model in the place of the node at hand, which calls it. */
gboolean heddle_importer_call (Importer *self, const HeddleOnnxGraph *function);

G_END_DECLS
