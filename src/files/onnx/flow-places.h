/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "files/onnx/flow.h"
#include "files/onnx/sketch.h"

G_BEGIN_DECLS

/* @body (stolen) with fewer choices of choices, zeros and ones. */
HeddleExpr *heddle_flow_tidy (HeddleExpr *body);
/* flow-places.c: @operand as an expression of the places along what has its labels; NULL: it is more than that. */
HeddleExpr *heddle_flow_places (
    HeddleSketch *sketch, const HeddleLabelled *operand, const HeddleLabelling *labelling);

/* @value read at @indices, one for each of its axes, as a new value over @axes: where it is made of nothing but its places, and none of the indices is
 * outside. -1: it is something else. */
int heddle_flow_read_places (
    HeddleSketch *sketch, int value, HeddleExpr *const *indices, const int *axes, guint n_axes);
/* Whether all numbers of @value are one, which is made of no array of the model. */
gboolean heddle_flow_is_uniform (HeddleSketch *sketch, int value, double *number);

G_END_DECLS
