/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"

/* A pointwise function as generated code has it. */
typedef struct
{
  HeddleExprKind kind;
  const char *narrow, *wide; /* what it is called for float and for double */
  const char *sections[3], *wide_sections[3]; /* of the prelude, that define it */
  guint instructions; /* about so many for a float */
  guint special; /* and of these so many of the special-function unit (ex2, lg2, rcp, rsqrt) */
  double least; /* of the values that it is defined for; -inf: all */
  /* The function for results of 16 bits or fewer; NULL if it is that of floats. */
  const char *coarse, *coarse_sections[5];
} HeddlePointwise;

/* Returns the row of @kind in the table; NULL where it is no function. */
const HeddlePointwise *heddle_pointwise_get (HeddleExprKind kind);

/* Returns the static table of all pointwise functions, and how many rows it has in @n_rows, which must not be
 * NULL. */
const HeddlePointwise *heddle_pointwise_table (guint *n_rows);
/* Returns whether @leaf, an argument or an index, differs from point to point. */
typedef gboolean (*HeddlePointwiseVaries) (const HeddleExpr *leaf, gpointer data);

/* Adds to @instructions about how many instructions the expression takes at one point in f32, and to @special
 * how many of them are for the special-function unit. Only parts with a leaf for which @varies holds count; the
 * others are the same at all points. */
void heddle_pointwise_count (const HeddleExpr *expr, HeddlePointwiseVaries varies, gpointer data,
    double *instructions, double *special);
