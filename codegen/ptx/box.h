/* SPDX-License-Identifier: MIT */
#pragma once

/* Boxes of arrays in global memory, and where they lie in shared memory: what the copy hardware moves at a
 * time. */

#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"

/* The longest vector that a thread stores at a time. */
#define PTX_BOX_MOST_GIVEN 16

/* The source of the bytes of a box that goes to shared memory: an array in global memory, the thread's
 * registers, or shared memory again. */
typedef enum
{
  PTX_BOX_OF_ARRAY,
  PTX_BOX_GIVEN,
  PTX_BOX_OF_SHARED,
} PtxBoxKind;

/* A box. @map: the array, of no axes where plain bytes are moved; @at: where the box begins in it. @place:
 * where it begins in the shared memory of the cluster, whose rows of @row_bytes lie there one behind another.
 * @given: the values of a thread; @source: where it is in the shared memory of the cluster. @uncounted: its
 * traffic was counted with the same box for another block. */
typedef struct
{
  PtxWarp *warp;
  const PtxInstruction *in;
  guint lane;
  HeddlePtxTensorMap map;
  gint32 at[HEDDLE_PTX_TENSOR_MAP_RANK];
  gsize place;
  gsize bytes;
  gsize row_bytes;
  PtxBoxKind kind;
  guint8 given[PTX_BOX_MOST_GIVEN];
  gsize source;
  gboolean uncounted;
} PtxBox;

/* The functions below return FALSE with the error of the run set if they fail. */

/* Reads the box that operand @operand names: a tensor map and coordinates. */
gboolean ptx_box_read (PtxBox *self, PtxWarp *warp, const PtxInstruction *in, guint lane, guint operand);
/* Reads @bytes plain bytes at @address of global memory as a box. */
gboolean ptx_box_read_bytes (
    PtxBox *self, PtxWarp *warp, const PtxInstruction *in, guint lane, guint64 address, guint64 bytes);
/* Makes a box of what the lane itself holds: @bytes bytes of @values, PTX_BOX_MOST_GIVEN at most. */
void ptx_box_give (
    PtxBox *self, PtxWarp *warp, const PtxInstruction *in, guint lane, const guint8 *values, gsize bytes);
/* Reads @bytes plain bytes, a multiple of 16, at @address of shared memory as a box. */
gboolean ptx_box_read_shared (
    PtxBox *self, PtxWarp *warp, const PtxInstruction *in, guint lane, guint64 address, guint64 bytes);
/* Puts it at @address of shared memory, which has to be aligned as the swizzle wants it. */
gboolean ptx_box_put (PtxBox *self, guint64 address);
/* Moves it to shared memory, with zeros for what lies outside the array, and counts what it reads of global
 * memory. */
gboolean ptx_box_load (const PtxBox *self);
/* Takes it out of shared memory: @values has as many bytes as the box. */
void ptx_box_fetch (const PtxBox *self, guint8 *values);
/* Moves what was fetched to global memory, but for what lies outside the array, and counts it. Where
 * @operation is not 0, each element is what that atomic operation makes of it and of what is there; @type is
 * the type of elements then. */
gboolean ptx_box_store (const PtxBox *self, const guint8 *values, PtxAtomic operation, PtxType type);
