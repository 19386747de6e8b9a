/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"

struct _HeddleExpr
{
  gatomicrefcount ref_count;
  HeddleExprKind kind;
  guint hash;
  guint depth; /* levels below and with this one */
  guint n_nodes; /* of the tree, shared ones counted each time; saturating */
  guint n_children;
  union
  {
    double number;
    guint operand;
    const char *symbol;
  };
  HeddleExpr *children[];
};

static inline gboolean
heddle_expr_has_symbol (const HeddleExpr *self)
{
  return self->kind == HEDDLE_EXPR_SIZE || self->kind == HEDDLE_EXPR_INDEX
         || self->kind == HEDDLE_EXPR_VARIABLE;
}

/* The limits of nesting and depth. Deeper trees are refused where text is read, so that walking one never
 * exhausts the stack. */
#define HEDDLE_EXPR_MAX_NESTING 500
#define HEDDLE_EXPR_MAX_DEPTH 5000
