/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "files/onnx/flow.h"
#include "files/onnx/sketch.h"

/* Returns @body (stolen) with fewer choices of choices, zeros and ones. */
HeddleExpr *heddle_flow_tidy (HeddleExpr *body);
/* Returns @operand as an expression of the places along what has its labels; NULL if it is more than that. */
HeddleExpr *heddle_flow_places (
    HeddleSketch *sketch, const HeddleLabelled *operand, const HeddleLabelling *labelling);

/* Adds @value read at @indices, one for each of its axes, as a new value over @axes, if it is made of its
 * places alone and none of the indices is outside. Returns -1 if it is not. */
int heddle_flow_read_places (
    HeddleSketch *sketch, int value, HeddleExpr *const *indices, const int *axes, guint n_axes);
/* Returns whether all numbers of @value are the same one, made of no array of the model. */
gboolean heddle_flow_is_uniform (HeddleSketch *sketch, int value, double *number);
