/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/analysis/sizes-private.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Calls @visit for each index of a reindexing that is an axis of the result alone and reads a different
 * axis of the operand. Ids that the diagram does not have are passed over. */
void heddle_sizes_visit_renames (const HeddleDiagram *diagram, HeddleSizesRename visit, gpointer data);
/* Reports each axis that is read as another one of a different size, or is made of axes of another size. */
void heddle_sizes_report_disagreements (
    const HeddleSizes *sizes, const HeddleDiagram *diagram, HeddleSizesReport report, gpointer data);

G_END_DECLS
