/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/cost.h"

/* The places, groups and walks that the files on windows share. None of it owns the windows. */

/* The current part of a loop, and the number of parts that are like it. */
typedef struct
{
  gint64 from, to, count;
} HeddleWindowPlacePart;

typedef struct
{
  const HeddleCost *cost;
  HeddleWindowPlacePart at[HEDDLE_STREAM_LOOP + 1];
} HeddleWindowPlace;

/* Windows that are evaluated together. */
typedef struct
{
  const HeddleCostWindow *windows[2 * HEDDLE_MAX_GROUPS];
  guint n;
} HeddleWindowGroup;

typedef struct
{
  HeddleWindowPlace place;
  guint loops[HEDDLE_STREAM_LOOP + 1], n;
  GArray *parts[HEDDLE_STREAM_LOOP + 1];
  guint at[HEDDLE_STREAM_LOOP + 1];
} HeddleWindowWalk;
