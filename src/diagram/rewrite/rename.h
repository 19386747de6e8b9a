/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

gboolean heddle_rewrite_slide_rename (HeddleDiagram *diagram, const char *operation_id);

G_END_DECLS
