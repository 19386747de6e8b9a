/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/derivation/derive.h"
#include "derive/program/guard.h"
#include "derive/program/loop-program-private.h"

G_BEGIN_DECLS

/* What a loop program costs, walked once and kept as sums of products so that a search can ask for other tiles. Sizes of the grouped axes'
 * tiles are given in the order of the program's bands. All numbers saturate at G_MAXINT64. */
#define HEDDLE_MAX_GROUPS 32

/* The number of the stream among the loops that windows go by. */
#define HEDDLE_STREAM_LOOP HEDDLE_MAX_GROUPS

/* What windows that some loops move have in parts of certain sizes. */
#define HEDDLE_WINDOW_MEMOS 64
#define HEDDLE_WINDOW_LOOPS 3
typedef struct
{
  guint64 loops; /* 0: none is kept here */
  gint64 sizes[HEDDLE_WINDOW_LOOPS];
  gint64 moved, held;
} HeddleWindowMemo;

/* Along one axis of a buffer: its window, or its tile where a window goes by the same loop. */
typedef struct
{
  const char *axis;
  guint position; /* among the buffer's axes */
  gint64 n; /* of the axis */
  const GPtrArray *exprs;
  guint64 loops; /* bits of those that move it */
  GPtrArray *programs; /* @exprs compiled, their slots the loops; NULL: it is a sum */
  HeddleWindowMemo *laid_out; /* and how long it is at most, in `held`; NULL: likewise */
  gboolean is_sum; /* the rest holds: see HeddleWindowSum */
  gint64 least, most; /* its indices where all loops are at 0 */
  gint64 factors[HEDDLE_STREAM_LOOP + 1];
} HeddleWindow;

/* Those of a buffer. */
typedef struct
{
  guint n;
  HeddleWindow *windows;
  guint64 loops; /* of any of them */
  GPtrArray *own; /* the expressions of tiles */
  HeddleWindowMemo *memos; /* or NULL */
} HeddleWindows;

/* elements = base * product over `groups` of (ceil (n / g) or the tile) * (ceil (n / s) or the chunk where `stream`) */
typedef struct
{
  gint64 base;
  guint32 groups;
  gboolean stream;
  guint bytes; /* of an element */
  guint buffer, column;
  gboolean
      guarded; /* moves only in steps that run: rest * the sum over those of the tiles that `carried` has */
  gint64 rest;
  guint carried; /* bits of guarded loops */
  const HeddleWindows *windows; /* besides; NULL: none. Its loops are not among the others */
  gboolean saved, partial; /* of a transfer: a save, and one of a partial state */
} HeddleTerms;

/* The steps of a guarded stream that run. */
typedef struct
{
  gboolean counted;
  gint64 size[HEDDLE_MAX_GUARDED]; /* for which tiles and chunk */
  gint64 sums
      [1 << HEDDLE_MAX_GUARDED]; /* per set of guarded loops: over the steps, of the product of their tiles' lengths */
  guint64 shapes; /* bit per set of guarded loops: some step has those, and no others, ragged */
} HeddleSteps;

/* What is held while one statement runs. */
typedef struct
{
  guint column;
  gboolean guarded; /* only in steps that run */
  gboolean windowed; /* some of it are windows */
  GArray *terms; /* of HeddleTerms */
} HeddleMoment;

/* Operations on one unit. */
typedef enum
{
  HEDDLE_WORK_TENSOR, /* multiplications and additions of contractions */
  HEDDLE_WORK_SPECIAL,
  HEDDLE_WORK_FP32,
  HEDDLE_N_WORKS,
} HeddleWorkKind;

typedef struct
{
  double base; /* operations */
  guint32 groups;
  gboolean stream;
  gboolean guarded; /* only in steps that run */
  const HeddleWindows *windows; /* besides, as of HeddleTerms; NULL: none */
  HeddleWorkKind kind;
  HeddleDtype dtype; /* TENSOR: what the contraction reads, the widest of its operands */
} HeddleWork;

