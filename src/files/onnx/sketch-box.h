/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/sketch-private.h"

G_BEGIN_DECLS

/* sketch-box.c */
void heddle_sketch_emit_box (HeddleSketchEmission *self, const HeddleSketchOperation *operation);

G_END_DECLS
