/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/rewrite.h"

G_BEGIN_DECLS

gboolean heddle_rewrite_expand_softmax (HeddleDiagram *diagram, const char *operation_id);
gboolean heddle_rewrite_expand_norm (HeddleDiagram *diagram, const char *operation_id);
gboolean heddle_rewrite_collapse_softmax (HeddleDiagram *diagram, const char *operation_id);

/* Whether the value can go once nobody reads it: it has no name and is no output. */
gboolean heddle_rewrite_is_passing (const HeddleDiagram *diagram, const char *value_id);
/* Removes the operation that makes a value, and the value. */
void heddle_rewrite_remove (HeddleDiagram *diagram, const char *value_id);

G_END_DECLS
