/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expr.h"

G_BEGIN_DECLS

/* What an expression may be where its leaves may be anything within bounds of their own. */

typedef struct
{
  double from, to; /* both included */
} HeddleInterval;

/* What a leaf may be. */
typedef HeddleInterval (*HeddleIntervalLeaf) (const HeddleExpr *leaf, gpointer data);

/* From minus to plus infinity: nothing is known. */
extern const HeddleInterval heddle_interval_all;

/* Of a condition 0 to 0 where it never holds, 1 to 1 where it always does. What it does not know is unbounded. Where every leaf stands once, the
 * bounds are those that the expression comes to. */
HeddleInterval heddle_interval_of (const HeddleExpr *expr, HeddleIntervalLeaf leaf, gpointer data);

G_END_DECLS
