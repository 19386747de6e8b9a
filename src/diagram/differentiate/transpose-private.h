/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/differentiate/private.h"
#include "diagram/graph/diagram.h"

/* A read being transposed: see reindex.c. */
typedef struct
{
  HeddleReverse *reverse;
  const HeddleOperation *operation;
  const HeddleValue *operand;
  const HeddleValue *result;
  GHashTable *renames; /* id of an axis of the result -> id of that in its place */
  GArray *summed; /* ids, of those in the place of what no plain index is */
  GArray *open; /* numbers (guint) of the indices that are not plain */
  GPtrArray *equations; /* the equation of each axis over the axes in place; NULL if it is solved */
  GHashTable *solutions; /* id of an axis in place -> where it is read */
  GPtrArray *conditions; /* of HeddleExpr */
  GArray *numbers; /* value ids: the arrays of indices in their places; those of ARGUMENT 1 … */
} HeddleTranspose;
