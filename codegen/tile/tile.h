/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/index/window.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/**
 * HeddleTileProgram: the third form of a kernel, between the loop program and the text: which tile lives where, and what a block does with
 * tiles, in order. A block's rows (the grouped axes that every contraction keeps) lie down its warps, the other axis of a tile along
 * them; a row then never leaves its four lanes, so that maps, row reductions and contractions along columns need no shared memory.
 */
typedef struct _HeddleTileProgram HeddleTileProgram;
/* The loop program of a pass, where rows choose matrices: see choice.c. */
typedef struct _HeddleTilePass HeddleTilePass;
/* The loop program where operands are read at shifted indices: see shifts.c. */
typedef struct _HeddleTileShifts HeddleTileShifts;

/* The number of threads that bring tiles, if those that multiply do not. */
#define HEDDLE_TILE_PRODUCERS 128

/* The id that stands for the rows of the block where an axis id is expected. */
extern const char heddle_tile_rows[];

typedef enum
{
  HEDDLE_TILE_GLOBAL, /* read where it is needed, element by element */
  HEDDLE_TILE_SHARED, /* a copy in shared memory, swizzled */
  HEDDLE_TILE_FRAGMENT, /* f32 in registers, as accumulators of the tensor core */
  HEDDLE_TILE_ROW, /* one f32 a row, in the registers of the row's lanes */
  HEDDLE_TILE_COLUMN, /* one f32 a column, the same for all rows: in shared memory when the stream is over */
} HeddleTilePlace;

/* A window: the axes of an array that a block reads windows of, and the box of it that its rows reach into:
 * position after position in shared memory, the last axis fastest. */
#define HEDDLE_TILE_WINDOW_AXES 2
typedef struct
{
  guint n;
  guint at[HEDDLE_TILE_WINDOW_AXES]; /* which of the buffer's axes */
  gint64 length[HEDDLE_TILE_WINDOW_AXES];
  HeddleWindowSum *sum[HEDDLE_TILE_WINDOW_AXES]; /* indices of the loop program -> the index that is read */
} HeddleTileWindow;

/* The tile of a buffer of the loop program. @down and @along: axes (the rows are one), @along the one that is
 * contiguous. */
typedef struct
{
  guint buffer;
  HeddleTilePlace place;
  const char *down, *along; /* NULL: it has none */
  gint64 n_down, n_along; /* rounded up to what the tensor core takes */
  HeddleDtype dtype; /* as it is held */
  char *widened; /* SHARED: it is held wider than the array is: why, a sentence; NULL: it is not */
  gboolean unpacked; /* SHARED: maps read it as a fragment of its own */
  gboolean vectors; /* SHARED: whole 16 bytes can be copied where the contiguous axis is a multiple of 8 */
  guint slots; /* SHARED: of the ring; 1: not streamed, or one slot */
  gint64 offset, slot_bytes; /* SHARED */
  HeddleTileWindow
      *window; /* SHARED: rows are read out of it at indices of their own; NULL: one below the other */
  gint64 taps; /* SHARED: so many tiles, one for each point of the axes of windows */
  int point; /* SHARED: consumed at this point of each step; -1: not streamed */
  int alias; /* FRAGMENT: holds the elements of that tile times @scale; -1: its own */
  HeddleExpr *scale; /* its elements are this positive number times what is held; NULL: 1 */
  gboolean pad_known;
  double pad; /* what columns behind the end of the axis hold */
  int pad_row; /* they hold this tile's element of their row; -1: @pad */
} HeddleTensorTile;

typedef enum
{
  HEDDLE_TILE_COPY, /* global -> shared, asynchronously */
  HEDDLE_TILE_ACQUIRE, /* wait for copies, meet, refill the slot that became free */
  HEDDLE_TILE_UNPACK, /* shared -> fragment */
  HEDDLE_TILE_MAP, /* a scalar function at each point */
  HEDDLE_TILE_EXPONENTIAL, /* exp (a - r), r a row's maximum of a: of minus infinity it is 0 */
  HEDDLE_TILE_MASK, /* columns behind the end of the axis become @pad */
  HEDDLE_TILE_REDUCE, /* over the columns, one value a row */
  HEDDLE_TILE_CONTRACT, /* by the tensor core */
  HEDDLE_TILE_COLUMNS, /* @members, products of a vector and one tile, as rows of one product */
  HEDDLE_TILE_SPREAD, /* what those made, to shared memory; then all meet */
  HEDDLE_TILE_STORE, /* fragment or row -> global */
} HeddleTileOpKind;

