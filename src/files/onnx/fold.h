/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/sketch-private.h"

/* Folds modules that are the same one after another into repetitions; the others become backdrops. */
void heddle_sketch_fold (HeddleSketchEmission *self);
