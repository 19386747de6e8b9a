/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/window/private.h"
#include "app/window/window.h"

/* Suggests a name for what the document shown is written as: its title with @suffix; newly allocated. */
char *heddle_window_suggest_name (HeddleWindow *self, const char *suffix);
/* Lets @chooser begin where @before is (a path, or NULL: nothing was written yet), or the document, where a person may write. */
void heddle_window_begin_beside (HeddleWindow *self, GtkFileChooser *chooser, const char *before);
/* Calls @write for @chosen, with @suffix after its name. The desktop's dialog asked about @chosen itself: where the suffix makes it another
 * file that is there, the person is asked, about the page that is shown. Takes @data. */
void heddle_window_take_place (HeddleWindow *self, GFile *chosen, const char *suffix, HeddlePlaceFunc write,
    gpointer data, GDestroyNotify free_data);
