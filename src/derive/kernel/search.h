/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/context.h"
#include "derive/kernel/kernel.h"
#include "derive/program/loop-program-private.h"
#include "derive/region/region.h"
#include "derive/stream/stream.h"

G_BEGIN_DECLS

/* @divisors: of HeddleDivisor: tiles and chunks are multiples of them. Returns the plan that goes with @tiling. %NULL, with @tiling as it was:
 * cancelled; or %HEDDLE_DERIVE_ERROR_CAPACITY, says why no tiles were found: a look at the cost takes more than the work of a search, or none go with the
 * given labels and divisors. */
HeddleStreamPlan *heddle_search (const HeddleDeriveContext *context, const HeddleRegionTerm *region,
    HeddleTiling *tiling, const GPtrArray *divisors, HeddleSearchReport *report, GError **error);

G_END_DECLS
