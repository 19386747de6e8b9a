/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

/* Expands a softmax into the maps and reductions that it is made of, as a HeddleRewriteRule. Returns FALSE if
 * the operation is none or may be given reads outside an array. */
gboolean heddle_rewrite_expand_softmax (HeddleDiagram *diagram, const char *operation_id);
/* Writes a norm as the maps and reductions that it is made of. FALSE means that the operation is none or
 * that it may be given reads outside an array. */
gboolean heddle_rewrite_expand_norm (HeddleDiagram *diagram, const char *operation_id);
/* Expands a softmax, log-sum-exp or norm if the caller knows that it gets nothing that was read outside an
 * array: at the current sizes, which no rule knows. */
gboolean heddle_diagram_expand_at (HeddleDiagram *diagram, const char *operation_id);
