/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/private.h"
#include "derive/index/window.h"
#include "derive/machine/derive-options.h"
#include "derive/program/guard.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include <glib.h>

/* The cost of a loop program, which is walked once and kept as sums of products so that a search can ask for
 * other tiles. Sizes of the grouped axes' tiles are given in the order of the program's bands. All numbers
 * saturate at G_MAXINT64. */
#define HEDDLE_MAX_GROUPS 32

/* The number of the stream among the loops that windows go by. */
#define HEDDLE_STREAM_LOOP HEDDLE_MAX_GROUPS

/* The numbers of stored lengths of windows that some loops move, for parts of certain sizes. */
#define HEDDLE_WINDOW_MEMOS 64
#define HEDDLE_WINDOW_LOOPS 3
typedef struct
{
  guint64 loops; /* 0: none is kept here */
  gint64 sizes[HEDDLE_WINDOW_LOOPS];
  gint64 moved, held;
} HeddleWindowMemo;

/* The number of stored hulls of a window, and of the loops that may move it for that. */
#define HEDDLE_WINDOW_HULLS 256
#define HEDDLE_WINDOW_HULL_LOOPS 2
/* The indices that a window reaches at certain parts of its loops. */
typedef struct
{
  HeddleSpan parts[HEDDLE_WINDOW_HULL_LOOPS]; /* the first one empty: none is kept here */
  HeddleSpan hull;
} HeddleWindowHull;

/* The window of a buffer along one axis, or its tile if a window moves with the same loop. */
typedef struct
{
  const char *axis;
  guint position; /* among the buffer's axes */
  gint64 n; /* of the axis */
  const GPtrArray *exprs;
  guint64 loops; /* bits of those that move it */
  GPtrArray *programs; /* @exprs compiled, their slots the loops; NULL: it is a sum */
  HeddleWindowHull *hulls; /* those found last; NULL: likewise, or too many loops move it */
  HeddleWindowMemo *laid_out; /* and how long it is at most, in `held`; NULL: likewise */
  gboolean is_sum; /* the rest holds: see HeddleWindowSum */
  gint64 least, most; /* its indices where all loops are at 0 */
  gint64 factors[HEDDLE_STREAM_LOOP + 1];
} HeddleCostWindow;

/* The windows of a buffer. */
typedef struct
{
  guint n;
  HeddleCostWindow *windows;
  guint64 loops; /* of any of them */
  GPtrArray *own; /* the expressions of tiles */
  HeddleWindowMemo *memos; /* or NULL */
} HeddleWindows;

/* A product of terms: elements = base * product over `groups` of (ceil (n / g) or the tile) * (ceil (n / s)
 * or the chunk where `stream`) */
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
} HeddleCostSteps;

/* The buffers that are held while one statement runs. */
typedef struct
{
  guint column;
  gboolean guarded; /* only in steps that run */
  gboolean windowed; /* some of it are windows */
  GArray *terms; /* of HeddleTerms */
} HeddleMoment;

/* The kinds of work, by the unit that does it. */
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
  gint64
      matrices; /* that rows choose from, of which a block reads each at most once (cost/chosen.h); 0: each row reads its own. By heddle_cost_set_matrices () */
  gboolean dealt; /* blocks have rows in the order of the matrices that they choose */
  GArray *transfers; /* of HeddleTerms: loads and saves; groups and stream: those that repeat it */
  GPtrArray *moments; /* of HeddleMoment; groups and stream: those whose tile or chunk it holds */
  GArray *shared; /* of HeddleTerms: each part of shared memory of the general family */
  gboolean shared_is_most; /* no moment holds more bytes than that */
  GArray *works; /* of HeddleWork */
  GPtrArray *windows; /* of HeddleWindows, per buffer; NULL: it has none */
  GHashTable *window_parts; /* the tiles of loops that move windows, as far as they were asked for */
  guint
      most_parts; /* the combinations of tiles tried at most where windows are; beyond it the cost is G_MAXINT64 */
  const HeddleExpr *guard; /* of the stream; NULL: every step runs */
  guint n_guarded; /* the loops it depends on, the stream first */
  const char *guarded_axes[HEDDLE_MAX_GUARDED];
  int guarded_groups[HEDDLE_MAX_GUARDED]; /* their numbers as groups; -1: the stream */
  HeddleCostSteps *steps; /* as last counted */
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

/* Walks @program once and returns its cost at its first level; `inner` of the result is the cost of the
 * level below, and so on. The result refers to @program and @sizes, which have to outlive it. */
HeddleCost *heddle_cost_new (
    const HeddleLoopProgram *program, const HeddleSizes *sizes, HeddleColumns columns);
