/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* Sets the field @name of a block, a bundle or a note from its text in files; "" clears a text, number or
 * object. FALSE with %HEDDLE_DIAGRAM_ERROR_INVALID means that there is no such field, that it is a list or
 * an id, or that @text does not fit it. */
gboolean heddle_edit_set_field (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *id,
    const char *name, const char *text, GError **error);
/* Colours an axis or operation with a class of the palette or "#RRGGBB"; NULL or "" takes the colour away.
 * FALSE with %HEDDLE_DIAGRAM_ERROR_INVALID means that there is no such object. */
gboolean heddle_edit_set_fill (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *object, const char *fill, GError **error);
/* Wraps the drawing into lines of at most @width px at 100 %; 0 makes it one line. */
void heddle_edit_set_wrap (HeddleSnapshot *snapshot, HeddleDiagram *diagram, double width);
/* Sets the title above the figure, stripped of white space around it; "" takes it away. */
void heddle_edit_set_title (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *title);
