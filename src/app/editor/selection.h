/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"
#include "diagram/document/ornament.h"

/* The selection of an editor is a list of interned ids; every change emits "selection-changed". */

/* --- selection */
/* Returns the note, block or bundle of that id in the figure shown, or NULL. */
gpointer heddle_editor_find_ornament (HeddleEditor *self, const char *id, const HeddleOrnamentKind **kind);
/* Drops what is no longer in the diagram. */
void heddle_editor_prune_selection (HeddleEditor *self);
GArray *heddle_editor_get_selection (
    HeddleEditor *self); /* of const char *: axis, value and operation ids, in the order picked */
/* Tells whether the axis, value or operation with that interned @id is selected. */
gboolean heddle_editor_is_selected (HeddleEditor *self, const char *id);
/* The one selected id, or NULL when nothing or several things are. */
const char *heddle_editor_get_selected (HeddleEditor *self);
/* The wire that was picked, when the selection came from one (its axis is then selected); FALSE: none. */
gboolean heddle_editor_get_wire (HeddleEditor *self, const char **value, const char **axis);
void heddle_editor_select (HeddleEditor *self, const char *id); /* NULL: nothing */
/* Selects @axis alone, as the wire that it is at @value; both are interned ids of the diagram. */
void heddle_editor_select_wire (HeddleEditor *self, const char *value, const char *axis);
/* Selects exactly @ids (of interned const char *, copied), in that order, and no wire. */
void heddle_editor_select_ids (HeddleEditor *self, const GArray *ids);
/* Adds the object @id to the selection, or takes it out where it is selected. */
void heddle_editor_toggle_selected (HeddleEditor *self, const char *id);