typedef struct _HeddleCost HeddleCost;
struct _HeddleCost
{
  const HeddleLoopProgram *program;
  const HeddleSizes *sizes;
  guint n_groups;
  gint64 n[HEDDLE_MAX_GROUPS]; /* of the grouped axes */
  gint64 n_stream; /* 1: nothing streams */
  GArray *transfers; /* of HeddleTerms: loads and saves; groups and stream: those that repeat it */
  GPtrArray *moments; /* of HeddleMoment; groups and stream: those whose tile or chunk it holds */
  GArray *shared; /* of HeddleTerms: each part of shared memory of the general family */
  gboolean shared_is_most; /* no moment holds more bytes than that */
  GArray *works; /* of HeddleWork */
  GPtrArray *windows; /* of HeddleWindows, per buffer; NULL: it has none */
  GHashTable *window_parts; /* the tiles of loops that move windows, as far as they were asked for */
  guint
      most_parts; /* more combinations of tiles are not gone through where windows are: the cost is then G_MAXINT64, too large to tell */
  const HeddleExpr *guard; /* of the stream; NULL: every step runs */
  guint n_guarded; /* the loops it depends on, the stream first */
  const char *guarded_axes[HEDDLE_MAX_GUARDED];
  int guarded_groups[HEDDLE_MAX_GUARDED]; /* their numbers as groups; -1: the stream */
  HeddleSteps *steps; /* as last counted */
  HeddleColumns columns;
  guint depth; /* the number of the level that is priced */
  const HeddleNode
      *bands[HEDDLE_MAX_GROUPS]; /* per grouped axis its loop, of the innermost level down to this */
  const HeddleNode *stream; /* likewise; NULL: nothing streams */
  HeddleCost *inner; /* of the next level down, at the program's own sizes; NULL: this is the last */
  int split; /* the group of the axis that is streamed within its groups; -1: none */
  struct _HeddleCombine *
      combine; /* of a split program: what merging its parts costs, as last asked for; NULL: nothing is merged */
};

/* Of the first level, and by `inner` of those below. */
HeddleCost *heddle_cost_new (
    const HeddleLoopProgram *program, const HeddleSizes *sizes, HeddleColumns columns);
void heddle_cost_free (HeddleCost *self);
/* For a search among many kernels: what has tiles without number is left out of it. */
void heddle_cost_hurry (HeddleCost *self);

gint64 heddle_cost_transfers (const HeddleCost *self, const gint64 *tiles, gint64 chunk, gboolean bytes);
gint64 heddle_cost_memory (const HeddleCost *self, const gint64 *tiles, gint64 chunk, gboolean bytes);
/* What buffer @i holds: full axes in the base; groups and stream: those whose tile or chunk it holds. */
HeddleTerms heddle_cost_held_terms (const HeddleCost *self, guint i);
/* What a buffer holds at most. */
gint64 heddle_cost_held (const HeddleCost *self, const HeddleTerms *terms, const gint64 *tiles, gint64 chunk);
gint64 heddle_cost_moment (
    const HeddleCost *self, const HeddleMoment *moment, const gint64 *tiles, gint64 chunk, gboolean bytes);
gint64 heddle_cost_transferred (
    const HeddleCost *self, const HeddleTerms *terms, const gint64 *tiles, gint64 chunk);
/* The same if every loop had one part. */
gint64 heddle_cost_transferred_once (const HeddleCost *self, const HeddleTerms *terms);
/* Whether a loop repeats the transfer or moves its window. */
gboolean heddle_terms_depend (const HeddleTerms *self, guint loop);
gint64 heddle_cost_shared (const HeddleCost *self, const gint64 *tiles, gint64 chunk);
/* Of the second kernel of a split program, for the number of parts that @tiles makes, and its @own_tiles; NULL: there is none. Its chunks are 1. */
const HeddleCost *heddle_cost_combine (
    const HeddleCost *self, const gint64 *tiles, gint64 own_tiles[HEDDLE_MAX_GROUPS]);
