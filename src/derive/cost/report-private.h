/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/cost.h"

G_BEGIN_DECLS

/* The cost at a program's own sizes, in symbols. */
typedef struct
{
  const HeddleCost *cost;
  gint64 tiles[HEDDLE_MAX_GROUPS], chunk;
  GPtrArray *sums; /* of HeddleExpr: those that stay as they are when products of them are written out */
} HeddleCostReport;

/* The variable a label goes by, and ceil (n / g). */
HeddleExpr *heddle_cost_report_label (const HeddleCostReport *self, const HeddleNode *band);
HeddleExpr *heddle_cost_report_number_of (const HeddleCostReport *self, const HeddleNode *band);

/* --- cost-window-symbols.c --- */
/* Of a buffer's axis @i: what all parts of the loops read of it, and what one holds; NULL: it is no window. */
HeddleExpr *heddle_cost_report_window_moved (
    const HeddleCostReport *self, const HeddleWindows *windows, guint i);
HeddleExpr *heddle_cost_report_window_held (
    const HeddleCostReport *self, const HeddleWindows *windows, guint i);
/* @expr with its sums in their places. */
HeddleExpr *heddle_cost_report_put_sums (const HeddleCostReport *self, HeddleExpr *expr);

G_END_DECLS
