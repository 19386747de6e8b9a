/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/private.h"
#include "codegen/tile/tile.h"

G_BEGIN_DECLS

void heddle_tile_pass_free (HeddleTilePass *self);
/* matrices that rows choose */
/* Puts the program of a pass in the place of the kernel's, where there are such matrices. */
gboolean heddle_tile_find_choices (HeddleTileMaker *self);
/* Refuses places that passes cannot do with. */
gboolean heddle_tile_check_choices (HeddleTileMaker *self);

G_END_DECLS
