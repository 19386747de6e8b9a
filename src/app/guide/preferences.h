/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

/* Returns the window of what holds for all documents; each change is in the settings at once. */
GtkWidget *heddle_preferences_new (GtkWindow *parent);
