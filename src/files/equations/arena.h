/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/private.h"

/* Returns an empty arena, which the caller owns. */
HeddleEqArena *heddle_eq_arena_new (void);
/* Frees the arena and with it all nodes and names that were made in it; NULL is allowed. */
void heddle_eq_arena_free (HeddleEqArena *self);
/* Returns @size bytes of zeros, which the arena owns. */
gpointer heddle_eq_alloc (HeddleEqArena *self, gsize size);
/* Returns a copy of a name, @length bytes long or up to its NUL if @length is below 0. The arena owns it, and
 * equal names are one pointer. */
const char *heddle_eq_name (HeddleEqArena *self, const char *start, gssize length);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleEqArena, heddle_eq_arena_free)
