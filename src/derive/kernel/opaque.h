/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/context.h"
#include "derive/cost/cost.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Operations that no loop program says: priced as kernels of their own, of which no code is made. */

/* Prices @self, whose operations are there, as what every kernel of them has to do at least: what it reads crosses once (of an operand that
 * is gathered from, as many elements as are read), what it writes once, and its operations run at the machine's rates. */
void heddle_kernel_price_unmade (HeddleKernel *self, const HeddleDeriveContext *context, const char *reason);

/* Adds what a contraction takes, whichever kernel it is in; nothing of other operations. */
void heddle_kernel_add_contraction (const HeddleDeriveContext *context, const HeddleOperation *operation,
    double work[HEDDLE_N_WORKS], double contracted[HEDDLE_N_DTYPES]);

G_END_DECLS
