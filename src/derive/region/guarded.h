/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

/* Returns whether all that read the result of @read, a REINDEX, are maps that choose it only where its indices are
 * inside its array, as where(k < 64, X[k + 64], X[k - 64]) does: what is read outside is then in nothing. */
gboolean heddle_read_is_guarded (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleOperation *read);
