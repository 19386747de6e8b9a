/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* What can have the keyboard below @root and is read by no name of its own: each as the types from it to @root. Wants GTK_A11Y=test. Adds how many
 * there are in all to @n. */
GPtrArray *names_find_missing (GtkWidget *root, guint *n);
