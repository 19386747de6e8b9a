/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Appends the factors of a product of arguments, in order. FALSE: it is none. */
gboolean heddle_rewrite_list_factors (const HeddleExpr *body, const GArray *operands, GArray *factors);
gboolean heddle_rewrite_merge_contraction (HeddleDiagram *diagram, const char *operation_id);
gboolean heddle_rewrite_split_contraction (HeddleDiagram *diagram, const char *operation_id);
gboolean heddle_rewrite_remove_unit (HeddleDiagram *diagram, const char *operation_id);

G_END_DECLS
