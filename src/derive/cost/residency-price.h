/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/context.h"
#include "derive/cost/cost.h"
#include "derive/machine/machine.h"

G_BEGIN_DECLS

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

/* What goes through global memory and over each level above it while a program runs, in bytes. */
typedef struct
{
  double dram;
  double above[HEDDLE_MAX_ABOVE]; /* by the number of the level among those above */
} HeddleTraffic;

/* Of a level above global memory: its number among them. -1: it is none. */
int heddle_machine_number_above (const HeddleMachine *self, const HeddleLevel *level);
/* Where it is made, or where it is from the first. */
HeddleWhere heddle_residency_made (const HeddleDeriveContext *self, const char *value);
/* Where it is for a kernel of these operations that reads it: at the first of them that something is said of. */
HeddleWhere heddle_residency_read (
    const HeddleDeriveContext *self, const char *value, const GArray *operations);
/* Where it was in the column before those operations. */
HeddleWhere heddle_residency_before (
    const HeddleDeriveContext *self, const char *value, const GArray *operations);
HeddleTraffic heddle_residency_traffic (const HeddleDeriveContext *self, const HeddleCost *cost,
    const gint64 *tiles, gint64 chunk, gint64 cache_bytes);

G_END_DECLS
