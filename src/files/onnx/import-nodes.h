/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/importer.h"
#include "files/onnx/model.h"

/* Runs the nodes of the model's graph in order, with the graphs within them; what is not understood becomes a
 * box. Returns FALSE with an error where a node reads what nothing before it makes. */
gboolean heddle_importer_run (Importer *self, const HeddleOnnxGraph *graph, GError **error);
