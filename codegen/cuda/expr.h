/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/names.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"

/* The context on which the text of an expression depends: where the leaves are, and the type it is computed
 * in. */
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
  /* Returns operand @i's element as a 64-bit whole number; NULL if it is none. The function may be NULL. */
  const char *(*whole_argument) (guint i, gpointer data);
  gboolean coarse; /* nothing is stored in more than 16 bits: functions may be that much off */
  /* Returns whether operand @i is the same at many points, so that its reciprocal is worth keeping. If the
   * function is NULL, none is. */
  gboolean (*shared) (guint i, gpointer data);
} HeddleCudaContext;

/* Returns the expression in C++ as a value of the computing type; newly allocated. */
char *heddle_cuda_expr (const HeddleCudaContext *context, const HeddleExpr *expr);
/* Returns the expression as a condition; newly allocated. */
char *heddle_cuda_condition (const HeddleCudaContext *context, const HeddleExpr *expr);
/* Returns the expression as a factor, in parentheses if it needs them; newly allocated. */
char *heddle_cuda_factor (const HeddleCudaContext *context, const HeddleExpr *expr);
/* Returns an index as a 64-bit whole number. */
char *heddle_cuda_whole (const HeddleCudaContext *context, const HeddleExpr *expr);
/* Returns the unit of the monoid in C++; newly allocated. */
char *heddle_cuda_unit (const HeddleCudaContext *context, HeddleMonoid monoid);

/* Returns the C++ text that combines @a and @b by the monoid, and notes the section of the prelude that it
 * uses. Newly allocated; no parentheses are put around the operands. */
char *heddle_cuda_combine (
    const HeddleCudaContext *context, HeddleMonoid monoid, const char *a, const char *b);
/* Returns the statement that adds a value to acc: "acc += x", "acc = maximum (acc, x)". */
char *heddle_cuda_accumulate (const HeddleCudaContext *context, HeddleMonoid monoid, const char *value);
