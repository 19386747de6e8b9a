/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/analysis/sizes-private.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* Resolves what can be resolved, and reports the rest where @report is not NULL; axes without a size are
 * absent from the result. */
HeddleSizes *heddle_sizes_resolve (
    const HeddleDiagram *diagram, GHashTable *overrides, HeddleSizesReport report, gpointer data);
/* Resolves the size of every axis; @overrides (axis name to gint64 *, or NULL) take the place of the
 * diagram's own. An axis that is given no size has that of the axis it renames, or one that follows from
 * how it is read. The caller owns the result; NULL comes with %HEDDLE_DIAGRAM_ERROR_SIZE, which names the
 * axis. */
HeddleSizes *heddle_sizes_new (const HeddleDiagram *diagram, GHashTable *overrides, GError **error);
/* Adds a reference, from any thread, and returns @self. */
HeddleSizes *heddle_sizes_ref (HeddleSizes *self);
/* Drops a reference, from any thread; the last one frees the sizes. */
void heddle_sizes_unref (HeddleSizes *self);
gint64 heddle_sizes_get (const HeddleSizes *self, const char *axis_id); /* 0: not an axis of the diagram */
/* Returns whether the size of the axis is computed from the sizes of others. */
gboolean heddle_axis_depends (const HeddleAxis *axis);
/* Returns what heddle_sizes_new () takes to give the same sizes again: those of all axes that do not depend
 * on others, by name. The caller owns the table. */
GHashTable *heddle_sizes_get_overrides (const HeddleSizes *self, const HeddleDiagram *diagram);
/* Returns a copy in which axis @axis_id has @size. */
HeddleSizes *heddle_sizes_with (const HeddleSizes *self, const char *axis_id, gint64 size);
/* Answers SIZE leaves, as a HeddleExprLookup; @sizes is the HeddleSizes. Returns FALSE for other leaves and
 * unknown sizes. */
gboolean heddle_sizes_lookup (const HeddleExpr *leaf, double *value, gpointer sizes);
/* Returns the number of elements of a value: the product of its axes' sizes (saturating at G_MAXINT64). */
gint64 heddle_sizes_elements (const HeddleSizes *self, const HeddleValue *value);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleSizes, heddle_sizes_unref)

/* Reports each axis that is read as another one of a different size, or is made of axes of another size. */
void heddle_sizes_report_disagreements (
    const HeddleSizes *sizes, const HeddleDiagram *diagram, HeddleSizesReport report, gpointer data);
