/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tensor/kernel.h"
#include "codegen/tile/tile.h"

G_BEGIN_DECLS

/* Loops over the points of windows that the array has matrices for; the number of them. Where the matrix at hand lies. */
guint heddle_tensor_open_taps (HeddleTensorKernel *self, const HeddleTensorTile *tile);
char *heddle_tensor_tap (HeddleTensorKernel *self, guint tile, const char *slot);
/* rows read out of a box at indices of their own */
void heddle_tensor_copy_window (HeddleTensorKernel *self, guint tile, const char *slot, gboolean elements);
void heddle_tensor_begin_windows (HeddleTensorKernel *self, const HeddleTileOp *op);
/* The same around a product, with where its rows are; then where they are at the tap at hand; nothing where it is one of plain tiles. */
guint heddle_tensor_open_windows (HeddleTensorKernel *self, const HeddleTileOp *op);
/* A left factor out of the box. */
void heddle_tensor_load_window (HeddleTensorKernel *self, guint tile, const char *to, const char *depth);

G_END_DECLS
