/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/tile/tile.h"

/* Returns the program as text, with one line for each tile and each operation. Newly allocated. */
char *heddle_tile_program_to_string (const HeddleTileProgram *self);
