/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/cost.h"
#include "diagram/expression/expr.h"

/* The closed form of how the least H of a kernel depends on the memory M, both in elements, in the form of
 * Abbott & Zardini 2025: H*(M) = sum over terms of alpha * (M - held)^-beta, for small steps of the stream
 * and as long as no tile is larger than its axis. beta 0: each value crosses once; 1/2: square tiles; 1: an
 * operand goes to every group. */
typedef struct
{
  double alpha,
      alpha_bytes; /* of M in elements, and in bytes; in bytes a term of q bytes a value goes as q^(1 + beta) */
  double beta;
  HeddleExpr *symbolic; /* alpha over sizes */
} HeddleCanonicalTerm;

typedef struct
{
  char *reason; /* why there is no such form, a sentence; NULL: there is one */
  GPtrArray *terms; /* of HeddleCanonicalTerm */
  double held, held_bytes; /* what is held whole, whatever the tiles */
  double
      least; /* elements: the form is close only for M well above it, and below what can be had for less; 0: for any M */
  double most, most_bytes; /* the M from which on a tile is as large as its axis; infinite: none ever is */
  double compulsory, compulsory_bytes; /* H where every tile is its whole axis */
} HeddleCanonical;

/* One memory of a hierarchy: what crosses into all instances of it from the level above. */
typedef struct
{
  const char *level, *title; /* of the machine */
  double capacity; /* of one instance; elements for the abstract machine, else bytes */
  double transfers; /* H*(capacity) */
  double
      kept_transfers; /* H*(count of the children * their capacity): the outputs stay in the children; NaN: there are none */
  gboolean clamped;
  double bandwidth; /* of the level above; 0: unknown */
  double seconds; /* transfers / bandwidth; 0: unknown */
} HeddleHierarchyRow;

/* Returns the form of @cost, newly allocated; it is never NULL. Where there is no such form, its `reason`
 * says why. */
HeddleCanonical *heddle_canonical_new (const HeddleCost *cost);
