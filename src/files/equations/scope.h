/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

/* The bit of an axis in this scope; 0, with an error, when there are too many. */
guint64 heddle_eq_scope_bit (HeddleEqScope *self, const char *name, guint column);
/* Whether the operation makes that one of its axes, rather than reading along it. */
gboolean heddle_eq_is_made (const HeddleEqNode *node, guint axis);
/* What every name in a part of a statement means. */
gboolean heddle_eq_resolve (HeddleEqScope *self, HeddleEqNode *node);
/* The bits of @left that are free in a scoped node, in the order in which they are first read; they go from @left. */
void heddle_eq_order_of_appearance (const HeddleEqNode *node, guint64 *left, GArray *bits);
/* Finds what every name means and writes out the sums over indices that are not of @left (bits). %FALSE: errors were reported. */
gboolean heddle_eq_scope (HeddleEqScope *self, HeddleEqNode **root, guint64 left);
/* Sizes: names are those of axes. */
HeddleExpr *heddle_eq_size (const HeddleEqNames *names, HeddleEqLine *line, const HeddleEqNode *node);

G_END_DECLS
