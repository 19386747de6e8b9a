/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"
#include "diagram/base/dtype.h"

/* Values of a cost at tiles and a chunk that a search asks for. @tiles has a size for each grouped axis in
 * the order of the cost's bands, @chunk is that of the streamed axis. Where @bytes is set results are in
 * bytes, else in elements, and all saturate at G_MAXINT64. H, what is transferred, and M, what is held, are
 * those of Abbott & Zardini 2025. */

G_BEGIN_DECLS

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
/* What one group moves in one step of its stream; 0 where nothing streams. */
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
/* Returns the share, from 0 to 1, of the stream's points that lie in steps which run; 1 without a guard. */
double heddle_cost_share (const HeddleCost *self, const gint64 *tiles, gint64 chunk);
/* Operations on each unit; those of contractions also by the type they read (may be NULL). */
void heddle_cost_work (const HeddleCost *self, const gint64 *tiles, gint64 chunk, double work[HEDDLE_N_WORKS],
    double contracted[HEDDLE_N_DTYPES]);
/* The sizes that the program's own bands have. */
void heddle_cost_own_tiles (const HeddleCost *self, gint64 tiles[HEDDLE_MAX_GROUPS], gint64 *chunk);
/* Into how many groups of this level one of the level above is divided, at the program's own sizes; they are held at the same time. */
gint64 heddle_cost_instances (const HeddleCost *self);

G_END_DECLS
