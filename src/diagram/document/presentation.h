/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/ornament.h"
#include "diagram/document/schedule.h"

/* Makes an empty presentation of the diagram with that id. The caller owns it. */
HeddlePresentation *heddle_presentation_new (const char *diagram_id);
/* Returns a deep copy, which the caller owns. */
HeddlePresentation *heddle_presentation_copy (const HeddlePresentation *self);
/* Frees the presentation with all it holds. */
void heddle_presentation_free (HeddlePresentation *self);
/* Returns whether the presentation is empty. */
gboolean heddle_presentation_is_empty (const HeddlePresentation *self);
/* Returns the ornament with that id, and of which kind it is; NULL if there is none. */
gpointer heddle_presentation_find (
    const HeddlePresentation *self, const char *id, const HeddleOrnamentKind **kind);
/* Adds a new ornament at the end of its list and returns it, to be filled in; its id, if it has one, is
 * new. */
gpointer heddle_presentation_add (HeddlePresentation *self, const HeddleOrnamentKind *kind);
/* Returns whether @object (an id) was moved, and how far from where the layout puts it, in px at 100 %; if it
 * was not, @dx and @dy are 0. */
gboolean heddle_presentation_get_nudge (
    const HeddlePresentation *self, const char *object, double *dx, double *dy);
/* Moves @object (an id) by @dx and @dy px at 100 % from where the layout puts it, in place of an earlier
 * move; both 0 put it back. */
void heddle_presentation_set_nudge (HeddlePresentation *self, const char *object, double dx, double dy);
