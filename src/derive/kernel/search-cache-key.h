/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/cost/context.h"
#include "derive/program/loop-program-private.h"
#include "derive/region/region.h"

/* Returns the key of a kernel with the labels given, a new reference; @tiling and @divisors may be NULL.
 * %NULL means that the kernel is not cached, because its cost depends on where values are placed or the
 * key is too long. With @named, kernels of one key agree in the names of their axes as well. */
GBytes *heddle_search_cache_key (const HeddleDeriveContext *context, const HeddleRegionTerm *region,
    const HeddleTiling *tiling, const GPtrArray *divisors, gboolean named);
