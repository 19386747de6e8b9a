/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/ornament.h"
#include "diagram/document/schedule.h"

G_BEGIN_DECLS

HeddlePresentation *heddle_presentation_new (const char *diagram_id);
HeddlePresentation *heddle_presentation_copy (const HeddlePresentation *self);
void heddle_presentation_free (HeddlePresentation *self);
/* Whether it says nothing. */
gboolean heddle_presentation_is_empty (const HeddlePresentation *self);
/* The ornament with that id, and of which kind it is; NULL: none. */
gpointer heddle_presentation_find (
    const HeddlePresentation *self, const char *id, const HeddleOrnamentKind **kind);
/* A new one at the end of its list, to be filled in; its id, where it has one, is new. */
gpointer heddle_presentation_add (HeddlePresentation *self, const HeddleOrnamentKind *kind);
gboolean heddle_presentation_get_nudge (
    const HeddlePresentation *self, const char *object, double *dx, double *dy);
void heddle_presentation_set_nudge (HeddlePresentation *self, const char *object, double dx, double dy);

G_END_DECLS
