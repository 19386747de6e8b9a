/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

/* @compact: as in indices and sizes, where names are sizes unless @indices. */
char *heddle_eq_node_to_string (const HeddleEqNode *node, gboolean compact, gboolean indices);
HeddleEqNode *heddle_eq_node_from_expr (const HeddleEqTranslation *self, const HeddleExpr *expr);

G_END_DECLS
