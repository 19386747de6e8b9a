/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/onnx/flow.h"
#include "files/onnx/sketch.h"

G_BEGIN_DECLS

/* @to is @from with other dimensions. */
void heddle_flow_note_reshape (HeddleSketch *sketch, const HeddleFlow *from, const HeddleFlow *to);
/* What @flow is a reshape of; NULL: of nothing. Transfer none. */
const HeddleFlow *heddle_flow_before_reshape (HeddleSketch *sketch, const HeddleFlow *flow);
/* Factors of a matrix product whose rows, or batches, were put together of several dimensions become what they were before. %FALSE: they were
 * not. The product then has those dimensions in the place of the rows or batches. */
gboolean heddle_flow_factors_apart (HeddleSketch *sketch, const HeddleFlow **a, const HeddleFlow **b);
/* The same for what is put together elementwise, where the other operands have none of the dimensions that are in question. */
gboolean heddle_flow_operands_apart (HeddleSketch *sketch, const HeddleFlow **operands, guint n);

G_END_DECLS
