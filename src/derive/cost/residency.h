/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/kernel.h"

G_BEGIN_DECLS

/* Where values are: a path of levels, one for each column. A residency says it of one column of a value, the operation that reads it there, or of
 * where it is made, which holds for all columns that have none of their own. */

/* What a residency's level is to a value. */
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

/* Where it is made, or where it is from the first. */
HeddleWhere heddle_residency_made (const HeddleDeriveContext *self, const char *value);
/* Where it is for a kernel of these operations that reads it: at the first of them that something is said of. */
HeddleWhere heddle_residency_read (
    const HeddleDeriveContext *self, const char *value, const GArray *operations);
/* Where it was in the column before those operations. */
HeddleWhere heddle_residency_before (
    const HeddleDeriveContext *self, const char *value, const GArray *operations);

/* What goes through global memory and over each level above it while a program runs, in bytes. */
typedef struct
{
  double dram;
  double above[HEDDLE_MAX_ABOVE]; /* by the number of the level among those above */
} HeddleTraffic;

/* What crosses the links above global memory for @program: of HeddleMove. --- residency-moves.c */
GArray *heddle_residency_moves (const HeddleDeriveContext *self, const HeddleLoopProgram *program);
/* Per level above that some of the program's own moves go to or come from: of HeddleLevelCost. */
GPtrArray *heddle_residency_levels (const HeddleDeriveContext *self, const HeddleLoopProgram *program);
/* All of a value, as it is stored. */
gint64 heddle_residency_value_bytes (const HeddleDeriveContext *self, const char *value);

/* Of a level above global memory: its number among them. -1: it is none. */
int heddle_machine_number_above (const HeddleMachine *self, const HeddleLevel *level);
HeddleTraffic heddle_residency_traffic (const HeddleDeriveContext *self, const HeddleCost *cost,
    const gint64 *tiles, gint64 chunk, gint64 cache_bytes);

G_END_DECLS
