/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/private.h"
#include "codegen/tile/tile.h"

/* Products in which each row chooses its matrix by an index, as in a mixture of experts: the kernel makes one
 * pass for each matrix. */

/* Replaces the kernel's program by that of a pass, if there are such matrices. */
gboolean heddle_tile_find_choices (HeddleTileMaker *self);
/* Refuses places that passes cannot do with. */
gboolean heddle_tile_check_choices (HeddleTileMaker *self);
