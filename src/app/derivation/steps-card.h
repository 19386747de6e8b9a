/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/derivation/outlook.h"
#include "app/editor/editor.h"
#include "diagram/document/schedule.h"

/* HeddleStepsCard shows the derivation as a proof: its steps from one equation at a time to the schedule at
 * hand, each with what it costs, and the one that is suggested. */
#define HEDDLE_TYPE_STEPS_CARD (heddle_steps_card_get_type ())
G_DECLARE_FINAL_TYPE (HeddleStepsCard, heddle_steps_card, HEDDLE, STEPS_CARD, GtkBox)

/* Returns a new card (floating) of the steps of the schedule of @editor; it holds @editor and @outlook. */
GtkWidget *heddle_steps_card_new (HeddleEditor *editor, HeddleOutlook *outlook);
/* Lists the steps of the present schedule and the suggested one; costs that are not known yet follow when
 * they are found. */
void heddle_steps_card_update (HeddleStepsCard *self);
/* Forgets the costs, as the document or the target changed. */
void heddle_steps_card_forget (HeddleStepsCard *self);

/* Shows what there was after that many steps, the first being one equation at a time, until something else is done; 0: what there is. */
void heddle_steps_card_look_at (HeddleStepsCard *self, guint number);
/* Returns the number of the step shown on the canvas, from 1; 0 where the schedule at hand is shown. */
guint heddle_steps_card_get_looked_at (HeddleStepsCard *self);
/* Returns how many steps there are, that one included; 0 means that nothing is derived. */
guint heddle_steps_card_get_n_steps (HeddleStepsCard *self);
/* Returns the name of a step, and in @caption what it costs; newly allocated. */
char *heddle_steps_card_describe (HeddleStepsCard *self, guint number, char **caption);
/* Returns the schedule after that many steps, transfer full; NULL means that it is not known. */
HeddleSchedule *heddle_steps_card_get_schedule (HeddleStepsCard *self, guint number);
