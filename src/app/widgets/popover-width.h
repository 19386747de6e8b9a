/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* Keeps @popover as wide as its child would like to be. GTK 4.8 asks for the height of a popover's child at a width that has the popover's shadow
 * in it: where words take fewer lines there, the last line is cut off. Once the child has all its words. */
void heddle_popover_keep_width (GtkPopover *popover);
