/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/kernel.h"

G_BEGIN_DECLS

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
  guint64 looks, most_looks; /* at the cost of the structure at hand */
  HeddleSearchReport *report;
} HeddleSearch;

/* A structure that lost. */
typedef struct
{
  HeddleScore score;
  const char *stream; /* NULL: nothing streams */
  gboolean split;
} HeddleRunnerUp;

/* --- search-explain.c: a sentence each, of the structure at hand and its best tiles; NULL: there was no other --- */
char *heddle_search_explain (const HeddleSearch *self);
char *heddle_search_explain_runner_up (
    const HeddleSearch *self, const HeddleScore *best, const HeddleRunnerUp *other);

HeddleChoice *heddle_search_get_choice (const HeddleSearch *self, guint i);

/* --- search-tiles.c: arrays of gint64, from the least up --- */
gint64 heddle_size_at (const GArray *sizes, guint i);
/* The least tile of each number of groups, rounded up to a multiple of @divisor. */
GArray *heddle_sizes_of_classes (gint64 n, gint64 divisor);
/* All, where they are not too many to go through. */
GArray *heddle_sizes_of_all (gint64 n, gint64 divisor);
gboolean heddle_sizes_are_all (gint64 n, gint64 divisor);
/* Powers of two (times the divisor) from @least to @most, and the whole axis where that is less. */
GArray *heddle_sizes_of_powers (gint64 n, gint64 divisor, gint64 least, gint64 most);
GArray *heddle_one_size (gint64 size);

/* --- search-structure.c --- */
/* Whether a label gives the axis' tile, and which. */
gboolean heddle_tiling_gives (const HeddleTiling *tiling, const char *axis, gint64 *size);
/* Every axis that may be grouped, in the order of the region's axes, tile 1 for now; that which streams where it is @split. */
GArray *heddle_search_groups_to_try (
    const HeddleSearch *self, const HeddleTiling *given, const char *stream, gboolean split);
HeddleCost *heddle_search_new_cost (
    const HeddleSearch *self, const HeddleStreamPlan *plan, const HeddleTiling *tiling);
void heddle_search_drop_cost (HeddleSearch *self);
/* The best tiles and chunk of @groups, which are put in the order of the search. */
void heddle_search_structure (
    HeddleSearch *self, const HeddleStreamPlan *plan, const HeddleTiling *given, GArray *groups);

/* What is found is not proved best. @reason: not translated. --- search-walk.c */
void heddle_search_leave_unproved (HeddleSearch *self, const char *reason);

/* --- search-walk.c: through the tiles of one structure --- */
gboolean heddle_search_fits (const HeddleSearch *self);
/* About how many products one look at the cost takes. */
guint64 heddle_search_work_of_look (const HeddleSearch *self);
/* FALSE: enough. */
gboolean heddle_search_go_on (HeddleSearch *self);
/* A structure must be better than one tried before it, not only as good. */
gboolean heddle_search_is_gain (const HeddleSearch *self, const HeddleScore *a, const HeddleScore *b);
/* The H that the choices from @from on could come down to. */
gint64 heddle_search_least_transfers (HeddleSearch *self, guint from);
void heddle_search_set_least (HeddleSearch *self, guint from);
/* From choice @i on: the least transfers, exactly; the least time, over all of a coarse grid. */
void heddle_search_exactly (HeddleSearch *self, guint i);
void heddle_search_grid (HeddleSearch *self, guint i);
/* The least time over all classes of tiles, by branch and bound; search-time.c. @stream: the axis that streams, or NULL. */
void heddle_search_by_time (HeddleSearch *self, const HeddleTiling *given, const char *stream);
/* Whether a group of the split axis would have a part of a chunk. */
gboolean heddle_search_is_ragged (const HeddleSearch *self, guint i);
/* Looks at the tiles at hand, which fit. */
void heddle_search_consider_time (HeddleSearch *self);
gint64 heddle_search_divisor (const HeddleSearch *self, const char *axis);
/* Axes that every operand has: their tiles only make fewer groups. */
void heddle_search_enlarge_free (HeddleSearch *self);

G_END_DECLS
