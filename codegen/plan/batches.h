/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

/* Lets the values that nobody outside of @diagram sees begin with the batch axes of a product, such as heads
 * and batches: those that both its factors and its result have. What maps and norms make of such a value has
 * the same layout. */
void heddle_plan_put_batches_first (HeddleDiagram *diagram);
