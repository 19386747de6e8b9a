/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"

/* The architecture whose warpgroups multiply. */
#define HEDDLE_TILE_WARPGROUP_ARCH "sm_90a"
/* The step of lengths, which are rounded up to it: two tiles of 8 columns are the k of a product. */
#define HEDDLE_TILE_STEP 16
/* A row of a panel of shared memory; and columns of such a row where products are those of warpgroups, of
 * 16-bit elements. */
#define HEDDLE_TILE_PANEL_BYTES 128
#define HEDDLE_TILE_PANEL 64

/* A tile program in the making. @why: a sentence by whoever finds that there is none. */
typedef struct
{
  HeddleTileProgram *made;
  const HeddleNode *inner; /* below the groups: prologue, stream, epilogue */
  gint64 capacity; /* of shared memory */
  gboolean warpgroups; /* products are to be theirs */
  gboolean bytes; /* the tensor core multiplies elements of 8 bits */
  const HeddleNode
      *windowed; /* a product of windows and a matrix for each of their points; NULL: there is none */
  guint window, matrices; /* its factors: buffers */
  GArray *products; /* of guint: buffers that products make */
  char *why;
} HeddleTileMaker;

/* The loop program of one pass of a kernel whose rows choose matrices. */
struct _HeddleTilePass
{
  HeddleLoopProgram program;
  GPtrArray *nodes; /* of those that are not the kernel's own */
  GPtrArray *buffers; /* likewise */
};

typedef gboolean (*HeddleTileVisit) (HeddleTileMaker *self, const HeddleNode *node, gpointer data);

static inline gint64
heddle_tile_round (gint64 n, gint64 step)
{
  return (n + step - 1) / step * step;
}

typedef enum
{
  HEDDLE_TILE_ROWS_OF_FIRST, /* what the first product keeps of its first factor */
  HEDDLE_TILE_ROWS_OF_SECOND,
  HEDDLE_TILE_ONE_ROW, /* a vector is a tile whose other rows are zeros */
  HEDDLE_TILE_N_ROW_RULES
} HeddleTileRowRule;
