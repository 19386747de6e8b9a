/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/cost.h"
#include "derive/cost/report-private.h"
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* @expr with its sums in their places. */
HeddleExpr *heddle_cost_report_put_sums (const HeddleCostReport *self, HeddleExpr *expr);
/* Of a buffer's axis @i: what all parts of the loops read of it, and what one holds; NULL: it is no window. */
HeddleExpr *heddle_cost_report_window_moved (
    const HeddleCostReport *self, const HeddleWindows *windows, guint i);
HeddleExpr *heddle_cost_report_window_held (
    const HeddleCostReport *self, const HeddleWindows *windows, guint i);

G_END_DECLS
