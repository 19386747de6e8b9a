/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/cost.h"

/* The cost at a program's own sizes, in symbols. */
typedef struct
{
  const HeddleCost *cost;
  gint64 tiles[HEDDLE_MAX_GROUPS], chunk;
  GPtrArray *sums; /* of HeddleExpr: those that stay as they are when products of them are written out */
} HeddleCostReport;
