/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor/editor.h"

/* HeddleLevelKeep is the part of a level's card on which a wire is dropped to keep its array at the level.
 * While it is held over it everything is a preview of the drop, and a line says what that would be. */
#define HEDDLE_TYPE_LEVEL_KEEP (heddle_level_keep_get_type ())
G_DECLARE_FINAL_TYPE (HeddleLevelKeep, heddle_level_keep, HEDDLE, LEVEL_KEEP, GtkBox)

/* Returns a new drop place (floating) for the level named @level, which is copied; it holds @editor. */
GtkWidget *heddle_level_keep_new (HeddleEditor *editor, const char *level);
/* Nothing is held over it any more: a drag that is cancelled does not say that it left. */
void heddle_level_keep_forget (HeddleLevelKeep *self);
/* In the place of what was appended to it last, while something is held over it. */
void heddle_level_keep_append_words (HeddleLevelKeep *self);
