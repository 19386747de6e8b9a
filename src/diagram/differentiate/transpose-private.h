/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/differentiate/private.h"

G_BEGIN_DECLS

/* A read being transposed: see differentiate-reindex.c. */
typedef struct
{
  HeddleReverse *reverse;
  const HeddleOperation *operation;
  const HeddleValue *operand;
  const HeddleValue *result;
  GHashTable *renames; /* id of an axis of the result -> id of that in its place */
  GArray *summed; /* ids, of those in the place of what no plain index is */
  GArray *open; /* numbers (guint) of the indices that are not plain */
  GPtrArray *equations; /* what each of them is over the axes in place; NULL: solved */
  GHashTable *solutions; /* id of an axis in place -> where it is read */
  GPtrArray *conditions; /* of HeddleExpr */
  GArray *numbers; /* value ids: the arrays of indices in their places; those of ARGUMENT 1 … */
} HeddleTranspose;

/* --- differentiate-solve.c --- */
/* Makes an equation of each index that is not plain, solves those that can be, and makes conditions of the others. */
void heddle_transpose_solve (HeddleTranspose *self);
/* Adds the conditions that the solutions are inside the cotangent. */
void heddle_transpose_add_bounds (HeddleTranspose *self);
/* All conditions at once; NULL: there is none. */
HeddleExpr *heddle_transpose_all_conditions (const HeddleTranspose *self);
/* Whether one of the arrays of numbers is along the axis. */
gboolean heddle_transpose_is_number_axis (const HeddleTranspose *self, const char *axis);

G_END_DECLS
