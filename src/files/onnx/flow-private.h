/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/onnx/flow.h"

G_BEGIN_DECLS

/* flow-places.c: @operand as an expression of the places along what has its labels; NULL: it is more than that. */
HeddleExpr *heddle_flow_places (
    HeddleSketch *sketch, const HeddleLabelled *operand, const HeddleLabelling *labelling);
/* @body (stolen) with fewer choices of choices, zeros and ones. */
HeddleExpr *heddle_flow_tidy (HeddleExpr *body);

G_END_DECLS
