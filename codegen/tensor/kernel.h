/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/cuda/expr.h"
#include "codegen/cuda/kernel.h"
#include "codegen/tile/copy.h"
#include "codegen/tile/mma.h"
#include "codegen/tile/tile.h"

G_BEGIN_DECLS

/* A kernel of the sm_80 family in print, from a tile program. Each accumulator tile is 16 rows and 8 columns: a lane holds elements e4 = 0 … 3,
 * which are columns `column` and `column` + 1 of row `row`, then of row `row` + 8. */
typedef struct
{
  HeddleCudaKernel cuda; /* lines, names, sections */
  const HeddleTileProgram *tiles;
  const HeddleMma *mma; /* what the operation at hand multiplies */
  const char *half; /* which of the two rows the point at hand is in: text */
  const char *along; /* the axis of the columns at hand, NULL: a row is at hand */
  gint64 alignment; /* of arrays that are copied by 16 bytes */
  const HeddleTileOp
      *meanwhile; /* what can be done while products of warpgroups are under way; NULL: nothing */
} HeddleTensorKernel;

/* Prints the __global__ function into self->cuda.out. */
gboolean heddle_tensor_kernel_print (HeddleTensorKernel *self, GError **error);

/* --- tensor-place.c: where things are --- */

#define HEDDLE_TENSOR_BY_ELEMENT "e4 / 2"
#define HEDDLE_TENSOR_BY_ROW "half"

void heddle_tensor_use (HeddleTensorKernel *self, const char *section);
/* The row of a way to copy, with the sections that it needs. */
const HeddleCopyAtom *heddle_tensor_use_copy (HeddleTensorKernel *self, HeddleCopyKind kind);
const char *heddle_tensor_name (HeddleTensorKernel *self, guint tile);
/* How many indices of an axis a block has: of its tile or chunk where it is grouped or streamed. */
gint64 heddle_tensor_extent (const HeddleTensorKernel *self, const char *axis);
/* What has to hold for the row at hand to be inside the array: text. */
char *heddle_tensor_row_inside (HeddleTensorKernel *self);
/* How long a side of a tile is, in registers or shared memory: by name where the name says it. */
char *heddle_tensor_length (HeddleTensorKernel *self, const char *side, gint64 n);
/* How much of a side is inside the array at hand. */
char *heddle_tensor_count (HeddleTensorKernel *self, const char *side);
/* Where the tile begins in its array, of which this group has a part of its own where it is @partial; and how far apart its rows or
 * columns are there. */
char *heddle_tensor_begin (HeddleTensorKernel *self, const HeddleBuffer *buffer, gboolean partial);
char *heddle_tensor_stride (HeddleTensorKernel *self, const HeddleBuffer *buffer, const char *side);
/* Where the row at hand begins in its array. */
char *heddle_tensor_row_place (HeddleTensorKernel *self, const HeddleBuffer *buffer, gboolean partial);
/* The size of the last axis of an array that ends in @side; %NULL: it does not. */
const char *heddle_tensor_last (HeddleTensorKernel *self, const HeddleBuffer *buffer, const char *side);
/* The row or column at hand within the tile. */
char *heddle_tensor_row (HeddleTensorKernel *self);
char *heddle_tensor_column (HeddleTensorKernel *self, const char *axis);
/* Whether that column is before ("<") or not before (">=") the end of the axis. */
char *heddle_tensor_inside (HeddleTensorKernel *self, const char *axis, const char *sign);
/* The element at hand. */
char *heddle_tensor_element (HeddleTensorKernel *self, guint tile);
/* The same as f32, where @along are the columns at hand (%NULL: a row at hand). */
char *heddle_tensor_source (HeddleTensorKernel *self, guint tile, const char *along);
/* What a node's expressions are printed with at the point. */
HeddleCudaContext heddle_tensor_context (HeddleTensorKernel *self, const HeddleNode *node, const char *along);

/* --- loops: unrolled, one within the other; heddle_tensor_close () ends as many. */
guint heddle_tensor_rows_loop (HeddleTensorKernel *self);
guint heddle_tensor_loop (HeddleTensorKernel *self, const char *name, const char *end, const char *step);
guint heddle_tensor_element_loops (HeddleTensorKernel *self, const HeddleTensorTile *tile);
void heddle_tensor_close (HeddleTensorKernel *self, guint n);
void heddle_tensor_block (HeddleTensorKernel *self);
void heddle_tensor_end_block (HeddleTensorKernel *self);

/* --- tensor-remarks.c --- */
/* Why it is slower than it could be, as sentences; %NULL: nothing is known of that. Newly allocated. */
char *heddle_tensor_remarks (const HeddleTileProgram *tiles);
/* Of COLUMNS: whether the tile's type is coarser than that of the vectors, which are multiplied in it. */
gboolean heddle_tensor_rounds_vectors (const HeddleTileProgram *tiles, const HeddleTileOp *op);
/* The coarsest type that factors of products are rounded to, be they made in the kernel or read from arrays of finer types; UNSET: none is. */
HeddleDtype heddle_tensor_rounds_to (const HeddleTileProgram *tiles);

/* --- tensor-copy.c --- */
void heddle_tensor_copy (HeddleTensorKernel *self, guint tile, const char *slot);
void heddle_tensor_print_fetches (HeddleTensorKernel *self);
void heddle_tensor_print_first_fetches (HeddleTensorKernel *self);
void heddle_tensor_acquire (HeddleTensorKernel *self, guint point);
/* The slot of a tile as it is read: "K_tile" or "K_tile + slot * 16384". */
char *heddle_tensor_slot (HeddleTensorKernel *self, guint tile, const char *slot);

