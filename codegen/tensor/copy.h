/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tensor/kernel.h"

/* Copies element by element, by all threads, or by those that bring tiles. */
void heddle_tensor_copy_by_elements (HeddleTensorKernel *self, guint tile, const char *slot);

/* Prints the copy of tile @tile from its array into slot @slot, once for each matrix that a product of windows
 * has of it. */
void heddle_tensor_copy (HeddleTensorKernel *self, guint tile, const char *slot);
/* Returns the names of the tiles of a point (-1 stands for those that are brought once): "K, V". */
char *heddle_tensor_names_at (HeddleTensorKernel *self, int point);

/* Prints, for each point of the body, the function that brings the tiles of it. */
void heddle_tensor_print_fetches (HeddleTensorKernel *self);

/* Prints the calls that fill the slots of the ring before the first step, all but those that the loop itself
 * fills. */
void heddle_tensor_print_first_fetches (HeddleTensorKernel *self);

/* Prints the wait for the tiles of @point and the calls that bring the next ones; G_MAXUINT stands for the
 * tiles that are brought once. */
void heddle_tensor_acquire (HeddleTensorKernel *self, guint point);
