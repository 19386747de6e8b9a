/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* A window with all that it can do. */

/* Returns a new window of @application, not shown yet, with the start page in it. */
GtkWidget *heddle_window_new (GtkApplication *application);
