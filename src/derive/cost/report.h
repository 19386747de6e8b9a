/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"
#include "derive/cost/level-cost.h"
#include "derive/cost/report-private.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "diagram/expression/expr.h"

/* The cost of a program at its own sizes, as the editor and the command line show it: numbers, and formulas
 * over sizes and labels. */

/* Returns the cost at one level of the program's own sizes, newly allocated; free it with
 * heddle_level_cost_free (). @machine says how much the level can hold. */
HeddleLevelCost *heddle_cost_level (const HeddleCost *self, const HeddleMachine *machine);
/* Returns how many groups one instance of the level has room for; 0 means that nothing bounds them. */
double heddle_level_cost_workers (const HeddleLevelCost *self, const HeddleMachine *machine);
/* Frees the cost of a level with its formulas. */
void heddle_level_cost_free (HeddleLevelCost *self);
/* Returns a new array, which owns its HeddleColumnCost: what moves and what is held at each column of the
 * diagram, at the program's own sizes. */
GPtrArray *heddle_cost_columns (const HeddleCost *self);
