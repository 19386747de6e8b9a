/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/context.h"
#include "derive/cost/cost.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* An opaque kernel has operations that no loop program expresses. It is priced, and no code is made of it. */

/* Prices @self, whose operations are set, as the least that every kernel of them has to do: its inputs cross the
 * memory once (of an operand that is gathered from, as many elements as are read), its outputs once, and its
 * operations run at the machine's rates. @reason is copied: why no loop program expresses them. */
void heddle_kernel_price_opaque (HeddleKernel *self, const HeddleDeriveContext *context, const char *reason);

/* Adds to @work, and per type of the factors to @contracted, the operations that a contraction takes in whichever
 * kernel it is. Other operations add nothing. */
void heddle_kernel_add_contraction (const HeddleDeriveContext *context, const HeddleOperation *operation,
    double work[HEDDLE_N_WORKS], double contracted[HEDDLE_N_DTYPES]);
