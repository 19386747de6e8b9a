/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/operation-table.h"

/* The things that a reduction over a streamed axis carries besides its own terms. */
typedef enum
{
  HEDDLE_FACTOR_NONE = 0,
  HEDDLE_FACTOR_RUNNING
  = 1 << 0, /* exp (exponent of a state so far): the state is rescaled when that moves */
  HEDDLE_FACTOR_DEFERRED = 1 << 1, /* a factor of complete reductions: applied once, after the loop */
  HEDDLE_FACTOR_SCAN
  = 1 << 3, /* a state that is not the same whatever the order: see the operation's own scan */
  HEDDLE_FACTOR_SPLIT = 1 << 2, /* several such products, summed: each has a state, and the tail recombines */
  HEDDLE_FACTOR_PLACES = 1 << 4, /* where it is found goes along */
  HEDDLE_FACTOR_ORDER = 1 << 5, /* several of them, in order */
  HEDDLE_FACTOR_COMPOSED
  = 1 << 6, /* what follows from others, by products of states: no lemma to derive by, but a law to hold */
} HeddleFactors;

#define HEDDLE_LEMMA_STATES 6

/* One way a reduction streams, and why it may: init, step over one element, an associative merge, and the
 * tail, as expressions. In step the variables are the states so far, the element x, the weight v it is
 * multiplied with, and in tail also n, how many elements there were; in merge the states of the right-hand
 * part have a 2 at the end. Steps and merges read states as they were. */
typedef struct
{
  const char *id, *title;
  HeddleMonoid monoid;
  HeddleFactors factors;
  struct
  {
    const char *name, *init, *step, *merge;
  } states[HEDDLE_LEMMA_STATES];
  const char *tail;
  const char *equations; /* what it is of X[q,x] and V[x]: the law is tested against the evaluator */
} HeddleLemma;

/* Returns the table of all lemmas, which is static, and sets @n_rows to how many there are. */
const HeddleLemma *heddle_lemma_table (guint *n_rows);
/* Returns the lemma by which a reduction with such factors streams; NULL where none is known. */
const HeddleLemma *heddle_lemma_find (HeddleMonoid monoid, HeddleFactors factors);
