/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* The form of kernels that memory bounds: norms, softmaxes, reductions of rows, chains of maps. Every
 * statement goes along one axis, which is the contiguous one, or has one value a row. */

/* The greatest number of arrays that one statement reads around its element. */
#define HEDDLE_ROWS_MOST_READS 8

/* The way in which a block goes through rows: some lanes go through each, and have WIDTH elements side by
 * side in each step. */
typedef struct
{
  const char *columns; /* the axis that rows lie along (id) */
  const char *
      across; /* an axis of rows that arrays are contiguous along which are read through shared memory; NULL: none are */
  gboolean tiled; /* a block has a part of each row at a time, of an axis whose size is an argument */
  gboolean streamed; /* and goes through all parts */
  GArray *axes; /* of const char *: the axes that number rows, outermost first */
  guint width; /* elements of a thread side by side, a power of two: at most 16 bytes of any array */
  guint lanes; /* threads of a row: a power of two up to a warp where rows are reduced, or whole warps */
  guint steps; /* of all lanes, to the end of a row */
  guint rows; /* that a block goes through at once */
  guint reductions; /* over the columns */
  gboolean selects; /* the place of the largest of a row is one of them: it is held as a float too */
  gboolean
      reaches; /* reads other elements than those of its own place: at indices, in windows, and sums of such */
  gboolean covered; /* the lanes and steps are as many as the columns: none is outside */
} HeddleRows;

/* Finds how @program is of this form at @sizes, @dtype being the type of arrays that declare none; returns
 * %FALSE if it is not: it streams along another axis, reads at indices, holds other than floats of 32 bits or
 * fewer, or has rows too long for the registers. */
gboolean heddle_rows_find (
    HeddleRows *self, const HeddleLoopProgram *program, const HeddleSizes *sizes, HeddleDtype dtype);
/* Frees what @self, which may be all 0, holds. */
void heddle_rows_clear (HeddleRows *self);
/* Returns the threads of a block. */
guint heddle_rows_threads (const HeddleRows *self);
/* Returns whether the buffer has a value at each column; otherwise it has one for each row. */
gboolean heddle_rows_has_columns (const HeddleRows *self, const HeddleBuffer *buffer);
/* Returns whether the buffer has columns, and its array is contiguous along another axis. */
gboolean heddle_rows_is_across (const HeddleRows *self, const HeddleBuffer *buffer);
/* Returns whether no thread holds a buffer: its array is read where a statement needs it, at that statement's
 * indices. */
gboolean heddle_rows_is_direct (const HeddleRows *self, const HeddleLoopProgram *program, guint buffer);
/* Returns whether a statement reads around its element: it is a map of what is read at indices, or a sum over
 * axes that rows do not have. */
gboolean heddle_rows_reaches (
    const HeddleRows *self, const HeddleLoopProgram *program, const HeddleNode *node);
/* Returns whether the elements of @buffer at @indices, of HeddleExpr, lie side by side along the columns, and
 * are inside their array or outside of it together, so that they are read as one vector: the array ends with
 * the columns, as rows do. Element e is then number e / @every * @every + @place of the vector; where @every is not 1, the
 * vector is that of the thread's own columns, whatever the last index is. */
gboolean heddle_rows_reads_vectors (const HeddleRows *self, const HeddleLoopProgram *program,
    const HeddleSizes *sizes, const HeddleBuffer *buffer, const GPtrArray *indices, gint64 *every,
    gint64 *place);
/* Returns how many elements of @bytes a row of a tile in shared memory is from the next, so that lanes which
 * read along columns meet in no bank. */
gint64 heddle_rows_pitch (const HeddleRows *self, gint64 rows, guint bytes);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleRows, heddle_rows_clear)
