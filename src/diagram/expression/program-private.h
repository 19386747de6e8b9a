/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"

/* One step of a stack machine: push a number or a slot, or apply a kind to the topmost values. */
typedef struct
{
  enum
  {
    HEDDLE_EXPR_STEP_NUMBER,
    HEDDLE_EXPR_STEP_SLOT,
    HEDDLE_EXPR_STEP_APPLY,
  } what;
  HeddleExprKind kind;
  guint arity;
  guint slot;
  double number;
} HeddleExprStep;

struct _HeddleExprProgram
{
  GArray *code; /* of HeddleExprStep */
  GPtrArray *slots; /* of HeddleExpr: the leaves */
  guint stack_size;
};

/* the program at many points at once */

/* The greatest number of points that are evaluated at once: a few vectors of them stay in the nearest
 * cache. */
#define HEDDLE_EXPR_BATCH 256