/* Prices the kernel from now on as one that goes through the matrices that its rows choose by passes: it moves each of
 * @matrices at most once a block, and holds one of them. @dealt: its blocks have rows sorted by what they choose. 0
 * matrices: each row reads and holds its own, as in a new cost. */
void heddle_cost_set_matrices (HeddleCost *self, gint64 matrices, gboolean dealt);
/* Frees the cost with those of the levels below and of the merging kernel; NULL is allowed. The program
 * stays the caller's. */
void heddle_cost_free (HeddleCost *self);
/* Limits how many combinations of tiles are tried where windows are, for a search among many kernels: what
 * exceeds that costs G_MAXINT64. */
void heddle_cost_hurry (HeddleCost *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleCost, heddle_cost_free)

/* The cost of the second kernel of a split program (split-K), which merges the partial states. It depends on
 * how many parts the tiles make, so that costs are kept by that number. */

/* Returns the cost of the kernel that merges the parts which @tiles make, owned by @self, and writes that
 * kernel's tiles to @own_tiles; its chunks are 1. NULL means that nothing is merged. */
const HeddleCost *heddle_cost_combine (
    const HeddleCost *self, const gint64 *tiles, gint64 own_tiles[HEDDLE_MAX_GROUPS]);

/* Values of a cost at tiles and a chunk that a search asks for. @tiles has a size for each grouped axis in
 * the order of the cost's bands, @chunk is that of the streamed axis. Where @bytes is set results are in
 * bytes, else in elements, and all saturate at G_MAXINT64. H, what is transferred, and M, what is held, are
 * those of Abbott & Zardini 2025. */

/* Returns how many elements a buffer holds at most, windows at their longest. */
gint64 heddle_cost_held (const HeddleCost *self, const HeddleTerms *terms, const gint64 *tiles, gint64 chunk);
/* Returns whether the loop with number @loop repeats the transfer or moves its window. */
gboolean heddle_terms_depend (const HeddleTerms *self, guint loop);
/* Returns how many elements one load or save moves in all groups and steps; steps that a guard leaves out
 * move nothing. */
gint64 heddle_cost_transferred (
    const HeddleCost *self, const HeddleTerms *terms, const gint64 *tiles, gint64 chunk);
/* Returns how many elements the transfer would move if every loop had one part. */
gint64 heddle_cost_transferred_once (const HeddleCost *self, const HeddleTerms *terms);
/* Returns H: what all loads and saves of the program move across its level, with the kernel that merges the
 * parts of a split program. */
gint64 heddle_cost_transfers (const HeddleCost *self, const gint64 *tiles, gint64 chunk, gboolean bytes);
/* Returns what one group moves in one step of its stream; 0 where nothing streams. */
gint64 heddle_cost_step (const HeddleCost *self, const gint64 *tiles, gint64 chunk, gboolean bytes);
/* Returns how much is held while the statement of @moment runs, in the step that holds the most where steps
 * are guarded. */
gint64 heddle_cost_moment (
    const HeddleCost *self, const HeddleMoment *moment, const gint64 *tiles, gint64 chunk, gboolean bytes);
/* Returns M: the most that is held while any statement runs, of this kernel or of the one that merges its
 * parts. */
gint64 heddle_cost_memory (const HeddleCost *self, const gint64 *tiles, gint64 chunk, gboolean bytes);
/* Returns the bytes of shared memory that the general family of kernels lays out for all buffers, each
 * rounded up to a multiple of 16; the larger of two kernels where one merges the parts of the other. */
gint64 heddle_cost_shared (const HeddleCost *self, const gint64 *tiles, gint64 chunk);
/* Returns how many groups run in parallel: the product of ceil (n / tile) over the grouped axes. */
gint64 heddle_cost_groups (const HeddleCost *self, const gint64 *tiles);
/* Counts the operations on each unit; those of contractions also by the type they read (@contracted may be
 * NULL). */
void heddle_cost_work (const HeddleCost *self, const gint64 *tiles, gint64 chunk, double work[HEDDLE_N_WORKS],
    double contracted[HEDDLE_N_DTYPES]);
/* Writes the sizes that the program's own bands have. */
void heddle_cost_own_tiles (const HeddleCost *self, gint64 tiles[HEDDLE_MAX_GROUPS], gint64 *chunk);
/* Returns the number of groups of this level into which one group of the level above is divided, at the
 * program's own sizes; they are held at the same time. */
gint64 heddle_cost_instances (const HeddleCost *self);

/* Adds the operations of a body at one point to @special (exponentials and the like) and @plain. What is the
 * same at every point, comparisons and choices cost nothing. */
void heddle_expr_count_operations (const HeddleExpr *expr, double *special, double *plain);
/* Returns how many operations the bodies of a diagram have at one point, all together: whoever tries a kernel looks at each of them. */
double heddle_diagram_count_arithmetic (const HeddleDiagram *diagram);
