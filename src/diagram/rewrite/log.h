/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

/* Writes the logarithm of a softmax in a map as the difference to a log-sum-exp. FALSE means that the map
 * has none. */
gboolean heddle_rewrite_log_softmax (HeddleDiagram *diagram, const char *operation_id);
