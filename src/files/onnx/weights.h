/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

/* Adds the arrays that the model at @path has for parameters of @diagram to @inputs, by their names there. */
gboolean heddle_onnx_fill_parameters (
    const char *path, const HeddleDiagram *diagram, GHashTable *inputs, GError **error);
