/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/sketch-private.h"

G_BEGIN_DECLS

/* fold.c: modules that are the same one after another as repetitions, the others as backdrops. */
void heddle_sketch_fold (HeddleSketchEmission *self);

G_END_DECLS
