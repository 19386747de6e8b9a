/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/clock-traffic.h"
#include "derive/cost/context.h"
#include "derive/cost/cost.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"

/* The relation of a residency's level to a value. */
typedef enum
{
  HEDDLE_AT_GLOBAL, /* in global memory, as all that passes between kernels unless something else is said */
  HEDDLE_AT_CACHE, /* kept in a cache: no traffic of global memory */
  HEDDLE_AT_ABOVE, /* beyond global memory: it crosses into that first */
  HEDDLE_AT_INSIDE, /* at a level that takes labels */
} HeddleWhereKind;

typedef struct
{
  HeddleWhereKind kind;
  const HeddleLevel *level; /* NULL: nothing is said */
} HeddleWhere;

/* The bytes that go through global memory and over each level above it while a program runs. */
typedef struct
{
  double dram;
  double above[HEDDLE_MAX_ABOVE]; /* by the number of the level among those above */
} HeddleTraffic;

/* Returns the number of @level among the levels above global memory; -1 where it is none of them. */
int heddle_machine_number_above (const HeddleMachine *self, const HeddleLevel *level);
/* Returns where a value (id) is once it is made, or, of an input, where it is from the first. */
HeddleWhere heddle_residency_made (const HeddleDeriveContext *self, const char *value);
/* Returns where a value (id) is for a kernel of @operations that reads it: at the first of them that the
 * schedule says something of, else where it was made. */
HeddleWhere heddle_residency_read (
    const HeddleDeriveContext *self, const char *value, const GArray *operations);
/* Returns the bytes that the program of @cost moves through global memory and over each level above it, at
 * these tiles: what each of @waves reads together, less what the cache still has of it, where @axes are those of
 * heddle_clock_set_grid (). @waves may be NULL: each array then crosses once, which no waves do better than.
 * Values that are placed in a cache do not cross. */
HeddleTraffic heddle_residency_traffic (const HeddleDeriveContext *self, const HeddleCost *cost,
    const gint64 *tiles, gint64 chunk, const HeddleClockWaves *waves, const guint *axes);

/* This part finds what crosses the links between global memory and the levels above it, where the schedule
 * places values there. */

/* Returns a new array of HeddleMove: the whole values that cross links above global memory before and after
 * @program runs. */
GArray *heddle_residency_moves (const HeddleDeriveContext *self, const HeddleLoopProgram *program);
/* Returns the bytes of a whole value (id) as it is stored. */
gint64 heddle_residency_value_bytes (const HeddleDeriveContext *self, const char *value);
/* Returns a new array of HeddleLevelCost, which it owns, with one for each level above global memory that
 * moves of @program go to or come from. */
GPtrArray *heddle_residency_levels (const HeddleDeriveContext *self, const HeddleLoopProgram *program);
