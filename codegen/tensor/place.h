/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/expr.h"
#include "codegen/tensor/kernel.h"
#include "codegen/tile/copy.h"
#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"

/* This file gives names, lengths and places of tiles as texts of C++, and the loops around them. The caller
 * owns a text that is not const. */

/* Notes that the kernel needs @section of the prelude, a static string. */
void heddle_tensor_use (HeddleTensorKernel *self, const char *section);
/* Returns the row of the table for a way to copy, and records the sections that it needs. */
const HeddleCopyAtom *heddle_tensor_use_copy (HeddleTensorKernel *self, HeddleCopyKind kind);

/* Returns the identifier of a tile, which is its buffer's, owned by the names of the kernel. */
const char *heddle_tensor_name (HeddleTensorKernel *self, guint tile);
/* Returns where a tile lies in slot @slot of shared memory, "K_tile" or "K_tile + slot * 16384"; newly
 * allocated. */
char *heddle_tensor_slot (HeddleTensorKernel *self, guint tile, const char *slot);
/* Returns how many indices of an axis a block has: of its tile or chunk if it is grouped or streamed. */
gint64 heddle_tensor_extent (const HeddleTensorKernel *self, const char *axis);
/* Returns the length of a side of a tile in registers or shared memory: by name if the name says it. */
char *heddle_tensor_length (HeddleTensorKernel *self, const char *side, gint64 n);
/* Returns how much of a side is inside the current array. */
char *heddle_tensor_count (HeddleTensorKernel *self, const char *side);
/* Returns where the tile begins in its array, of which this group has a part of its own where it is @partial;
 * newly allocated. */
char *heddle_tensor_begin (HeddleTensorKernel *self, const HeddleBuffer *buffer, gboolean partial);

/* Returns what is added to the index along the array's axis @k where it is read at a shift, newly allocated;
 * NULL where nothing is. */
char *heddle_tensor_shift (HeddleTensorKernel *self, const HeddleBuffer *buffer, guint k);
/* Returns the size of the array's axis @k, owned by the names. */
const char *heddle_tensor_size (HeddleTensorKernel *self, const HeddleBuffer *buffer, guint k);
/* Returns whether that size is an argument of the kernel. */
gboolean heddle_tensor_size_at_run_time (HeddleTensorKernel *self, const HeddleBuffer *buffer, guint k);
/* Returns how much of a side of the tile is inside the array that it is copied from; newly allocated. */
char *heddle_tensor_count_of (HeddleTensorKernel *self, const HeddleBuffer *buffer, const char *side);

/* Returns how many elements apart the rows or columns of a tile are in the array of @buffer; @side is
 * heddle_tile_rows or an axis. Newly allocated; “0” where there is but one row. */
char *heddle_tensor_stride (HeddleTensorKernel *self, const HeddleBuffer *buffer, const char *side);
/* Returns how far from the beginning of the array row @row of the block lies, where rows are dealt out; newly
 * allocated. */
char *heddle_tensor_dealt_place (HeddleTensorKernel *self, const HeddleBuffer *buffer, const char *row);
/* Returns the size of the last axis of an array that ends in @side; %NULL if it does not. */
const char *heddle_tensor_last (HeddleTensorKernel *self, const HeddleBuffer *buffer, const char *side);
/* Returns the current row or column within the tile. */
char *heddle_tensor_row (HeddleTensorKernel *self);

/* Returns the index of the current column within the tile along @axis; newly allocated. */
char *heddle_tensor_column (HeddleTensorKernel *self, const char *axis);
/* Returns the test whether that column is before ("<") or not before (">=") the end of the axis. */
char *heddle_tensor_inside (HeddleTensorKernel *self, const char *axis, const char *sign);
/* Returns the condition, as text, that the current row is inside the array. */
char *heddle_tensor_row_inside (HeddleTensorKernel *self);
/* Returns the place at which the current row begins in its array. */
char *heddle_tensor_row_place (HeddleTensorKernel *self, const HeddleBuffer *buffer, gboolean partial);
/* Returns the current element. */
char *heddle_tensor_element (HeddleTensorKernel *self, guint tile);
/* Returns the context with which a node's expressions are printed at the point. */
HeddleCudaContext heddle_tensor_context (HeddleTensorKernel *self, const HeddleNode *node, const char *along);

/* Prints the head of an unrolled loop of @name from 0 to @end in steps of @step. Returns how many loops it
 * opened: 1. */
guint heddle_tensor_loop (HeddleTensorKernel *self, const char *name, const char *end, const char *step);
/* --- loops: unrolled, one within the other; heddle_tensor_close () ends as many. */
guint heddle_tensor_rows_loop (HeddleTensorKernel *self);

/* Opens the loops over all elements that a thread has of @tile, or over its rows where it has no columns.
 * Returns how many loops, for heddle_tensor_close (). */
guint heddle_tensor_element_loops (HeddleTensorKernel *self, const HeddleTensorTile *tile);

/* Ends @n loops without braces: what follows stands that many levels less deep. */
void heddle_tensor_close (HeddleTensorKernel *self, guint n);

/* Prints an opening brace; what follows stands one level deeper. */
void heddle_tensor_block (HeddleTensorKernel *self);

/* Prints the brace that ends heddle_tensor_block (). */
void heddle_tensor_end_block (HeddleTensorKernel *self);
