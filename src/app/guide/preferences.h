/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Returns the window of what holds for all documents; each change is in the settings at once. */
GtkWidget *heddle_preferences_new (GtkWindow *parent);

G_END_DECLS
