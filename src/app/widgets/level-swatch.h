/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* A short stretch of wire as it is drawn at a memory level, following the style of the desktop. */
GtkWidget *heddle_level_swatch_new (const char *level);
