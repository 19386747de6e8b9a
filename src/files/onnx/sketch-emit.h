/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/array.h"
#include "diagram/document/document.h"
#include "files/onnx/sketch-private.h"
#include "files/onnx/sketch.h"

/* Visits the inputs, by the model's names, on which @value depends. */
void heddle_sketch_visit_inputs (
    HeddleSketch *self, int value, void (*visit) (const char *raw, gpointer data), gpointer data);
/* Returns the document that computes @outputs (value numbers), owned by the caller; NULL with an error. */
HeddleSnapshot *heddle_sketch_finish (
    HeddleSketch *self, const char *name, const GArray *outputs, GError **error);
/* Returns the numbers of a known value, computed if need be; @self owns them. NULL means that @error is
 * set. */
const HeddleArray *heddle_sketch_numbers (HeddleSketch *self, int value, GError **error);
