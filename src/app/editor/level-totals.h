/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* An amount is counted in values, as an abstract machine counts, and in bytes. */
typedef struct
{
  double values, bytes;
} HeddleAmount;

/* A level total is what all kernels of a derivation come to at one level of memory. */
typedef struct
{
  const char *level; /* the derivation's */
  HeddleAmount held; /* the most that any of them holds there */
  HeddleAmount moved; /* what crosses into and out of it, over all of them */
} HeddleLevelTotal;

typedef struct
{
  GArray *levels; /* of HeddleLevelTotal */
  HeddleAmount stored; /* arrays that kernels read or write, each once: what global memory holds */
} HeddleLevelTotals;

/* Returns new totals; @dtype is that of arrays that declare none. */
HeddleLevelTotals *heddle_level_totals_new (const HeddleDerivation *derivation, const HeddleDiagram *diagram,
    const HeddleSizes *sizes, HeddleDtype dtype);
/* Frees the totals; the levels' names are the derivation's and stay. */
void heddle_level_totals_free (HeddleLevelTotals *self);
/* Returns the totals of a level; NULL means that no kernel has anything there. */
const HeddleLevelTotal *heddle_level_totals_find (const HeddleLevelTotals *self, const char *level);