/* The bits of all grouped axes. */
guint32 heddle_cost_all_groups (const HeddleCost *self);
gint64 heddle_cost_groups (const HeddleCost *self, const gint64 *tiles);
/* Which steps run, where there is a guard. */
const HeddleSteps *heddle_cost_steps (const HeddleCost *self, const gint64 *tiles, gint64 chunk);
/* How much of all points of the stream is in steps that run. */
double heddle_cost_share (const HeddleCost *self, const gint64 *tiles, gint64 chunk);
/* Operations on each unit; those of contractions also by the type they read (may be NULL). */
void heddle_cost_work (const HeddleCost *self, const gint64 *tiles, gint64 chunk, double work[HEDDLE_N_WORKS],
    double contracted[HEDDLE_N_DTYPES]);
/* Adds the operations of a body at one point. What is the same at every point, comparisons and choices cost nothing. */
void heddle_expr_count_operations (const HeddleExpr *expr, double *special, double *plain);
/* What one group moves in one step of its stream; 0 where nothing streams. */
gint64 heddle_cost_step (const HeddleCost *self, const gint64 *tiles, gint64 chunk, gboolean bytes);

/* The sizes that the program's own bands have. */
void heddle_cost_own_tiles (const HeddleCost *self, gint64 tiles[HEDDLE_MAX_GROUPS], gint64 *chunk);
/* Of the program at its own sizes. */
HeddleLevelCost *heddle_cost_level (const HeddleCost *self, const HeddleMachine *machine);
void heddle_level_cost_free (HeddleLevelCost *self);
GPtrArray *heddle_cost_columns (const HeddleCost *self); /* of HeddleColumnCost */

/* Into how many groups of this level one of the level above is divided, at the program's own sizes; they are held at the same time. */
gint64 heddle_cost_instances (const HeddleCost *self);
/* Whether some array is read with a halo: then what is moved and held does not rise and fall with the tiles alone. */
gboolean heddle_cost_has_windows (const HeddleCost *self);

gboolean heddle_cost_moves_windows (const HeddleCost *self, guint loop);

/* --- cost-windows.c: products over the windows of a buffer --- */
/* NULL: it has none. */
HeddleWindows *heddle_windows_new (const HeddleCost *cost, const HeddleBuffer *buffer);
void heddle_windows_free (HeddleWindows *self);
/* Over all parts of the loops that move them; and if each of those had one part. */
gint64 heddle_windows_moved (
    const HeddleCost *cost, const HeddleWindows *self, const gint64 *tiles, gint64 chunk);
gint64 heddle_windows_moved_once (const HeddleCost *cost, const HeddleWindows *self);
/* Of one of them alone, and of it with those that go by the same loops. @tiles NULL: if each loop had one part. */
gint64 heddle_window_moved (
    const HeddleCost *cost, const HeddleWindow *window, const gint64 *tiles, gint64 chunk);
gint64 heddle_window_held (
    const HeddleCost *cost, const HeddleWindow *window, const gint64 *tiles, gint64 chunk);
gint64 heddle_windows_moved_with (const HeddleCost *cost, const HeddleWindows *self,
    const HeddleWindow *window, const gint64 *tiles, gint64 chunk);
/* At most at once; with rows that are all as far apart. */
gint64 heddle_windows_held (
    const HeddleCost *cost, const HeddleWindows *self, const gint64 *tiles, gint64 chunk);
gint64 heddle_windows_laid_out (
    const HeddleCost *cost, const HeddleWindows *self, const gint64 *tiles, gint64 chunk);
/* What all of @terms (of HeddleTerms) hold together at most. */
gint64 heddle_windows_peak (
    const HeddleCost *cost, const GArray *terms, const gint64 *tiles, gint64 chunk, gboolean bytes);

gint64 heddle_saturating_multiply (gint64 a, gint64 b);
gint64 heddle_saturating_add (gint64 a, gint64 b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleCost, heddle_cost_free)

G_END_DECLS
