/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

/* Makes one softmax or log-sum-exp of the maps and reductions that end at the operation. FALSE means
 * that there are none. */
gboolean heddle_rewrite_collapse_softmax (HeddleDiagram *diagram, const char *operation_id);
/* Makes one layer norm, RMS norm or L2 norm of the maps and reductions that end at the operation. FALSE means
 * that there are none. */
gboolean heddle_rewrite_collapse_norm (HeddleDiagram *diagram, const char *operation_id);
