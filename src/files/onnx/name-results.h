/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/onnx/sketch-private.h"
#include "files/onnx/sketch.h"

/* Names the result of each module of the model, as far as it is reached, after the module, "q_proj", if it
 * has no name: the last of its operations makes it. */
void heddle_sketch_name_results (HeddleSketch *self, const HeddleSketchReach *reach);
