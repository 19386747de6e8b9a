/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"
#include "files/onnx/sketch-private.h"

/* Adds backdrops for the modules of a diagram that was emitted. @modules maps the id of an operation to its
 * module. */
void heddle_sketch_add_blocks (HeddleSketchEmission *self, HeddleDiagram *diagram, GHashTable *modules);
