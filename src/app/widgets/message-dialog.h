/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

/* An AdwMessageDialog that is no narrower than its words can be read well at: libadwaita 1.2 does not widen it with large text. @heading may be
 * %NULL. */
GtkWidget *heddle_message_dialog_new (GtkWindow *parent, const char *heading, const char *body);
