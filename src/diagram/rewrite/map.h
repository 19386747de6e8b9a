/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

/* Puts the body of a map that the operation, a map, reads into its own. FALSE means that no operand is
 * such a map. */
gboolean heddle_rewrite_fuse_maps (HeddleDiagram *diagram, const char *operation_id);
/* Takes one step out of a map's body and makes a map of its own of it. FALSE means that the body is a
 * single step. */
gboolean heddle_rewrite_split_map (HeddleDiagram *diagram, const char *operation_id);
