/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/planner.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

/* one statement */
/* Every sum written out. */
HeddleEqNode *heddle_eq_planner_node (HeddleEqPlanner *self, const HeddleEqTree *tree);
char *heddle_eq_planner_line (HeddleEqPlanner *self, const HeddleEqTree *tree, const HeddleEqNode *root);
/* Reads the line: the first operation that does not come out as it was, or NULL. */
const HeddleEqTree *heddle_eq_planner_try (
    HeddleEqPlanner *self, const HeddleEqTree *tree, const HeddleEqNode *root);
/* The line without the sums that reading puts back. */
HeddleEqNode *heddle_eq_planner_shorten (HeddleEqPlanner *self, const HeddleEqTree *tree, HeddleEqNode *root);

G_END_DECLS
