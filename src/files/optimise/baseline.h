/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/analysis/sizes.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* This file says which kernels PyTorch would start for a diagram, so that what is made can be held against
 * them. Both ways have the same library kernels: a sum of products is one, with a bias that is added to it,
 * and attention is one (scaled_dot_product_attention). A view starts none. They differ in all else: without a
 * compiler each operation is a kernel, and Inductor, the compiler behind torch.compile, joins what is done
 * element by element, and sums and norms, by the rules of its scheduler. */

typedef enum
{
  HEDDLE_BASELINE_EAGER,
  HEDDLE_BASELINE_INDUCTOR,
} HeddleBaseline;

/* Returns the kernels as a diagram that has what each of them reads, and a region without labels for each of
 * them in @schedule. A view of what another kernel makes is an input there: it is read where it lies. The
 * caller owns both. */
HeddleDiagram *heddle_baseline_new (
    const HeddleDiagram *diagram, HeddleBaseline how, HeddleSchedule **schedule);
