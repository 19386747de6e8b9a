/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "codegen/base/names.h"
#include "codegen/tensor/kernel.h"
#include "codegen/tile/tile.h"
#include "diagram/base/dtype.h"

/* The functions below print the copying of tiles by the copy hardware, from a warpgroup of its own. */
/* Returns which tile programs a family has. */
HeddleTileWish heddle_family_wish (HeddleFamily family);

/* Frees a #HeddleKernelMap; a #GDestroyNotify. */
void heddle_kernel_map_free (gpointer map);
/* Returns a new array of HeddleKernelMap, one for each tile that the copy hardware brings; the caller owns
 * it. */
GPtrArray *heddle_tensor_maps (const HeddleTileProgram *tiles, HeddleNames *names, HeddleDtype dtype);
/* Prints where the barriers lie in shared memory. */
void heddle_tensor_print_barriers (HeddleTensorKernel *self);

/* Prints how the barriers begin, and the branch of the last four warps, which bring the tiles and do nothing
 * else. */
void heddle_tensor_print_producer (HeddleTensorKernel *self);
/* Prints the variables of the ring of slots, before the first step. */
void heddle_tensor_begin_slots (HeddleTensorKernel *self);

/* Prints the step to the next slot of the ring, behind each step of the stream. */
void heddle_tensor_next_slot (HeddleTensorKernel *self);
/* Prints the wait for the tiles of point @point. */
void heddle_tensor_acquire_bulk (HeddleTensorKernel *self, guint point);

/* Prints, behind operation number @op of the body, that the slots of those tiles are free which it is the last
 * to read; nothing where there are none. */
void heddle_tensor_release_bulk (HeddleTensorKernel *self, guint op);
