/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/page/expanded-private.h"

G_BEGIN_DECLS

void heddle_expanded_column_clear (HeddleExpandedColumn *self);
void heddle_expanded_add_column (HeddleExpanded *self, guint t);
/* The room that the label of what a column makes takes after it. */
double heddle_expanded_label_width (const HeddleExpanded *self, const HeddleExpandedColumn *column);
void heddle_expanded_place_columns (HeddleExpanded *self);
void heddle_expanded_place_rows (HeddleExpanded *self);
double heddle_expanded_row_y (const HeddleExpanded *self, guint buffer);
double heddle_expanded_global_y (const HeddleExpanded *self);

G_END_DECLS
