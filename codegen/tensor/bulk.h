/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "codegen/base/names.h"
#include "codegen/tensor/kernel.h"
#include "codegen/tile/tile.h"
#include "diagram/base/dtype.h"

G_BEGIN_DECLS

/* tiles that a warpgroup of its own brings, by the copy hardware */
/* Which tile programs a family has. */
HeddleTileWish heddle_family_wish (HeddleFamily family);
void heddle_kernel_map_free (gpointer map);
/* Of HeddleKernelMap: one for each tile. */
GPtrArray *heddle_tensor_maps (const HeddleTileProgram *tiles, HeddleNames *names, HeddleDtype dtype);
/* The barriers' places in shared memory; how they begin, and the warps that bring tiles and do nothing else. */
void heddle_tensor_print_barriers (HeddleTensorKernel *self);
void heddle_tensor_print_producer (HeddleTensorKernel *self);
/* The ring's variables, before the first step and behind each. */
void heddle_tensor_begin_slots (HeddleTensorKernel *self);
void heddle_tensor_next_slot (HeddleTensorKernel *self);
/* Waits for the tiles of a point; behind the last operation that reads them, gives their slot back. */
void heddle_tensor_acquire_bulk (HeddleTensorKernel *self, guint point);
void heddle_tensor_release_bulk (HeddleTensorKernel *self, guint op);

G_END_DECLS
