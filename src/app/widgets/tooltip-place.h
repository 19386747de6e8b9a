/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* The toolkit puts a tooltip below its widget and nowhere else: below a bar's buttons is what they act on, and below a button
 * in a title is what it is the title of. */

/* From now on the tooltips of @root, and of all that is below it now, stand above their widgets, whatever their texts become. The
 * window must have a GtkOverlay around them. */
void heddle_tooltip_place_above (GtkWidget *root);
