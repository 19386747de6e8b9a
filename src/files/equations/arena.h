/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/private.h"

G_BEGIN_DECLS

HeddleEqArena *heddle_eq_arena_new (void);
void heddle_eq_arena_free (HeddleEqArena *self);
gpointer heddle_eq_alloc (HeddleEqArena *self, gsize size); /* zeroed */
const char *heddle_eq_name (HeddleEqArena *self, const char *start, gssize length);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleEqArena, heddle_eq_arena_free)

G_END_DECLS
