/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/onnx/flow.h"
#include "files/onnx/sketch.h"

/* Notes that @to is @from with other dimensions. */
void heddle_flow_note_reshape (HeddleSketch *sketch, const HeddleFlow *from, const HeddleFlow *to);
/* Returns the flow that @flow is a reshape of; NULL if there is none. Transfer none. */
const HeddleFlow *heddle_flow_before_reshape (HeddleSketch *sketch, const HeddleFlow *flow);
/* Splits the merged dimensions of factors of a matrix product, in its rows or batches, into what they were
 * before. Returns %FALSE if none were merged. The product then has those dimensions in the place of the rows
 * or batches. */
gboolean heddle_flow_factors_apart (HeddleSketch *sketch, const HeddleFlow **a, const HeddleFlow **b);
/* Splits the merged dimensions of operands of an elementwise operation, if the other operands have none of
 * the dimensions in question. Returns %FALSE if none were merged. */
gboolean heddle_flow_operands_apart (HeddleSketch *sketch, const HeddleFlow **operands, guint n);
