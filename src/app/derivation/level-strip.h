/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/derivation/level-card.h"
#include "app/editor/editor.h"

/* HeddleLevelStrip shows the memory levels of the target, the largest on top. While an axis is carried over
 * the derivation it shows where it may go. */
#define HEDDLE_TYPE_LEVEL_STRIP (heddle_level_strip_get_type ())
G_DECLARE_FINAL_TYPE (HeddleLevelStrip, heddle_level_strip, HEDDLE, LEVEL_STRIP, GtkBox)

/* Returns a new strip (floating) with a card for each level of the editor's machine; it holds @editor. */
GtkWidget *heddle_level_strip_new (HeddleEditor *editor);
/* Shows the derivation at hand on every card, and makes the cards anew where the machine has changed. */
void heddle_level_strip_update (HeddleLevelStrip *self);
/* Returns the card of a level; NULL means that the target has no such level. */
HeddleLevelCard *heddle_level_strip_get_card (HeddleLevelStrip *self, const char *level);
/* Watches what is carried over @widget. */
void heddle_level_strip_watch (HeddleLevelStrip *self, GtkWidget *widget);