typedef struct
{
  HeddleTileOpKind kind;
  guint tile; /* what it makes or acts on; ACQUIRE: the point */
  const HeddleNode *node; /* of the loop program; NULL: it comes from none */
  HeddleExpr *body; /* MAP, REDUCE: over the node's sources */
  guint left,
      right; /* CONTRACT: factors; EXPONENTIAL: a and r; REDUCE: left, the tile whose columns it goes over */
  HeddleExpr
      *when; /* REDUCE: nothing comes of steps in which this holds nowhere; NULL: of any something may */
  double pad; /* MASK */
  int pad_row; /* MASK: the element of this tile in each row; -1: @pad */
  GPtrArray *members; /* COLUMNS: of HeddleNode */
  gboolean guarded; /* REDUCE: columns behind the end are to be left out one by one */
} HeddleTileOp;

struct _HeddleTileProgram
{
  const HeddleDiagram *diagram;
  const HeddleLoopProgram *program;
  const HeddleSizes *sizes;
  HeddleTileShifts
      *shifts; /* operands are read at shifted indices, and @program is as tiles see it; NULL: none is */
  HeddleTilePass *pass; /* rows choose matrices, and @program is that of one of them; NULL: they do not */
  const char *matrices; /* the axis that those go along */
  guint chooser; /* the buffer of what rows choose */
  GArray *
      dealt; /* its axes, where rows are dealt out to blocks sorted by what they choose; NULL: they are not */
  gint64 tables; /* where the tables of rows that are dealt out lie in shared memory */
  GArray *rows; /* axis ids, the last one fastest */
  gboolean boxed; /* rows over several axes are a box of the result, each axis cut for itself */
  gint64 n_rows; /* rounded up to what the warps hold */
  const char *
      depth; /* of a product of windows: the axis of its sum that both factors hold as it is; NULL: there is none */
  GArray *taps; /* and the others: axes of the windows */
  const char *split; /* the axis whose columns the warps share; NULL: each warp has all columns */
  guint warps_down, warps_along;
  guint tiles_down; /* of 16 rows, in each warp */
  gboolean warpgroups; /* four warps multiply 64 rows together (wgmma): @warps_along counts such groups */
  gboolean
      bulk; /* four more warps bring the tiles, by the copy hardware (TMA), and hand slots over by barriers in shared memory */
  char *bulk_fault; /* why not, where it was asked for: a sentence, or NULL */
  char *choice; /* why products are by warps where the machine has them by warpgroups: a sentence, or NULL */
  gint64 barriers; /* where those barriers lie in shared memory */
  GPtrArray *tiles; /* of HeddleTensorTile, one for each buffer */
  GPtrArray *prologue, *body, *epilogue; /* of HeddleTileOp */
  const HeddleNode *stream; /* NULL: nothing streams */
  guint points, stages;
  guint
      under_way; /* products of warpgroups that a step leaves to the next; 0: each is waited for where it is begun */
  gboolean
      ahead; /* the first product of a step is begun before the last one of the step before, and all between the two is done meanwhile */
  gint64 shared_bytes;
  guint accumulators; /* registers for fragments that live at once */
};

typedef struct
{
  guint tiles_down; /* 0: chosen */
  guint stages; /* 0: chosen */
  gboolean warpgroups; /* products by warpgroups, which sm_90a has */
  gboolean bulk; /* tiles by the copy hardware, where that goes */
  gboolean bytes; /* products of elements of 8 bits, which sm_89 and newer have */
} HeddleTileOptions;

/* The tile programs that are wanted. */
typedef struct
{
  gboolean warps, warpgroups; /* products by warps, and on sm_90a by warpgroups */
  gboolean bulk; /* of the latter those whose tiles the copy hardware brings, where that goes */
} HeddleTileWish;
