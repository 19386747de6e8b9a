/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/layout.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

/* What is written on an operation that is drawn as @shape, in lines; newly allocated, or NULL. @parameter: which operand of a linear map is
 * its name, else -1. */
char *heddle_figure_node_title (
    const HeddleLayout *self, const HeddleOperation *operation, HeddleShape shape, int parameter);
/* The sign of a sum, a product … of exactly the operands; or NULL. */
const char *heddle_map_sign (const HeddleExpr *body);
/* Whether it leaves out, by a predicate of indices alone, values of what is done to its one operand: where (…, f ($0), -inf). */
gboolean heddle_map_is_mask (const HeddleExpr *body);
/* How many lines a title has, and the widest of them, px. */
guint heddle_title_n_lines (const char *title);
double heddle_title_width (const char *title, HeddleFont font, double size);
/* Between the baselines of two lines, by the size of the letters. */
#define HEDDLE_TITLE_LEADING 1.25

G_END_DECLS
