/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/derivation/compare-job.h"
#include "app/editor/editor.h"

/* HeddleComparePage shows the diagram priced on two GPUs, or in two data types, side by side, each with its
 * own best labels or both with the document's; a worker thread prices it. */
#define HEDDLE_TYPE_COMPARE_PAGE (heddle_compare_page_get_type ())
G_DECLARE_FINAL_TYPE (HeddleComparePage, heddle_compare_page, HEDDLE, COMPARE_PAGE, GtkBox)

/* Returns a new page (floating) that compares the editor's machine with another; it holds @editor and prices
 * nothing before its first update. */
GtkWidget *heddle_compare_page_new (HeddleEditor *editor);
/* Its buttons, for the head of the pane. */
GtkWidget *heddle_compare_page_get_actions (HeddleComparePage *self);
/* Prices anew; called when the page is shown and when the document changes while it is. */
void heddle_compare_page_update (HeddleComparePage *self);
/* NULL while it is being priced, or when nothing can be. Until the next update. */
const HeddleCompareJob *heddle_compare_page_get_result (HeddleComparePage *self);
