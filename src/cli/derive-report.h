/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/derivation.h"
#include "cli/input.h"
#include "derive/cost/level-cost.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/graph/diagram.h"

/* Prints which softmaxes and norms (value ids; NULL if there are none) fit no memory and are derived as maps
 * and reductions. */
void heddle_derived_print_written_out (const HeddleDiagram *diagram, const GArray *values);
/* Prints the kernels of a derivation, and the totals if no label is illegal, for a person on the standard
 * output. */
void heddle_derived_print_table (const HeddleDerived *self, const HeddleInput *input);

/* Returns whether the counts of a level fit in 64 bits; those that do not stay at their largest number. */
gboolean heddle_derived_is_exact (const HeddleLevelCost *level);
/* Returns the named values that a kernel computes again. */
GPtrArray *heddle_derived_recomputed_labels (const HeddleDiagram *diagram, const HeddleKernel *kernel);
