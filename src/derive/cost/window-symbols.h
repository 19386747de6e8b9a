/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"
#include "derive/cost/report-private.h"
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* Takes @expr and returns it with the sums that stand for windows put in their places. */
HeddleExpr *heddle_cost_report_put_sums (const HeddleCostReport *self, HeddleExpr *expr);
/* Returns a new expression of how many elements all parts of the loops read along axis @i of a buffer; NULL
 * where that axis has no window. */
HeddleExpr *heddle_cost_report_window_moved (
    const HeddleCostReport *self, const HeddleWindows *windows, guint i);
/* Returns a new expression of how many elements a buffer holds along its axis @i; NULL where that axis has
 * no window. */
HeddleExpr *heddle_cost_report_window_held (
    const HeddleCostReport *self, const HeddleWindows *windows, guint i);

G_END_DECLS
