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

G_END_DECLS
