/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "files/equations/private.h"

/* Returns the text of a node, newly allocated. @compact writes it as in indices and sizes, where names are sizes. */
char *heddle_eq_node_to_string (const HeddleEqNode *node, gboolean compact);
/* Returns a scalar expression as a node; the translation's arena owns it, and its function makes what stands for
 * operands. */
HeddleEqNode *heddle_eq_node_from_expr (const HeddleEqTranslation *self, const HeddleExpr *expr);
