/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tensor/kernel.h"

G_BEGIN_DECLS

/* The slot of a tile as it is read: "K_tile" or "K_tile + slot * 16384". */
char *heddle_tensor_slot (HeddleTensorKernel *self, guint tile, const char *slot);
/* Copies element by element, by all threads, or by those that bring tiles. */
void heddle_tensor_copy_by_elements (HeddleTensorKernel *self, guint tile, const char *slot);
void heddle_tensor_copy (HeddleTensorKernel *self, guint tile, const char *slot);
/* The names of the tiles of a point (-1: of those that are brought once): "K, V". */
char *heddle_tensor_names_at (HeddleTensorKernel *self, int point);
void heddle_tensor_print_fetches (HeddleTensorKernel *self);
void heddle_tensor_print_first_fetches (HeddleTensorKernel *self);
void heddle_tensor_acquire (HeddleTensorKernel *self, guint point);

G_END_DECLS
