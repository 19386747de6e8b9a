/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/cost/context.h"
#include "derive/program/loop-program-private.h"
#include "derive/region/region.h"

G_BEGIN_DECLS

/* The key of a kernel with the labels given; @tiling, @divisors: (nullable). %NULL: it is not recalled: its cost
 * depends on where values are placed, or it is too long. @named: kernels
 * agree in the names of their axes as well. */
GBytes *heddle_recall_key (const HeddleDeriveContext *context, const HeddleRegionTerm *region,
    const HeddleTiling *tiling, const GPtrArray *divisors, gboolean named);

G_END_DECLS
