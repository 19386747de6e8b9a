/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

gboolean heddle_rewrite_absorb_views (HeddleDiagram *diagram, const char *operation_id);
gboolean heddle_rewrite_slide_broadcast (HeddleDiagram *diagram, const char *operation_id);
gboolean heddle_rewrite_slide_read (HeddleDiagram *diagram, const char *operation_id);

G_END_DECLS
