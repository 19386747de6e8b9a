/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/names.h"
#include "codegen/cuda/kernel.h"
#include "derive/index/extent.h"
#include "derive/program/loop-program.h"

/* This file prints the points of a buffer as loops of a block's threads, and where an element is at the
 * current point. The caller owns texts unless they are const. */

/* Returns how much of its axis number @axis the buffer holds: all of it, a tile, a chunk or a window. */
HeddleExtent heddle_buffer_extent (const HeddleBuffer *buffer, guint axis);
/* Returns how much of an axis is inside the array: the bound of loops over it. */
const char *heddle_cuda_count (HeddleCudaKernel *self, const char *axis, HeddleExtent extent);

/* Fixes the text of the global index along @axis at the point: the index in what @extent holds, behind where
 * that begins. */
void heddle_cuda_define_index (HeddleCudaKernel *self, const char *axis, HeddleExtent extent);
/* Returns the index in a buffer along its axis @i: also from or into a window. */
char *heddle_cuda_index_in (HeddleCudaKernel *self, const HeddleBuffer *buffer, guint i);
/* Returns the offset in a buffer of the element at @indices (texts). */
char *heddle_cuda_offset (HeddleCudaKernel *self, const HeddleBuffer *buffer, GPtrArray *indices);
/* Returns the offset of the point in the global array of a buffer that is loaded or saved; for a partial
 * state, in the part of the current group. */
char *heddle_cuda_global_offset (HeddleCudaKernel *self, const HeddleBuffer *buffer, gboolean partial);
/* Returns the buffer's own element at the point: "S[at]". */
char *heddle_cuda_element (HeddleCudaKernel *self, guint buffer);
/* Fixes the texts of the indices along all axes of @buffer at the point. */
void heddle_cuda_define_points (HeddleCudaKernel *self, const HeddleBuffer *buffer);
/* Begins the loops of a block's threads over the points of a buffer; returns the text to be given back at
 * their end. */
HeddleCudaText *heddle_cuda_points_begin (HeddleCudaKernel *self, const HeddleBuffer *buffer);

/* Ends the loop over the points of @buffer that heddle_cuda_points_begin () opened, and prints it with its body
 * into @before, which was returned there. Braces and definitions of indices are printed only where they are
 * needed. */
void heddle_cuda_points_end (HeddleCudaKernel *self, const HeddleBuffer *buffer, HeddleCudaText *before);

/* Returns whether what the points of @buffer hold is read in batches: there are more than threads, and each
 * is asked for before it is read, since it may be outside of its array or for what the caller @asks. A
 * compiler would have each wait for the one before. */
gboolean heddle_cuda_reads_in_batches (HeddleCudaKernel *self, const HeddleBuffer *buffer, gboolean asks);

/* Prints loops over the points of @buffer, whose indices heddle_cuda_define_points () fixed, that copy
 * @source to @place (texts), several points of a thread at a time: all are read before one is written.
 * @inside: (nullable): the condition under which there is a source; @otherwise: (nullable): the statement
 * where it is not so */
void heddle_cuda_print_in_batches (HeddleCudaKernel *self, const HeddleBuffer *buffer, const char *place,
    const char *source, const char *inside, const char *otherwise);

/* Returns the identifier for @part of the window along axis @i of @buffer, owned by the names of @self. */
const char *heddle_cuda_window_name (
    HeddleCudaKernel *self, const HeddleBuffer *buffer, guint i, HeddleAxisName part);

/* Returns whether two buffers have the same points, which the same threads then go through. */
gboolean heddle_buffer_same_points (const HeddleBuffer *a, const HeddleBuffer *b);