/* The names of the tiles of a point (-1: of those that are brought once): "K, V". */
char *heddle_tensor_names_at (HeddleTensorKernel *self, int point);
/* Copies element by element, by all threads, or by those that bring tiles. */
void heddle_tensor_copy_by_elements (HeddleTensorKernel *self, guint tile, const char *slot);

/* --- tensor-bulk.c: tiles that a warpgroup of its own brings, by the copy hardware --- */
/* Which tile programs a family has. */
HeddleTileWish heddle_family_wish (HeddleFamily family);
/* Of HeddleKernelMap: one for each tile. */
GPtrArray *heddle_tensor_maps (const HeddleTileProgram *tiles, HeddleNames *names, HeddleDtype dtype);
void heddle_kernel_map_free (gpointer map);
/* The barriers' places in shared memory; how they begin, and the warps that bring tiles and do nothing else. */
void heddle_tensor_print_barriers (HeddleTensorKernel *self);
void heddle_tensor_print_producer (HeddleTensorKernel *self);
/* Waits for the tiles of a point; behind the last operation that reads them, gives their slot back. */
void heddle_tensor_acquire_bulk (HeddleTensorKernel *self, guint point);
/* The ring's variables, before the first step and behind each. */
void heddle_tensor_begin_slots (HeddleTensorKernel *self);
void heddle_tensor_next_slot (HeddleTensorKernel *self);
void heddle_tensor_release_bulk (HeddleTensorKernel *self, guint op);

/* --- tensor-product.c --- */
void heddle_tensor_contract (HeddleTensorKernel *self, const HeddleTileOp *op);
/* How long the sum of a product is: text. */
char *heddle_tensor_depth (HeddleTensorKernel *self, const HeddleTensorTile *left);
/* What the result of a product begins with: as it was, rescaled row by row, or 0. */
void heddle_tensor_begin_result (HeddleTensorKernel *self, const HeddleTileOp *op);

/* --- tensor-fragment.c: factors in registers --- */
/* Uses the section that holds a function for what is multiplied: "multiply f16". */
void heddle_tensor_use_typed (HeddleTensorKernel *self, const char *function);
/* The name of the loop over a sum, which says how much a product takes of it: "k16". */
const char *heddle_tensor_depth_name (const HeddleTensorKernel *self);
/* Over a sum, as much as a product takes of it in each step: opens one loop. */
guint heddle_tensor_depth_loop (HeddleTensorKernel *self, const char *depth);
/* The factors of such a step; the left one from registers into @to. */
void heddle_tensor_load_left (HeddleTensorKernel *self, guint tile);
void heddle_tensor_load_right (HeddleTensorKernel *self, const HeddleTileOp *op);
void heddle_tensor_recast_left (HeddleTensorKernel *self, guint tile, const char *to);
void heddle_tensor_unpack (HeddleTensorKernel *self, const HeddleTileOp *op);

/* A right factor of two products, from a column on, where the array has columns side by side (@exchanged) or the sum. */
void heddle_tensor_load_columns (
    HeddleTensorKernel *self, guint tile, gboolean exchanged, const char *column);

/* --- tensor-columns.c: products of vectors --- */
void heddle_tensor_print_column_registers (HeddleTensorKernel *self);
void heddle_tensor_columns (HeddleTensorKernel *self, const HeddleTileOp *op);
void heddle_tensor_spread (HeddleTensorKernel *self);

/* --- tensor-window.c: rows read out of a box at indices of their own --- */
void heddle_tensor_copy_window (HeddleTensorKernel *self, guint tile, const char *slot, gboolean elements);
/* Loops over the points of windows that the array has matrices for; the number of them. Where the matrix at hand lies. */
guint heddle_tensor_open_taps (HeddleTensorKernel *self, const HeddleTensorTile *tile);
char *heddle_tensor_tap (HeddleTensorKernel *self, guint tile, const char *slot);
/* The same around a product, with where its rows are; then where they are at the tap at hand; nothing where it is one of plain tiles. */
guint heddle_tensor_open_windows (HeddleTensorKernel *self, const HeddleTileOp *op);
void heddle_tensor_begin_windows (HeddleTensorKernel *self, const HeddleTileOp *op);
/* A left factor out of the box. */
void heddle_tensor_load_window (HeddleTensorKernel *self, guint tile, const char *to, const char *depth);

/* --- tensor-warpgroup.c: the same by warpgroups --- */
void heddle_tensor_contract_by_group (HeddleTensorKernel *self, const HeddleTileOp *op);
/* Behind the last step: waits for the products that are under way. */
void heddle_tensor_finish_products (HeddleTensorKernel *self);

/* --- tensor-choice.c: passes, one for each matrix that rows choose --- */
void heddle_tensor_open_choices (HeddleTensorKernel *self);
void heddle_tensor_close_choices (HeddleTensorKernel *self);
/* What has to hold for the row at hand to be one of the pass: text. */
char *heddle_tensor_chosen (HeddleTensorKernel *self);

/* --- tensor-map.c --- */
void heddle_tensor_map (HeddleTensorKernel *self, const HeddleTileOp *op);
void heddle_tensor_exponential (HeddleTensorKernel *self, const HeddleTileOp *op);
void heddle_tensor_mask (HeddleTensorKernel *self, const HeddleTileOp *op);
void heddle_tensor_reduce (HeddleTensorKernel *self, const HeddleTileOp *op);

/* --- tensor-store.c --- */
void heddle_tensor_store (HeddleTensorKernel *self, const HeddleTileOp *op);

G_END_DECLS
