/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/context.h"
#include "derive/kernel/derived-kernel.h"

G_BEGIN_DECLS

/* How much global memory is held at a time: by each kernel's run, and at most. Inputs and outputs stay; what passes between kernels goes with its
 * last reader; what is placed above is there while it is at work. */
void heddle_derivation_find_held (HeddleDerivation *self, const HeddleDeriveContext *context);

G_END_DECLS
