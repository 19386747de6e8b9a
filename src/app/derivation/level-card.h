/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor/editor.h"
#include "diagram/document/schedule.h"

/* HeddleLevelCard shows one memory level of the strip: how full it is, the labels at it, and two halves,
 * group and stream, on which an axis is dropped (or that a click gives to the selected axis). */
#define HEDDLE_TYPE_LEVEL_CARD (heddle_level_card_get_type ())
G_DECLARE_FINAL_TYPE (HeddleLevelCard, heddle_level_card, HEDDLE, LEVEL_CARD, GtkBox)

/* Returns a new card (floating) for level number @level of the editor's machine; it holds @editor. */
GtkWidget *heddle_level_card_new (HeddleEditor *editor, guint level);
/* Shows the derivation at hand. */
void heddle_level_card_update (HeddleLevelCard *self);
/* An axis is being carried (NULL: no longer): the halves show whether they take it. */
void heddle_level_card_set_carried (HeddleLevelCard *self, const char *axis);
/* The half of @kind, or NULL where the level takes no labels; its drop target is the button itself. */
GtkWidget *heddle_level_card_get_half (HeddleLevelCard *self, HeddleLabelKind kind);
/* Where an array is dropped that is to be kept at the level. */
GtkWidget *heddle_level_card_get_keep (HeddleLevelCard *self);
/* Returns how full the level is, from 0 to 1. */
double heddle_level_card_get_fill (HeddleLevelCard *self);
