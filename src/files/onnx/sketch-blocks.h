/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"
#include "files/onnx/sketch-private.h"

G_BEGIN_DECLS

/* sketch-blocks.c: backdrops for the modules of a diagram that was emitted. @modules: id of an operation -> its module. */
void heddle_sketch_add_blocks (HeddleSketchEmission *self, HeddleDiagram *diagram, GHashTable *modules);

G_END_DECLS
