/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/array.h"
#include "diagram/document/document.h"
#include "files/onnx/sketch-private.h"
#include "files/onnx/sketch.h"

G_BEGIN_DECLS

HeddleSketchReach heddle_sketch_reach (HeddleSketch *self, const GArray *wanted, gboolean for_numbers);
void heddle_sketch_reach_clear (HeddleSketchReach *self);
/* The inputs, by the model's names, that @value is made of. */
void heddle_sketch_visit_inputs (
    HeddleSketch *self, int value, void (*visit) (const char *raw, gpointer data), gpointer data);
const char *heddle_sketch_emit_axis (HeddleSketchEmission *self, int axis);
const char *heddle_sketch_emit_value (HeddleSketchEmission *self, int value);
void heddle_sketch_emit (HeddleSketchEmission *self, const GArray *wanted);
void heddle_sketch_emission_clear (HeddleSketchEmission *self);
/* --- the end --- the document in which @outputs (value numbers) are worked out. */
HeddleSnapshot *heddle_sketch_finish (
    HeddleSketch *self, const char *name, const GArray *outputs, GError **error);
const HeddleArray *heddle_sketch_numbers (HeddleSketch *self, int value, GError **error);

G_END_DECLS
