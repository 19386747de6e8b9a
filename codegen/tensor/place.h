/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/expr.h"
#include "codegen/tensor/kernel.h"
#include "codegen/tile/copy.h"
#include "codegen/tile/tile.h"
#include "derive/program/loop-program.h"

/* Names, lengths and places of tiles as texts of C++, and the loops around them. A text that is not const is
 * the caller's. */

G_BEGIN_DECLS

/* Notes that the kernel needs @section of the prelude, a static string. */
void heddle_tensor_use (HeddleTensorKernel *self, const char *section);
/* The row of a way to copy, with the sections that it needs. */
const HeddleCopyAtom *heddle_tensor_use_copy (HeddleTensorKernel *self, HeddleCopyKind kind);

/* Gives the identifier of a tile, which is its buffer's, owned by the names of the kernel. */
const char *heddle_tensor_name (HeddleTensorKernel *self, guint tile);
/* Gives where a tile lies in slot @slot of shared memory, "K_tile" or "K_tile + slot * 16384"; newly allocated. */
char *heddle_tensor_slot (HeddleTensorKernel *self, guint tile, const char *slot);
/* How many indices of an axis a block has: of its tile or chunk where it is grouped or streamed. */
gint64 heddle_tensor_extent (const HeddleTensorKernel *self, const char *axis);
/* How long a side of a tile is, in registers or shared memory: by name where the name says it. */
char *heddle_tensor_length (HeddleTensorKernel *self, const char *side, gint64 n);
/* How much of a side is inside the array at hand. */
char *heddle_tensor_count (HeddleTensorKernel *self, const char *side);
/* Gives where the tile begins in its array, of which this group has a part of its own where it is @partial; newly
 * allocated. */
char *heddle_tensor_begin (HeddleTensorKernel *self, const HeddleBuffer *buffer, gboolean partial);

/* Gives how many elements apart the rows or columns of a tile are in the array of @buffer; @side is
 * heddle_tile_rows or an axis. Newly allocated; “0” where there is but one row. */
char *heddle_tensor_stride (HeddleTensorKernel *self, const HeddleBuffer *buffer, const char *side);
/* The size of the last axis of an array that ends in @side; %NULL: it does not. */
const char *heddle_tensor_last (HeddleTensorKernel *self, const HeddleBuffer *buffer, const char *side);
/* The row or column at hand within the tile. */
char *heddle_tensor_row (HeddleTensorKernel *self);

/* Gives the index of the column at hand within the tile along @axis; newly allocated. */
char *heddle_tensor_column (HeddleTensorKernel *self, const char *axis);
/* Whether that column is before ("<") or not before (">=") the end of the axis. */
char *heddle_tensor_inside (HeddleTensorKernel *self, const char *axis, const char *sign);
/* What has to hold for the row at hand to be inside the array: text. */
char *heddle_tensor_row_inside (HeddleTensorKernel *self);
/* Where the row at hand begins in its array. */
char *heddle_tensor_row_place (HeddleTensorKernel *self, const HeddleBuffer *buffer, gboolean partial);
/* The element at hand. */
char *heddle_tensor_element (HeddleTensorKernel *self, guint tile);
/* The same as f32, where @along are the columns at hand (%NULL: a row at hand). */
char *heddle_tensor_source (HeddleTensorKernel *self, guint tile, const char *along);
/* What a node's expressions are printed with at the point. */
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

G_END_DECLS
