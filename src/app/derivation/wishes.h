/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor/editor.h"
#include "derive/machine/derive-options.h"

/* Returns a button whose popover asks something of all kernels: tiles in multiples of what the machine
 * likes, each reason for itself, and no more memory held than so much, with a search for what to recompute
 * to hold less. */
GtkWidget *heddle_wishes_new (HeddleEditor *editor);
