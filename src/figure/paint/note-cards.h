/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/ornament.h"
#include "figure/paint/notes.h"
#include "figure/typeset/prose-pieces.h"

/* The means that all kinds of notes share: ground, size and text. A note is borrowed while it is drawn. */

/* Returns the class or the colour on which a note stands: its own, or that of its kind. NULL means that it has no
 * ground; the note or nobody owns it. */
const char *heddle_note_fill (const HeddleAnnotation *note);
/* Returns how the text of a note is set: size, width between the edges of its card (0 without a width of its own),
 * listing or prose. It borrows the note's id. */
HeddleProse heddle_note_prose (const HeddleNote *self);
/* Returns the text that is shown: the one put in place of the note's own, the own, or "". @self owns it. */
const char *heddle_note_text (const HeddleNote *self);
/* Sets the width and height of @self, in px, to those of its text; nothing is painted. */
void heddle_note_measure_text (HeddleNote *self);
