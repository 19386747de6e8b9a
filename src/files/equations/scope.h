/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "files/equations/private.h"

/* Returns whether the operation makes that one of its axes, rather than reading along it. */
gboolean heddle_eq_is_made (const HeddleEqNode *node, guint axis);
/* Finds what every name means and writes out the sums over indices that are not of @left (bits). FALSE means that
 * errors were reported. */
gboolean heddle_eq_scope (HeddleEqScope *self, HeddleEqNode **root, guint64 left);
/* Returns a size as an expression in which names are those of axes (transfer full); NULL means that an error was
 * reported. */
HeddleExpr *heddle_eq_size (const HeddleEqNames *names, HeddleEqLine *line, const HeddleEqNode *node);
