/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* Answers the search of the desktop with files opened lately and the examples, by their names
 * (org.gnome.Shell.SearchProvider2). */
guint heddle_search_provider_export (
    GtkApplication *application, GDBusConnection *connection, GError **error);
