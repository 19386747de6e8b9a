/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/tile/tile.h"

G_BEGIN_DECLS

/* The architecture whose warpgroups multiply. */
#define HEDDLE_TILE_WARPGROUP_ARCH "sm_90a"
/* Two tiles of 8 columns are the k of a product: lengths are rounded up to this. */
#define HEDDLE_TILE_STEP 16
/* A row of a panel of shared memory; and columns of such a row where products are those of warpgroups, of 16-bit elements. */
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

/* Sets the reason and returns %FALSE. */
gboolean heddle_tile_refuse (HeddleTileMaker *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

typedef gboolean (*HeddleTileVisit) (HeddleTileMaker *self, const HeddleNode *node, gpointer data);
/* Every statement of the program, in order; stops where @visit returns %FALSE. */
gboolean heddle_tile_walk (HeddleTileMaker *self, HeddleTileVisit visit, gpointer data);

static inline gint64
heddle_tile_round (gint64 n, gint64 step)
{
  return (n + step - 1) / step * step;
}

/* How much of its axis @k the buffer holds; 1: the axis is not there. */
gint64 heddle_tile_extent (const HeddleTileProgram *self, const HeddleBuffer *buffer, guint k);
/* The buffer's axes that are longer than 1. Transfer container. */
GArray *heddle_tile_axes (const HeddleTileProgram *self, const HeddleBuffer *buffer);
HeddleTensorTile *heddle_tile_at (const HeddleTileProgram *self, guint i);
const char *heddle_tile_name (const HeddleTileProgram *self, guint i);

/* --- tile-roles.c: what are rows, what lives where --- */
/* Whether the buffer holds a chunk of the axis that streams, be it one element long. */
gboolean heddle_tile_is_streamed (const HeddleBuffer *buffer);
typedef enum
{
  HEDDLE_TILE_ROWS_OF_FIRST, /* what the first product keeps of its first factor */
  HEDDLE_TILE_ROWS_OF_SECOND,
  HEDDLE_TILE_ONE_ROW, /* a vector is a tile whose other rows are zeros */
  HEDDLE_TILE_N_ROW_RULES
} HeddleTileRowRule;

gboolean heddle_tile_find_rows (HeddleTileMaker *self, HeddleTileRowRule rule);
gboolean heddle_tile_place (HeddleTileMaker *self);
/* Whether the buffer has one element for each row; else the reason is set. */
gboolean heddle_tile_has_rows (HeddleTileMaker *self, const HeddleBuffer *buffer);
/* Whether the statement is a product of two arrays summed; @left, @right: its sources in order. */
gboolean heddle_tile_is_contraction (const HeddleNode *node, guint *left, guint *right);

/* Whether tiles and chunks of the contiguous axis begin at whole pieces of 16 bytes of shared memory. A label that is larger than the axis gives
 * tiles of all of it, of which there are several where the kernel is called with more. */
gboolean heddle_tile_has_whole_pieces (
    const HeddleTileMaker *self, const HeddleTensorTile *tile, const char *axis);

/* --- tile-types.c: in which type factors are held in shared memory --- */
/* Sets the type of a tile of shared memory, and why it is wider than the array; refuses what the tensor core does not multiply. */
gboolean heddle_tile_hold (HeddleTileMaker *self, HeddleTensorTile *tile);

/* --- tile-columns.c: products of vectors --- */
/* Whether the buffer has one axis, and that is none of the rows; where the block has one row of no axis, it is that row. */
gboolean heddle_tile_is_vector (const HeddleTileProgram *self, const HeddleBuffer *buffer);
/* Whether nothing but products of vectors make buffer @i. */
gboolean heddle_tile_is_column (HeddleTileMaker *self, const HeddleBuffer *buffer, guint i);
/* The registers that such products sum in. */
guint heddle_tile_column_registers (HeddleTileMaker *self);
/* Gives their results places in shared memory from @at on; returns where they end. */
gint64 heddle_tile_place_columns (HeddleTileProgram *self, gint64 at);

/* --- tile-windows.c: products of windows, as convolutions have them --- */
/* The product of windows among the statements, if there is one; what its sum goes over. */
gboolean heddle_tile_find_windows (HeddleTileMaker *self);
/* Places one of its factors. */
gboolean heddle_tile_place_window (HeddleTileMaker *self, HeddleTensorTile *tile, const HeddleBuffer *buffer);
gboolean heddle_tile_place_matrices (
    HeddleTileMaker *self, HeddleTensorTile *tile, const HeddleBuffer *buffer);

/* --- tile-choice.c: matrices that rows choose --- */
/* Puts the program of a pass in the place of the kernel's, where there are such matrices. */
gboolean heddle_tile_find_choices (HeddleTileMaker *self);
/* Refuses places that passes cannot do with. */
gboolean heddle_tile_check_choices (HeddleTileMaker *self);

/* --- tile-statement.c: statements as operations --- */
gboolean heddle_tile_lower (HeddleTileMaker *self);

/* --- tile-bulk.c: whether the copy hardware can bring all tiles; else why not, as a sentence --- */
char *heddle_tile_bulk_fault (const HeddleTileProgram *self);
/* Bytes of the barriers that slots are handed over by. */
gint64 heddle_tile_barrier_bytes (const HeddleTileProgram *self);

/* --- tile-plan.c: warps, the ring, shared memory --- */
gboolean heddle_tile_choose_warps (HeddleTileMaker *self, const HeddleTileOptions *options);
gboolean heddle_tile_plan_memory (HeddleTileMaker *self, const HeddleTileOptions *options);

G_END_DECLS
