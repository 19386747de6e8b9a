/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/derivation/outlook.h"
#include "app/editor/editor.h"

/* HeddlePredictedCard shows what the model predicts: the expected time, what bounds it, the time on each
 * unit, and what is moved; or why there is no time. */
#define HEDDLE_TYPE_PREDICTED_CARD (heddle_predicted_card_get_type ())
G_DECLARE_FINAL_TYPE (HeddlePredictedCard, heddle_predicted_card, HEDDLE, PREDICTED_CARD, GtkBox)

/* Returns a new card (floating) that shows what @outlook and @editor predict, both of which it holds. */
GtkWidget *heddle_predicted_card_new (HeddleEditor *editor, HeddleOutlook *outlook);
/* Shows the forecast of the schedule shown; without kernels that of one equation at a time, and without any
 * the reason. */
void heddle_predicted_card_update (HeddlePredictedCard *self);
/* Returns a sentence on what a row of the card stands for, and its value, newly allocated. @row: an entry of heddle_forecast_units,
 * or "serial", "moved" or "waves"; %NULL: there is no such row. */
char *heddle_predicted_card_explain (HeddlePredictedCard *self, const char *row);
