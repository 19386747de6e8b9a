/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/context.h"
#include "derive/kernel/kernel.h"
#include "derive/program/loop-program-private.h"
#include "derive/region/region.h"
#include "derive/stream/stream.h"

/* Searches the best labels and returns the plan that goes with @tiling. @divisors holds HeddleDivisors, of
 * which tiles and chunks are multiples. Returns %NULL, with @tiling as it was, if it was cancelled, or with
 * %HEDDLE_DERIVE_ERROR_CAPACITY, which says why no tiles were found: one evaluation of the cost takes more
 * than the work of a search, or none fit the given labels and divisors. */
HeddleStreamPlan *heddle_search (const HeddleDeriveContext *context, const HeddleRegionTerm *region,
    HeddleTiling *tiling, const GPtrArray *divisors, HeddleSearchReport *report, GError **error);
