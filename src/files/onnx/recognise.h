/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/onnx/sketch.h"

/* Replaces several operations of a model by one: RMSNorm and LayerNorm spelled out, SiLU as a product with a
 * sigmoid; mere copies are removed. What came before stays if something else reads it. */
void heddle_sketch_recognise (HeddleSketch *self);
