/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* The form of kernels that reduce over other axes than the contiguous one alone: sums of columns, the
 * statistics of a batch. All threads of a block go through the places that are reduced, each with some
 * columns side by side in registers, and are joined at the end. */

typedef struct
{
  const char *columns; /* the axis that arrays are contiguous along (id) */
  gboolean
      kept; /* the results have it: a thread has results of its own columns; otherwise it is reduced too */
  const HeddleNode *band; /* the stream over the places */
  GArray *rows; /* of const char *: the axes that number places, outermost first, the streamed one foremost */
  GArray *inner; /* of const char *: the axes that vectors go through as one, columns last */
  guint width; /* elements of a thread side by side, a power of two: at most 16 bytes of any array */
  guint
      lanes; /* threads that share the columns of a place; of all threads of a block where they are reduced */
  guint pieces; /* vectors of the inner axes; 1 where columns are kept */
  guint threads; /* of a block: no warp is without a place */
  guint reductions;
} HeddleSums;

/* Finds how @program is of this form at @sizes, @dtype being the type of arrays that declare none; returns
 * %FALSE if it is not: it streams along no axis, or along the contiguous one, holds other than floats of 32
 * bits or fewer, rescales, or has more than one of an axis that is kept in a block. */
gboolean heddle_sums_find (
    HeddleSums *self, const HeddleLoopProgram *program, const HeddleSizes *sizes, HeddleDtype dtype);
/* Drops what @self, which may be all 0, holds. */
void heddle_sums_clear (HeddleSums *self);
/* Returns the threads of a block. */
guint heddle_sums_threads (const HeddleSums *self);
/* Returns whether a thread holds several values of the buffer, side by side along the columns; otherwise it
 * holds one. */
gboolean heddle_sums_has_columns (const HeddleSums *self, const HeddleBuffer *buffer);
/* Returns whether the buffer has other values at other steps of a thread: an axis of it is reduced. */
gboolean heddle_sums_has_places (const HeddleSums *self, const HeddleBuffer *buffer);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleSums, heddle_sums_clear)
