/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "diagram/graph/diagram.h"

typedef struct
{
  const HeddleLoopProgram *program;
  const HeddleSizes *sizes; /* or NULL */
  GString *text;
  GPtrArray *lines; /* operation ids, or NULL */
  guint depth;
} HeddleListing;

/* The marks of loops at lower levels: q₀, q₀′, q₀″. */
extern const char *const heddle_listing_primes[HEDDLE_MAX_LEVELS];
