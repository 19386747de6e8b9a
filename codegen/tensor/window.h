/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tensor/kernel.h"
#include "codegen/tile/tile.h"

/* Opens the loops over the points of windows that the array has matrices for, and returns how many loops. */
guint heddle_tensor_open_taps (HeddleTensorKernel *self, const HeddleTensorTile *tile);

/* Returns where the current matrix of a tile lies in slot @slot of shared memory; newly allocated. */
char *heddle_tensor_tap (HeddleTensorKernel *self, guint tile, const char *slot);
/* Prints the copy of rows that are read out of a box at indices of their own. */
void heddle_tensor_copy_window (HeddleTensorKernel *self, guint tile, const char *slot, gboolean elements);

/* Prints the addresses of the rows that the left factor of @op reads in its box at the point of the current
 * windows; nothing where it is a plain tile. */
void heddle_tensor_begin_windows (HeddleTensorKernel *self, const HeddleTileOp *op);
/* Opens loops around a product, with the places of its rows, first of the windows and then at the current
 * tap; for a product of plain tiles it opens none. */
guint heddle_tensor_open_windows (HeddleTensorKernel *self, const HeddleTileOp *op);
/* Prints the load of a left factor out of the box. */
void heddle_tensor_load_window (HeddleTensorKernel *self, guint tile, const char *to, const char *depth);
