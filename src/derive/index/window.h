/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/index/interval.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* A window: what is read of an axis of an array at indices of its own, as y + i - 1 of a convolution. For a
 * tile of y and all of i it is the tile with its halo: from the least index to the largest, cut at the ends
 * of the array. */

/* The indices from @from on, before @to. */
typedef struct
{
  gint64 from, to;
} HeddleSpan;

/* Returns the indices of @axis that the current part goes through. */
typedef HeddleSpan (*HeddleWindowAxis) (const char *axis, gpointer data);
/* Returns all indices of the axis, as a HeddleWindowAxis; @sizes are HeddleSizes. */
HeddleSpan heddle_window_whole_axis (const char *axis, gpointer sizes);

/* Returns the least and the largest value that @index takes while each axis goes through the indices that
 * @spans says. */
HeddleInterval heddle_window_bounds (
    const HeddleExpr *index, const HeddleSizes *sizes, HeddleWindowAxis spans, gpointer data);
/* Returns the span from the least to the largest of all indices, not cut; @exprs are over INDEX and SIZE. If
 * an index is not bounded, neither is the span. */
HeddleSpan heddle_window_hull (
    const GPtrArray *exprs, const HeddleSizes *sizes, HeddleWindowAxis spans, gpointer data);
/* Returns the same span, cut to an axis that has @n indices. */
HeddleSpan heddle_window_span (
    const GPtrArray *exprs, const HeddleSizes *sizes, gint64 n, HeddleWindowAxis spans, gpointer data);
/* Returns the number of the slot that says which indices of an axis the current part goes through; -1 if it
 * is all of them. */
typedef int (*HeddleWindowSlot) (const char *axis, gpointer data);
/* Returns a new array of HeddleIntervalProgram, which it owns: @exprs compiled with sizes as numbers, for
 * windows that are asked for again and again. */
GPtrArray *heddle_window_compile (
    const GPtrArray *exprs, const HeddleSizes *sizes, HeddleWindowSlot slot, gpointer data);
/* Returns the hull of compiled windows; @slots holds the first and the last index of each slot. */
HeddleSpan heddle_window_hull_of (const GPtrArray *programs, const HeddleInterval *slots);
/* Returns how many indices of an axis that has @n lie in a hull. */
gint64 heddle_window_length (HeddleSpan hull, gint64 n);
/* Returns whether one of @exprs goes along @axis, which is an interned id. */
gboolean heddle_window_uses (const GPtrArray *exprs, const char *axis);
/* Returns a new array of axis ids, each once, that @exprs go along. */
GArray *heddle_window_axes (const GPtrArray *exprs);
/* The way in which an index moves with @axis. If it is known, the index is bounded by its values at the ends
 * of the range. */
typedef enum
{
  HEDDLE_WINDOW_STILL,
  HEDDLE_WINDOW_UP,
  HEDDLE_WINDOW_DOWN,
  HEDDLE_WINDOW_UNKNOWN,
} HeddleWindowWay;
/* Returns how @index moves as the index of @axis, an interned id, grows: up, down, not at all, or in no way
 * that is known. */
HeddleWindowWay heddle_window_way (const HeddleExpr *index, const char *axis);
/* Returns whether @index moves in some known way with each axis; then it can be a window. */
gboolean heddle_window_is_bounded (const HeddleExpr *index);
/* Returns whether two indices are always as far apart, so that they can be one window. */
gboolean heddle_window_is_shifted (const HeddleExpr *a, const HeddleExpr *b);

/* A window that is a sum: offset + sum of factors times indices, by whole numbers; several are @spread apart
 * at most. */
typedef struct
{
  GArray *axes; /* of const char * */
  GArray *factors; /* of gint64 */
  gint64 offset, spread;
} HeddleWindowSum;

/* The length of the tiles or chunks of @axis; at least its own: it has none. */
typedef gint64 (*HeddleWindowPart) (const char *axis, gpointer data);
