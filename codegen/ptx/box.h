/* SPDX-License-Identifier: MIT */
#pragma once

/* Boxes of arrays in global memory, and where they lie in shared memory: what the copy hardware moves at a time. */

#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"

G_BEGIN_DECLS

/* @map: the array, of no axes where plain bytes are moved; @at: where the box begins in it. @place: where it begins in the shared memory of the cluster,
 * whose rows of @row_bytes lie there one behind another. */
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
} PtxBox;

/* Each returns FALSE with the error of the run set where it cannot. */

/* The box that operand @operand names: a tensor map and coordinates. */
gboolean ptx_box_read (PtxBox *self, PtxWarp *warp, const PtxInstruction *in, guint lane, guint operand);
/* @bytes plain bytes at @address of global memory. */
gboolean ptx_box_read_bytes (
    PtxBox *self, PtxWarp *warp, const PtxInstruction *in, guint lane, guint64 address, guint64 bytes);
/* Puts it at @address of shared memory, which has to be aligned as the swizzle wants it. */
gboolean ptx_box_put (PtxBox *self, guint64 address);
/* Moves it from global to shared memory, with zeros for what lies outside the array. */
gboolean ptx_box_load (const PtxBox *self);
/* Takes it out of shared memory: @values has as many bytes as the box. */
void ptx_box_fetch (const PtxBox *self, guint8 *values);
/* Moves what was fetched to global memory, but for what lies outside the array. */
gboolean ptx_box_store (const PtxBox *self, const guint8 *values);

G_END_DECLS
