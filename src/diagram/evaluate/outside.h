/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/evaluate/private.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Adds a reference, from one thread only, and returns @self. */
HeddleOutside *heddle_outside_ref (HeddleOutside *self);
/* Drops a reference, from one thread only; the last one frees the mark. */
void heddle_outside_unref (HeddleOutside *self);
/* All inside at first. */
HeddleOutside *heddle_outside_new (
    const HeddleSizes *sizes, const GArray *read_axes, const GArray *axes, GError **error);
/* Marks of operand @i, or NULL. */
GPtrArray *heddle_run_get_outsides (const HeddleRun *self, guint i);
/* Marks of all operands that the operation's core axes take: an array of HeddleOutside (none); empty: nothing is left out. */
GPtrArray *heddle_run_taken_outsides (const HeddleRun *self);
/* 1 where what the map @body reads of argument @operand is inside its array, as the variable "inside" says of that operand; NULL: it reads none
 * of it. Transfer full. */
HeddleExpr *heddle_map_inside (HeddleExpr *body, guint operand);
/* Finds the marks of the result. */
gboolean heddle_run_mark (HeddleRun *self, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOutside, heddle_outside_unref)

G_END_DECLS
