/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

/* Returns the bit of an axis in this scope; 0 means that there are too many, which was reported. */
guint64 heddle_eq_scope_bit (HeddleEqScope *self, const char *name, guint column);
/* Tells whether the operation makes that one of its axes, rather than reading along it. */
gboolean heddle_eq_is_made (const HeddleEqNode *node, guint axis);
/* Finds what every name in a part of a statement means. FALSE means that errors were reported. */
gboolean heddle_eq_resolve (HeddleEqScope *self, HeddleEqNode *node);
/* Appends the bits of @left that are free in a scoped node to @bits, in the order in which they are first read, and
 * takes them from @left. */
void heddle_eq_order_of_appearance (const HeddleEqNode *node, guint64 *left, GArray *bits);
/* Finds what every name means and writes out the sums over indices that are not of @left (bits). FALSE means that
 * errors were reported. */
gboolean heddle_eq_scope (HeddleEqScope *self, HeddleEqNode **root, guint64 left);
/* Returns a size as an expression in which names are those of axes (transfer full); NULL means that an error was
 * reported. */
HeddleExpr *heddle_eq_size (const HeddleEqNames *names, HeddleEqLine *line, const HeddleEqNode *node);

G_END_DECLS
