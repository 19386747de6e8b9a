/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"
#include "derive/cost/level-cost.h"
#include "derive/cost/report-private.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* The variable a label goes by, and ceil (n / g). */
HeddleExpr *heddle_cost_report_label (const HeddleCostReport *self, const HeddleNode *band);
HeddleExpr *heddle_cost_report_number_of (const HeddleCostReport *self, const HeddleNode *band);
/* Of the program at its own sizes. */
HeddleLevelCost *heddle_cost_level (const HeddleCost *self, const HeddleMachine *machine);
/* How many groups one instance of the level has room for; 0: not bounded. */
double heddle_level_cost_workers (const HeddleLevelCost *self, const HeddleMachine *machine);
void heddle_level_cost_free (HeddleLevelCost *self);
GPtrArray *heddle_cost_columns (const HeddleCost *self); /* of HeddleColumnCost */

G_END_DECLS
