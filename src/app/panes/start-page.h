/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* HeddleStartPage is what a window without a document offers: new from equations, open, and the examples
 * with their pictures. It emits "example-chosen" (const char *path). */
#define HEDDLE_TYPE_START_PAGE (heddle_start_page_get_type ())
G_DECLARE_FINAL_TYPE (HeddleStartPage, heddle_start_page, HEDDLE, START_PAGE, GtkBox)
