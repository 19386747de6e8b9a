/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "files/equations/private.h"

/* The indices of a statement: each is a bit of its scope, and the id of an axis. */

/* Returns the bit of an axis in this scope; 0 means that there are too many, which was reported. */
guint64 heddle_eq_scope_bit (HeddleEqScope *self, const char *name, guint column);

/* Appends the bits of @left that are free in a scoped node to @bits, in the order in which they are first
 * read, and takes them from @left. */
void heddle_eq_order_of_appearance (const HeddleEqNode *node, guint64 *left, GArray *bits);

/* Appends @id to @ids unless it is among them. */
void heddle_eq_add_missing (GArray *ids, const char *id);

/* Returns the free indices of a scoped expression, as axis ids in the order in which they occur; the caller
 * owns the array. */
GArray *heddle_eq_free_axes (const HeddleEqScope *scope, const HeddleEqNode *node);
