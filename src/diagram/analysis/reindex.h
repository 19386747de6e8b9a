/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

/* A REINDEX of several operands is a gather: operand 0 is what is read; the others hold whole numbers, which
 * its indices have as ARGUMENT leaves. */

/* Returns whether index @i of a REINDEX varies along @axis, outright or because an array of indices does. */
gboolean heddle_reindex_varies (
    const HeddleDiagram *diagram, const HeddleOperation *operation, guint i, const char *axis);
/* Returns how far the whole numbers of @value_id may go: the least size of an axis that they are an index into, also
 * where something chooses among them or reads them elsewhere before; 0 if they are none. */
gint64 heddle_reindex_limit (const HeddleDiagram *diagram, const HeddleSizes *sizes, const char *value_id);
