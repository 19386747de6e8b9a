/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/array.h"
#include "diagram/document/document.h"
#include "files/onnx/sketch-private.h"
#include "files/onnx/sketch.h"

G_BEGIN_DECLS

/* Returns which operations and values @wanted needs, to be cleared with heddle_sketch_reach_clear (). */
HeddleSketchReach heddle_sketch_reach (HeddleSketch *self, const GArray *wanted, gboolean for_numbers);
/* Frees the bytes of a reach, but not itself. */
void heddle_sketch_reach_clear (HeddleSketchReach *self);
/* Visits the inputs, by the model's names, on which @value depends. */
void heddle_sketch_visit_inputs (
    HeddleSketch *self, int value, void (*visit) (const char *raw, gpointer data), gpointer data);
/* Returns the id of an axis in the diagram, to which it is added at first. */
const char *heddle_sketch_emit_axis (HeddleSketchEmission *self, int axis);
/* Adds a value to the diagram and returns its id. */
const char *heddle_sketch_emit_value (HeddleSketchEmission *self, int value);
/* Adds what @wanted (value numbers) needs to the diagram. */
void heddle_sketch_emit (HeddleSketchEmission *self, const GArray *wanted);
/* Frees what an emission holds, but not its diagram. */
void heddle_sketch_emission_clear (HeddleSketchEmission *self);
/* Returns the document that computes @outputs (value numbers), owned by the caller; NULL with an error. */
HeddleSnapshot *heddle_sketch_finish (
    HeddleSketch *self, const char *name, const GArray *outputs, GError **error);
/* Returns the numbers of a known value, computed if need be; @self owns them. NULL means that @error is
 * set. */
const HeddleArray *heddle_sketch_numbers (HeddleSketch *self, int value, GError **error);

/* Emits an operation as a box (sketch-box.c). */
void heddle_sketch_emit_box (HeddleSketchEmission *self, const HeddleSketchOperation *operation);

G_END_DECLS
