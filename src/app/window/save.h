/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/window/window.h"

/* A window saves the document that it shows. */

/* Asks where to save the document shown, and saves it there. */
void heddle_window_save_as (HeddleWindow *self);
/* Saves the document shown to its file; asks for a place where it has no file of its own or may not write
 * it. */
void heddle_window_save (HeddleWindow *self);
