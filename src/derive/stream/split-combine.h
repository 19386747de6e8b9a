/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/region/region.h"
#include "derive/stream/split.h"
#include "derive/stream/stream.h"

G_BEGIN_DECLS

/* The region of the second kernel, over the values that @split has for the states. */
HeddleRegionTerm *heddle_split_combine_new (
    const HeddleStreamPlan *plan, HeddleSplit *split, const gboolean *needed);

G_END_DECLS
