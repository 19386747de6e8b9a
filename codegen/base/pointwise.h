/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* A pointwise function as generated code has it. */
typedef struct
{
  HeddleExprKind kind;
  const char *narrow, *wide; /* what it is called for float and for double */
  const char *sections[3], *wide_sections[3]; /* of the prelude, that define it */
  guint instructions; /* about so many for a float */
  guint special; /* and of these so many of the special-function unit (ex2, lg2, rcp, rsqrt) */
  double least; /* of the values that it is defined for; -inf: all */
} HeddlePointwise;

/* The row of a kind; %NULL: it is no function. @n_rows: of the table (nullable). */
const HeddlePointwise *heddle_pointwise_get (HeddleExprKind kind);
const HeddlePointwise *heddle_pointwise_table (guint *n_rows);
/* About how many instructions the expression takes at a point, as f32, and how many of them are of the special-function unit: of what is made of
 * leaves that vary from point to point. */
typedef gboolean (*HeddlePointwiseVaries) (const HeddleExpr *leaf, gpointer data);
void heddle_pointwise_count (const HeddleExpr *expr, HeddlePointwiseVaries varies, gpointer data,
    double *instructions, double *special);

G_END_DECLS
