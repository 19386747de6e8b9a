/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/canonical.h"
#include "derive/cost/cost.h"

G_BEGIN_DECLS

/* Never %NULL: where there is no such form it says why. */
HeddleCanonical *heddle_canonical_new (const HeddleCost *cost);

G_END_DECLS
