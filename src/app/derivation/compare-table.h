/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/derivation/compare-job.h"

/* HeddleCompareTable is the table of two targets: time and what bounds it, each unit's time on one scale,
 * what is moved and held, tiles; and how they relate. */
#define HEDDLE_TYPE_COMPARE_TABLE (heddle_compare_table_get_type ())
G_DECLARE_FINAL_TYPE (HeddleCompareTable, heddle_compare_table, HEDDLE, COMPARE_TABLE, GtkBox)

/* Returns a new table; @heads are HEDDLE_N_COMPARED widgets to stand above the columns. */
GtkWidget *heddle_compare_table_new (GtkWidget *const *heads);
/* Shows @job, which is priced; with NULL nothing is shown below the heads. */
void heddle_compare_table_show (HeddleCompareTable *self, const HeddleCompareJob *job);
/* There are @width px for it: in fewer than it takes the two stand below each other. Not while it is allocated. */
void heddle_compare_table_set_room (HeddleCompareTable *self, int width);
