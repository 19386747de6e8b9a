/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/register-tile.h"

/* Returns roughly how many registers a thread of a kernel with these tiles needs, from which follows how many
 * blocks a multiprocessor has room for. */
guint heddle_register_count (const HeddleRegisterTiles *self);
