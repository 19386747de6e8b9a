/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/evaluate/private.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include <glib.h>

/* Copies each operand to its stretch of the result of a CONCAT. FALSE means cancelled, with @error set. */
gboolean heddle_run_concat (HeddleRun *self, GError **error);
/* Runs a SCAN from state 0 along its core axis and leaves out what is read outside. FALSE means cancelled,
 * with @error set. */
gboolean heddle_run_scan (HeddleRun *self, GError **error);
/* Writes the places of the largest elements in order to the result of a SELECT; -1 where there are no
 * more. FALSE means cancelled, with @error set. */
gboolean heddle_run_select (HeddleRun *self, GError **error);

/* Drops a reference, from one thread only; the last one frees the mark. */
void heddle_outside_unref (HeddleOutside *self);
/* Marks of operand @i, or NULL. */
GPtrArray *heddle_run_get_outsides (const HeddleRun *self, guint i);
/* Marks of all operands that the operation's core axes take: an array of HeddleOutside (none); empty: nothing
 * is left out. */
GPtrArray *heddle_run_taken_outsides (const HeddleRun *self);
/* Returns an expression that is 1 where what the map @body reads of argument @operand is inside its array, as
 * the variable "inside" says of that operand; NULL if it reads none of it. Transfer full. */
HeddleExpr *heddle_map_inside (HeddleExpr *body, guint operand);
/* Finds the marks of the result. */
gboolean heddle_run_mark (HeddleRun *self, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOutside, heddle_outside_unref)
