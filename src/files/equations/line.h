/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/planner.h"
#include "files/equations/private.h"

/* one statement */
/* Returns the right side of a tree with every sum written out; the planner's arena owns it. */
HeddleEqNode *heddle_eq_planner_node (HeddleEqPlanner *self, const HeddleEqTree *tree);
/* Returns the statement that says @tree with @root as its right side, newly allocated, without an end of line. */
char *heddle_eq_planner_line (HeddleEqPlanner *self, const HeddleEqTree *tree, const HeddleEqNode *root);
/* Reads the line of @tree back and returns the first of its operations that does not come out as it was; NULL
 * means that all do. */
const HeddleEqTree *heddle_eq_planner_try (
    HeddleEqPlanner *self, const HeddleEqTree *tree, const HeddleEqNode *root);
/* Returns the right side without the sums that reading puts back; the planner's arena owns it. */
HeddleEqNode *heddle_eq_planner_shorten (HeddleEqPlanner *self, const HeddleEqTree *tree, HeddleEqNode *root);
