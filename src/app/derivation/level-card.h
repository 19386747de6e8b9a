/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor.h"

G_BEGIN_DECLS

/**
 * HeddleLevelCard: one memory level of the strip: how full it is, the labels at it, and two halves, group and stream, on which an
 * axis is dropped (or that a click gives to the selected axis).
 */
#define HEDDLE_TYPE_LEVEL_CARD (heddle_level_card_get_type ())
G_DECLARE_FINAL_TYPE (HeddleLevelCard, heddle_level_card, HEDDLE, LEVEL_CARD, GtkBox)

GtkWidget *heddle_level_card_new (HeddleEditor *editor, guint level);
/* Shows the derivation at hand. */
void heddle_level_card_update (HeddleLevelCard *self);
/* The half of @kind, for tests: its drop target is the button itself. */
GtkWidget *heddle_level_card_get_half (HeddleLevelCard *self, HeddleLabelKind kind);

G_END_DECLS
