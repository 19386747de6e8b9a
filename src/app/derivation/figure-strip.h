/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/derivation/steps-card.h"
#include "app/editor/editor.h"

/* HeddleFigureStrip shows the derivation as a row of small figures, one for each step: the diagram with the
 * labels that it has then. A click shows the step on the canvas, another one the present state. */
#define HEDDLE_TYPE_FIGURE_STRIP (heddle_figure_strip_get_type ())
G_DECLARE_FINAL_TYPE (HeddleFigureStrip, heddle_figure_strip, HEDDLE, FIGURE_STRIP, GtkBox)

/* Returns a new strip; @steps has the list that it is drawn after, and is told what is looked at. */
GtkWidget *heddle_figure_strip_new (HeddleEditor *editor, HeddleStepsCard *steps);
/* Draws them anew where steps have changed. */
void heddle_figure_strip_update (HeddleFigureStrip *self);
/* Marks the step that is looked at. */
void heddle_figure_strip_mark (HeddleFigureStrip *self);
guint heddle_figure_strip_get_n_figures (HeddleFigureStrip *self); /* drawn */
