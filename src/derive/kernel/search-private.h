/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/context.h"
#include "derive/cost/cost.h"
#include "derive/kernel/kernel.h"
#include "derive/region/region.h"

/* One grouped axis and the tiles to try, least first. */
typedef struct
{
  const char *axis;
  GArray *sizes; /* of gint64 */
  gboolean given; /* by a label */
  gboolean free; /* H does not depend on it */
} HeddleChoice;

typedef struct
{
  gboolean found;
  gboolean fits;
  double time;
  gint64 transfers, groups;
  gint64 memory; /* where nothing fits: the least */
  gint64 tiles[HEDDLE_MAX_GROUPS], chunk;
} HeddleScore;

typedef struct
{
  const HeddleDeriveContext *context;
  const HeddleRegionTerm *region;
  const GPtrArray *divisors;
  HeddleCost *cost;
  GArray *choices; /* of HeddleChoice */
  guint n_bound; /* choices before this one that H depends on */
  GArray *chunks; /* of gint64 */
  gint64 tiles[HEDDLE_MAX_GROUPS], chunk;
  HeddleScore best;
  gboolean by_time, cancelled;
  gboolean cut_short; /* there was more to look at than the work it may do */
  gint64 least_tile; /* by time */
  double limit; /* by time: what takes as long is not looked for; INFINITY: all is */
  guint64 looks, most_looks; /* at the cost of the current structure */
  guint64 work_left; /* of the whole search, in products of sizes */
  guint structures_left; /* at most, that share it */
  HeddleSearchReport *report;
} HeddleSearch;

/* A structure that lost. */
typedef struct
{
  HeddleScore score;
  const char *stream; /* NULL: nothing streams */
  gboolean split;
} HeddleRunnerUp;
