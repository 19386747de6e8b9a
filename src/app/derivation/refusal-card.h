/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor/editor.h"

/* Why an axis cannot be where it was held, and a button that makes it possible. Hidden while there is nothing to say. */
#define HEDDLE_TYPE_REFUSAL_CARD (heddle_refusal_card_get_type ())
G_DECLARE_FINAL_TYPE (HeddleRefusalCard, heddle_refusal_card, HEDDLE, REFUSAL_CARD, GtkBox)

/* Returns a new card (floating), which holds @editor and is empty until its first update. */
GtkWidget *heddle_refusal_card_new (HeddleEditor *editor);
/* Shows the editor's refusal and the button of its remedy; hides the card where there is no refusal. */
void heddle_refusal_card_update (HeddleRefusalCard *self);
