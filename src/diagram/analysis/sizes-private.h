/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

#define HEDDLE_MAX_SIZE ((gint64) 1 << 40)

/* Told of each axis whose own size is wrong; axes that merely depend on such a one are not reported again. */
typedef void (*HeddleSizesReport) (const char *axis_id, const char *message, gpointer data);

/* Called for each pair of axes of which a reindexing reads one under the name of the other. */
typedef void (*HeddleSizesRename) (
    const HeddleOperation *operation, const HeddleAxis *read, const HeddleAxis *as, gpointer data);
void heddle_sizes_visit_renames (const HeddleDiagram *diagram, HeddleSizesRename visit, gpointer data);

/* Resolves what can be resolved, and reports the rest where @report is not NULL; axes without a size are absent from the result. */
HeddleSizes *heddle_sizes_resolve (
    const HeddleDiagram *diagram, GHashTable *overrides, HeddleSizesReport report, gpointer data);

/* Reports each axis that is read as another one of a different size, or is made of axes of another size. */
void heddle_sizes_report_disagreements (
    const HeddleSizes *sizes, const HeddleDiagram *diagram, HeddleSizesReport report, gpointer data);

/* Gives sizes to axes of @diagram, made from @before, that have lost what said how long they are. */
void heddle_sizes_keep (HeddleDiagram *diagram, const HeddleDiagram *before);

G_END_DECLS
