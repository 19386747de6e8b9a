/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/importer.h"
#include "files/onnx/model.h"
#include "files/onnx/onnx.h"

G_BEGIN_DECLS

/* Frees the note of a node that was not understood. */
void heddle_opaque_free (HeddleOnnxOpaque *self);
/* Nodes in order; what is not understood becomes a box. %FALSE: one reads what nothing before it makes. */
gboolean heddle_importer_run_nodes (Importer *self, const HeddleOnnxGraph *graph, GError **error);

G_END_DECLS
