/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/derivation/level-card.h"
#include "app/editor/editor.h"

/* HeddleDerivationPane is the drawer in which a kernel is derived: target, level strip, roofline,
 * prediction, steps, kernel. */
#define HEDDLE_TYPE_DERIVATION_PANE (heddle_derivation_pane_get_type ())
G_DECLARE_FINAL_TYPE (HeddleDerivationPane, heddle_derivation_pane, HEDDLE, DERIVATION_PANE, GtkBox)

/* Returns a new pane (floating) with its pages for @editor, which it holds. */
GtkWidget *heddle_derivation_pane_new (HeddleEditor *editor);
/* Returns the card of a level of the target; %NULL means that it has no such level. */
HeddleLevelCard *heddle_derivation_pane_get_card (HeddleDerivationPane *self, const char *level);
/* Returns whether its pages are seen. Folded it is one row: the target, and the headline of the derivation.
 * */
gboolean heddle_derivation_pane_is_open (HeddleDerivationPane *self);
/* Opens or folds it, and with it all others: the settings remember it. */
void heddle_derivation_pane_set_open (HeddleDerivationPane *self, gboolean open);
/* Shows of the kernels what was found out elsewhere, as by an export that verified them. */
void heddle_derivation_pane_recall (HeddleDerivationPane *self);
