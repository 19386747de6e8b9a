/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/onnx/sketch.h"

G_BEGIN_DECLS

/* Says in one operation what a model says in several: RMSNorm and LayerNorm spelled out, SiLU as a product with a sigmoid, and what is copied as it is
 * not at all. What came before stays where something else reads it. */
void heddle_sketch_recognise (HeddleSketch *self);

G_END_DECLS
