/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/evaluate/private.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* Makes a batch of points of @axes, which must outlive it. */
HeddleBatch *heddle_batch_new (const HeddleSizes *sizes, const GArray *axes);
/* Frees the batch with its walk. */
void heddle_batch_free (HeddleBatch *self);
/* Adds a cursor into a row-major array with @array_axes and returns its number. It must be called before
 * the first batch is taken. */
guint heddle_batch_add_cursor (HeddleBatch *self, const GArray *array_axes);
/* Makes the next batch begin at this point. */
void heddle_batch_seek (HeddleBatch *self, gint64 point);
/* Takes at most @most points. Returns how many. There must be so many left. */
guint heddle_batch_take (HeddleBatch *self, gint64 most);
/* Returns where a cursor is at the first point of a run, in elements from the start of its array. */
gint64 heddle_batch_offset (const HeddleBatch *self, guint run, guint cursor);
/* Writes one value for each point of the batch, in order, to the elements of @data under a cursor. */
void heddle_batch_scatter (const HeddleBatch *self, guint cursor, const double *values, double *data);
/* Binds an expression to a batch. Returns NULL with %HEDDLE_DIAGRAM_ERROR_UNKNOWN_SYMBOL if a leaf has no
 * value, or with _LIMIT. */
HeddleBound *heddle_bound_new (const HeddleExpr *expr, const HeddleBinding *binding, GError **error);
/* Computes the values at the @n points of the batch; they are valid until the next run. */
const double *heddle_bound_run (HeddleBound *self, guint n);
/* Frees the program with its room for values. */
void heddle_bound_free (HeddleBound *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleBatch, heddle_batch_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleBound, heddle_bound_free)
