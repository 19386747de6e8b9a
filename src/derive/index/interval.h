/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"

/* This file bounds the value of an expression whose leaves may be anything within bounds of their own. */

typedef struct
{
  double from, to; /* both included */
} HeddleInterval;

/* Returns the bounds of a leaf. */
typedef HeddleInterval (*HeddleIntervalLeaf) (const HeddleExpr *leaf, gpointer data);

/* The interval from minus to plus infinity: nothing is known. */
extern const HeddleInterval heddle_interval_all;

/* Returns the bounds of an expression. A condition is 0 to 0 if it never holds, 1 to 1 if it always does;
 * what is not known is unbounded. If every leaf occurs once, the bounds are tight. */
HeddleInterval heddle_interval_of (const HeddleExpr *expr, HeddleIntervalLeaf leaf, gpointer data);

/* The same compiled, where it is asked for again and again. */
typedef struct _HeddleIntervalProgram HeddleIntervalProgram;

/* Returns the number of the slot that bounds a leaf; -1 if its bounds are always @value, which is unbounded
 * before. */
typedef int (*HeddleIntervalSlot) (const HeddleExpr *leaf, HeddleInterval *value, gpointer data);

/* Compiles @expr, asking @slot once for each leaf; the result keeps a reference to @expr and is freed with
 * heddle_interval_program_free (). */
HeddleIntervalProgram *heddle_interval_program_new (
    const HeddleExpr *expr, HeddleIntervalSlot slot, gpointer data);
/* Frees the program and gives its reference to the expression back. */
void heddle_interval_program_free (HeddleIntervalProgram *self);
/* Runs the program on as many @slots as the leaves have asked for. It is thread-safe: the program is not
 * changed. */
HeddleInterval heddle_interval_program_run (const HeddleIntervalProgram *self, const HeddleInterval *slots);
