/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/context.h"
#include "derive/kernel/derived-kernel.h"

/* Computes how many bytes of global memory are held while each kernel runs, and the peak, and writes them into
 * @self. Inputs and outputs stay; what passes between kernels goes with its last reader; what is placed
 * above global memory is there while a kernel works on it. */
void heddle_derivation_find_peak_memory (HeddleDerivation *self, const HeddleDeriveContext *context);
