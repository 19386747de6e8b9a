/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/onnx/sketch-private.h"
#include "files/onnx/sketch.h"

G_BEGIN_DECLS

/* What a module of the model comes to, of what is reached, is called after it, "q_proj", where it has no name: the last of its operations makes it. */
void heddle_sketch_name_results (HeddleSketch *self, const HeddleSketchReach *reach);

G_END_DECLS
