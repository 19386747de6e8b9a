/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "diagram/graph/diagram.h"

/* Makes sizes of some axes, by their ids, agree: those that must be equal get the larger one, and one that
 * has none the other's. Returns %TRUE if something changed. */
gboolean heddle_verify_agree (const HeddlePlan *plan, GHashTable *small);
/* Returns all sizes: those of @small as given, and the plan's for the others; %NULL if they are not
 * consistent. */
HeddleSizes *heddle_verify_complete_sizes (const HeddlePlan *plan, GHashTable *small);
/* Returns whether the kernels, with the constants they have, can run at the sizes. */
gboolean heddle_verify_suits (const HeddlePlan *plan, const HeddleSizes *sizes);
/* Takes those out with which the kernels could not run: a constant of theirs follows from it, or it follows
 * from one. Axes that have to agree stay or go together. */
void heddle_verify_keep_what_suits (const HeddlePlan *plan, GHashTable *small);
