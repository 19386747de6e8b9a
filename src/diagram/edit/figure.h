/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/document/ornament.h"
#include "diagram/graph/diagram.h"

/* Makes a block of the operations (ids), with a title (or NULL); see ornament.h. Returns the block's id, or
 * NULL with %HEDDLE_DIAGRAM_ERROR_INVALID. */
const char *heddle_edit_add_block (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *operations,
    const char *title, GError **error);
/* Draws two or more axes (ids, from the top), none of which is in a bundle, as one wire called @name.
 * Returns the bundle's id, or NULL with %HEDDLE_DIAGRAM_ERROR_INVALID. */
const char *heddle_edit_add_bundle (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *axes, const char *name, GError **error);
/* Adds a note at @x and @y, in px at 100 % from the drawing's origin or the middle of @target (an id, or
 * NULL). Returns its id. */
const char *heddle_edit_add_note (HeddleSnapshot *snapshot, HeddleDiagram *diagram, HeddleNoteKind kind,
    const char *text, double x, double y, const char *target);
/* Sets the text of a note, the title of a block or the name of a bundle. FALSE with
 * %HEDDLE_DIAGRAM_ERROR_INVALID means that there is no such thing, or that a bundle would have no name. */
gboolean heddle_edit_set_text (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *id, const char *text, GError **error);
/* Cuts the wire from a value to the operation @reader (NULL: to all), or draws it again if @skip is FALSE.
 * FALSE with %HEDDLE_DIAGRAM_ERROR_INVALID means that there is no such value. */
gboolean heddle_edit_set_skip (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value_id,
    const char *reader, gboolean skip, GError **error);
/* Sets how an operation is drawn and the label in place of its own (NULL: its own). FALSE with
 * %HEDDLE_DIAGRAM_ERROR_INVALID means that there is no such operation. */
gboolean heddle_edit_set_look (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *operation_id,
    HeddleLookKind look, const char *label, GError **error);
