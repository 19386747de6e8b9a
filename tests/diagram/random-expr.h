/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"

/* Random expressions for property tests: the same from the same seed. */

/* Of any kinds and leaves, numbers of all magnitudes and both signs. */
HeddleExpr *random_expr (GRand *random, guint depth);
/* Over the variables a … d and whole numbers: arithmetic, ceil, floor, min and max, as costs have. */
HeddleExpr *random_cost (GRand *random, guint depth);
