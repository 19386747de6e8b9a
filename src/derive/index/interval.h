/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* What an expression may be where its leaves may be anything within bounds of their own. */

typedef struct
{
  double from, to; /* both included */
} HeddleInterval;

/* What a leaf may be. */
typedef HeddleInterval (*HeddleIntervalLeaf) (const HeddleExpr *leaf, gpointer data);

/* From minus to plus infinity: nothing is known. */
extern const HeddleInterval heddle_interval_all;

/* Of a condition 0 to 0 where it never holds, 1 to 1 where it always does. What it does not know is unbounded. Where every leaf stands once, the
 * bounds are those that the expression comes to. */
HeddleInterval heddle_interval_of (const HeddleExpr *expr, HeddleIntervalLeaf leaf, gpointer data);

/* The same compiled, where it is asked for again and again. */
typedef struct _HeddleIntervalProgram HeddleIntervalProgram;

/* The number of the slot that tells what a leaf may be; -1: it is always @value, which is unbounded before. */
typedef int (*HeddleIntervalSlot) (const HeddleExpr *leaf, HeddleInterval *value, gpointer data);

/* Compiles @expr, asking @slot once for each leaf; the result keeps a reference to @expr and is freed with
 * heddle_interval_program_free (). */
HeddleIntervalProgram *heddle_interval_program_new (
    const HeddleExpr *expr, HeddleIntervalSlot slot, gpointer data);
/* Frees the program and gives its reference to the expression back. */
void heddle_interval_program_free (HeddleIntervalProgram *self);
/* @slots: as many as the leaves have asked for. Thread-safe: the program is not changed. */
HeddleInterval heddle_interval_program_run (const HeddleIntervalProgram *self, const HeddleInterval *slots);

G_END_DECLS
