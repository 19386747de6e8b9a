/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/names.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"

G_BEGIN_DECLS

/* What the text of an expression depends on: where the leaves are, and the type it is computed in. */
typedef struct
{
  HeddleNames *names;
  gboolean wide; /* double instead of float */
  /* The text of operand @i's element at the point, in the computing type. */
  const char *(*argument) (guint i, gpointer data);
  /* The text of an axis' global index at the point, as a whole number. */
  const char *(*index) (const char *axis_id, gpointer data);
  gpointer data;
  GHashTable *sections; /* prelude sections used (a set of static strings) */
  /* Operand @i's element as a 64-bit whole number; NULL: it is none. The function may be NULL. */
  const char *(*whole_argument) (guint i, gpointer data);
  gboolean coarse; /* nothing is stored in more than 16 bits: functions may be that much off */
  /* Whether operand @i is the same at many points, so that its reciprocal is worth keeping. The function may be NULL: none is. */
  gboolean (*shared) (guint i, gpointer data);
} HeddleCudaContext;

/* The expression in C++ as a value of the computing type; newly allocated. */
char *heddle_cuda_expr (const HeddleCudaContext *context, const HeddleExpr *expr);
/* The expression as a condition; newly allocated. */
char *heddle_cuda_condition (const HeddleCudaContext *context, const HeddleExpr *expr);
/* The same as a factor: in parentheses where it needs them. */
char *heddle_cuda_factor (const HeddleCudaContext *context, const HeddleExpr *expr);
/* An index as a 64-bit whole number. */
char *heddle_cuda_whole (const HeddleCudaContext *context, const HeddleExpr *expr);
/* Gives the unit of the monoid in C++; newly allocated. */
char *heddle_cuda_unit (const HeddleCudaContext *context, HeddleMonoid monoid);

/* Gives the C++ text that combines @a and @b by the monoid, and notes the section of the prelude that it uses.
 * Newly allocated; no parentheses are put around the operands. */
char *heddle_cuda_combine (
    const HeddleCudaContext *context, HeddleMonoid monoid, const char *a, const char *b);
/* What adds a value to acc: "acc += x", "acc = maximum (acc, x)". */
char *heddle_cuda_accumulate (const HeddleCudaContext *context, HeddleMonoid monoid, const char *value);

G_END_DECLS
