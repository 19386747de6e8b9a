/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/stream/split.h"

G_BEGIN_DECLS

/* Whether the definition's state is one of a sum, a product or an extremum. */
gboolean heddle_split_is_folded (const HeddleStreamPlan *plan, guint i);

/* The region of the second kernel, over the values that @split has for the states. --- split-combine.c */
HeddleRegionTerm *heddle_split_combine_new (
    const HeddleStreamPlan *plan, HeddleSplit *split, const gboolean *needed);

G_END_DECLS
