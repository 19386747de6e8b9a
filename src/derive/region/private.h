/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/region/region.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* A region's list of definitions being made. */
typedef struct
{
  HeddleRegionTerm *region;
  const HeddleSizes *sizes;
  GHashTable *members; /* operation ids */
  GHashTable *definitions; /* value id -> index + 1 of the definition that is it */
  guint first, end; /* the members lie here among the diagram's operations */
  guint column; /* of the current operation */
  GHashTable *marks; /* value id -> GPtrArray: see inside.c */
  gboolean gathers; /* what is read at indices is not held whole */
  const HeddleStoring *storing; /* NULL: each value is where its operation runs */
  HeddleExpr *inside; /* the condition that a term of the operation is not left out; NULL: none is */
} HeddleRegionBuilder;
