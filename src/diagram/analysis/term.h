/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/**
 * HeddleTerm: what one operation of a diagram means, in the single form that the evaluator, the derivation and the code
 * generator share: a cascade of reductions, then a scalar result.
 *
 *   for each point of the result's axes:
 *     stage j:  r_j = monoid_j over the core axes of body_j ($0 … $n, r_0 … r_{j-1})
 *     result    = result ($0 … $n, r_0 …)     at each point
 *
 * MAP has no stage; CONTRACT one sum of $0 * $1 * …; REDUCE's result uses stages only; NORMALISE's result keeps the core
 * axes. REINDEX has no stage and result $0, with `indices` set. Table options are substituted as numbers and `n` by the product
 * of the sizes of the core axes.
 */
typedef struct
{
  const char *name; /* interned: the VARIABLE by which later bodies refer to it ("m") */
  HeddleMonoid monoid;
  HeddleExpr *body;
  const char *title;
} HeddleStage;

typedef struct
{
  const HeddleOperation *operation; /* not owned */
  guint n_stages;
  HeddleStage stages[HEDDLE_MAX_STAGES];
  HeddleExpr *result;
} HeddleTerm;

/* Builds the term of an operation other than a CALL, or of a MAP that has its body: the stages of its row
 * of the operation table with its options filled in, n being the product of the sizes of its core axes. The
 * caller owns the term, and @operation must outlive it. */
HeddleTerm *heddle_term_new (const HeddleOperation *operation);
/* Frees the term and its expressions, not the operation. */
void heddle_term_free (HeddleTerm *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleTerm, heddle_term_free)

/* Does the same as heddle_term_new(), but leaves the number of points reduced as the variable "n": the
 * evaluator counts them, since it leaves out reads outside. */
HeddleTerm *heddle_term_new_counted (const HeddleOperation *operation);
