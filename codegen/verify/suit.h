/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Of sizes of some axes, by their ids: gives those that have to agree the larger one, and one that has none the other's; %TRUE: something changed. */
gboolean heddle_verify_agree (const HeddlePlan *plan, GHashTable *small);
/* All sizes, of which @small are given, and the others the plan's; %NULL: there are none such. */
HeddleSizes *heddle_verify_complete_sizes (const HeddlePlan *plan, GHashTable *small);
/* Whether the kernels, with the constants they have, can run at the sizes. */
gboolean heddle_verify_suits (const HeddlePlan *plan, const HeddleSizes *sizes);
/* Takes those out with which the kernels could not run: a constant of theirs follows from it, or it follows from one. Axes that have to agree stay or go
 * together. */
void heddle_verify_keep_what_suits (const HeddlePlan *plan, GHashTable *small);

G_END_DECLS
