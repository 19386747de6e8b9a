/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"

/* HeddleTour asks for some things to do with the attention example, one after the other. A step is over
 * when it was done, however it was done. It emits "changed" when there is another step, or none left. */
#define HEDDLE_TYPE_TOUR (heddle_tour_get_type ())
G_DECLARE_FINAL_TYPE (HeddleTour, heddle_tour, HEDDLE, TOUR, GObject)

/* Returns a tour at its first step, owned by the caller. @editor, which it holds, has to show a diagram with
 * an axis x. */
HeddleTour *heddle_tour_new (HeddleEditor *editor);
/* Returns the editor that the tour watches, owned by the tour. */
HeddleEditor *heddle_tour_get_editor (HeddleTour *self);
guint heddle_tour_get_step (HeddleTour *self); /* from 0 */
/* Returns how many steps the tour has, those that are done included. */
guint heddle_tour_get_n_steps (HeddleTour *self);
/* Returns what is to be done, in the person's language; NULL means that all was done. */
const char *heddle_tour_get_text (HeddleTour *self);
/* Returns whether the present step is done in the derivation, which has to be open for it. */
gboolean heddle_tour_is_deriving (HeddleTour *self);
/* Goes on to the next step without the present one being done, and emits "changed". */
void heddle_tour_skip (HeddleTour *self);
