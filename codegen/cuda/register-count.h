/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/register-tile.h"

G_BEGIN_DECLS

/* How many registers a thread of a kernel with these tiles needs, about: for how many blocks a multiprocessor has room. */
guint heddle_register_count (const HeddleRegisterTiles *self);

G_END_DECLS
