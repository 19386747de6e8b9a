/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"
#include "diagram/base/dtype.h"

G_BEGIN_DECLS

/* What a buffer holds at most. */
gint64 heddle_cost_held (const HeddleCost *self, const HeddleTerms *terms, const gint64 *tiles, gint64 chunk);
/* Whether a loop repeats the transfer or moves its window. */
gboolean heddle_terms_depend (const HeddleTerms *self, guint loop);
gint64 heddle_cost_transferred (
    const HeddleCost *self, const HeddleTerms *terms, const gint64 *tiles, gint64 chunk);
/* The same if every loop had one part. */
gint64 heddle_cost_transferred_once (const HeddleCost *self, const HeddleTerms *terms);
gint64 heddle_cost_transfers (const HeddleCost *self, const gint64 *tiles, gint64 chunk, gboolean bytes);
/* What one group moves in one step of its stream; 0 where nothing streams. */
gint64 heddle_cost_step (const HeddleCost *self, const gint64 *tiles, gint64 chunk, gboolean bytes);
gint64 heddle_cost_moment (
    const HeddleCost *self, const HeddleMoment *moment, const gint64 *tiles, gint64 chunk, gboolean bytes);
gint64 heddle_cost_memory (const HeddleCost *self, const gint64 *tiles, gint64 chunk, gboolean bytes);
gint64 heddle_cost_shared (const HeddleCost *self, const gint64 *tiles, gint64 chunk);
gint64 heddle_cost_groups (const HeddleCost *self, const gint64 *tiles);
/* How much of all points of the stream is in steps that run. */
double heddle_cost_share (const HeddleCost *self, const gint64 *tiles, gint64 chunk);
/* Operations on each unit; those of contractions also by the type they read (may be NULL). */
void heddle_cost_work (const HeddleCost *self, const gint64 *tiles, gint64 chunk, double work[HEDDLE_N_WORKS],
    double contracted[HEDDLE_N_DTYPES]);
/* The sizes that the program's own bands have. */
void heddle_cost_own_tiles (const HeddleCost *self, gint64 tiles[HEDDLE_MAX_GROUPS], gint64 *chunk);
/* Into how many groups of this level one of the level above is divided, at the program's own sizes; they are held at the same time. */
gint64 heddle_cost_instances (const HeddleCost *self);

G_END_DECLS
