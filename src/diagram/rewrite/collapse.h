/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

gboolean heddle_rewrite_collapse_softmax (HeddleDiagram *diagram, const char *operation_id);
gboolean heddle_rewrite_collapse_norm (HeddleDiagram *diagram, const char *operation_id);

G_END_DECLS
