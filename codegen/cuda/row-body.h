/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/rows.h"
#include "derive/program/loop-program.h"
#include "diagram/expression/expr.h"

/* This file finds what a statement along a row computes at each column, without what can be done once for the
 * whole row. */

typedef struct
{
  HeddleExpr *expr; /* over the statement's sources; operand number sources->len is the reciprocal */
  HeddleExpr *divisor; /* the divisor whose reciprocal it is, the same along the row; NULL if there is none */
  HeddleExpr *empty; /* where this holds, the reciprocal is 0; NULL: nowhere */
} HeddleRowBody;

/* Finds the body of @node, a computation along the columns of @rows in @program. A softmax guards each
 * element against rows of nothing but minus infinity: here the row is guarded once, with the same results. */
void heddle_row_body_init (
    HeddleRowBody *self, const HeddleRows *rows, const HeddleLoopProgram *program, const HeddleNode *node);
/* Drops what @self, which may be all 0, holds. */
void heddle_row_body_clear (HeddleRowBody *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleRowBody, heddle_row_body_clear)
