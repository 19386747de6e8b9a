/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

/* Makes a gather from a contraction a contraction of gathers, so that only what is read is computed.
 * FALSE means
 * that it is none, or that the contraction cannot be read so. */
gboolean heddle_rewrite_read_product (HeddleDiagram *diagram, const char *operation_id);
/* Makes a gather from a map a map of gathers, so that only what is read is computed. FALSE means that it is
 * none, that the map uses indices, or that it cannot be read so. */
gboolean heddle_rewrite_read_map (HeddleDiagram *diagram, const char *operation_id);
