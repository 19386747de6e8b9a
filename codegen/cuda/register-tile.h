/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "diagram/graph/diagram.h"

/* This file finds the contractions of a kernel of the general family that are made of register tiles, and
 * how: each thread has a block of rows and columns of the result in registers, and reads both factors from
 * shared memory, 16 bytes at a time where it can. */

/* The way in which a thread reads its part of a factor from shared memory. */
typedef enum
{
  HEDDLE_READ_SINGLE, /* element by element */
  HEDDLE_READ_ALONG, /* four terms of the sum that lie side by side; its rows are as far apart as there are threads */
  HEDDLE_READ_ACROSS, /* four rows (or columns) that lie side by side */
} HeddleFactorReading;

/* One factor: the rows of the result, or its columns. */
typedef struct
{
  guint source; /* its number among the statement's sources */
  guint buffer;
  GArray *axes; /* of const char *: those of the result that it has alone, in order; of more than one index */
  gint64 extent; /* how many rows or columns a block has */
  guint threads; /* the number of threads that divide them */
  guint lanes; /* of these side by side in a warp */
  guint each; /* how many of them a thread has */
  HeddleFactorReading reading;
  gboolean is_packed; /* its elements are of 16 bits, and become f32 as they are read */
} HeddleTileFactor;

typedef struct
{
  const HeddleNode *node; /* the statement */
  HeddleTileFactor rows, columns;
  GArray *batch; /* of const char *: axes of the result that both factors have, visited one by one */
  GArray *terms; /* of const char *: what is summed over, the innermost loop last */
  const HeddleNode
      *stream; /* the loop that adds to the result from step to step, which stays in registers; or NULL */
  GPtrArray *
      followers; /* of const HeddleNode: statements that make something else of each result in its place, done in registers */
  gboolean saved; /* the result has no place in shared memory: registers are written to global memory */
} HeddleRegisterTile;

typedef struct
{
  const HeddleLoopProgram *program;
  const HeddleSizes *sizes;
  GPtrArray *extents; /* of GArray of gint64, for each buffer: how many indices it holds along each axis */
  GPtrArray *tiles; /* of HeddleRegisterTile */
  GArray *
      pitches; /* of gint64, for each buffer: the length its padded axis is laid out for; 0: nothing is padded */
} HeddleRegisterTiles;

/* Finds the contractions of @program that @threads threads of a block can compute so, within @capacity bytes
 * of shared memory; %NULL if there are none. */
HeddleRegisterTiles *heddle_register_tiles_new (
    const HeddleLoopProgram *program, const HeddleSizes *sizes, guint threads, gint64 capacity);
/* Frees @self, which may be NULL. */
void heddle_register_tiles_free (HeddleRegisterTiles *self);
/* Returns the tile of a statement; %NULL if it has none, or @self is NULL. */
const HeddleRegisterTile *heddle_register_tiles_get (const HeddleRegisterTiles *self, const HeddleNode *node);
/* Returns whether the buffer's values are passed on in registers to another buffer. @self may be NULL. */
gboolean heddle_register_tiles_is_passed (const HeddleRegisterTiles *self, guint buffer);
/* Returns whether another statement's tile does the work of this statement. */
gboolean heddle_register_tiles_follow (const HeddleRegisterTiles *self, const HeddleNode *node);
/* Returns the tile whose result is in registers while a loop runs and that has @buffer as its result; %NULL
 * if there is none. */
const HeddleRegisterTile *heddle_register_tiles_resident (const HeddleRegisterTiles *self, guint buffer);
/* Returns whether a buffer is a factor of a tile. */
gboolean heddle_register_tiles_read (const HeddleRegisterTiles *self, guint buffer);
/* Returns whether no shared memory holds the buffer. @self may be NULL. */
gboolean heddle_register_tiles_is_unheld (const HeddleRegisterTiles *self, guint buffer);
/* Returns how many elements of a buffer lie between two indices along its axis @i. */
gint64 heddle_register_tiles_stride (const HeddleRegisterTiles *self, guint buffer, guint i);
/* Returns how many indices the buffer holds along its axis @i; for a window, those outside the array too. */
gint64 heddle_register_tiles_extent (const HeddleRegisterTiles *self, guint buffer, guint i);
/* Returns how many elements the buffer has along its axis @i, including padding. */
gint64 heddle_register_tiles_pitch (const HeddleRegisterTiles *self, guint buffer, guint i);
/* Returns by how many elements of its source the statement moves when the index along @axis grows by one. */
gint64 heddle_register_tiles_step (
    const HeddleRegisterTiles *self, const HeddleNode *node, guint source, const char *axis);
/* Returns which element of its source the statement reads where all indices are 0. */
gint64 heddle_register_tiles_first (const HeddleRegisterTiles *self, const HeddleNode *node, guint source);
/* Returns the byte of shared memory at which the buffer begins, a multiple of 16. */
gint64 heddle_register_tiles_offset (const HeddleRegisterTiles *self, guint buffer);
/* Returns how many bytes of shared memory all buffers take. */
gint64 heddle_register_tiles_shared_bytes (const HeddleRegisterTiles *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleRegisterTiles, heddle_register_tiles_free)
