/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

gboolean heddle_rewrite_read_product (HeddleDiagram *diagram, const char *operation_id);
gboolean heddle_rewrite_read_map (HeddleDiagram *diagram, const char *operation_id);

G_END_DECLS
