/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

/* HeddleHelpWindow shows the pages of data/help, one beside their list. */
#define HEDDLE_TYPE_HELP_WINDOW (heddle_help_window_get_type ())
G_DECLARE_FINAL_TYPE (HeddleHelpWindow, heddle_help_window, HEDDLE, HELP_WINDOW, AdwWindow)

/* Returns a new help window that stays above @parent and is destroyed with it. */
GtkWidget *heddle_help_window_new (GtkWindow *parent);
/* Shows a page by the name of its file ("10-first-steps.md"). FALSE: there is none. */
gboolean heddle_help_window_show (HeddleHelpWindow *self, const char *name);
/* Returns the file name of the page shown, owned by the window; NULL where none is. */
const char *heddle_help_window_get_page (HeddleHelpWindow *self);
