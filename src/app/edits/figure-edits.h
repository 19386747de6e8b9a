/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "diagram/document/ornament.h"
#include "diagram/document/schedule.h"

/* A person changes the figure beside the diagram's meaning here: blocks, bundles, notes, how things are
 * drawn. Each change is one named undo step, and where it fails and @error is NULL the editor says why in a
 * message. */

/* Shows the selected operations as one block, on a backdrop, and selects it. */
gboolean heddle_figure_add_block (HeddleEditor *editor);
/* Returns whether an operation is selected, which a block can be made of. */
gboolean heddle_figure_can_add_block (HeddleEditor *editor);
/* Draws the selected axes as one wire, and selects the bundle. */
gboolean heddle_figure_add_bundle (HeddleEditor *editor);
/* Returns whether two axes or more are selected, which can be drawn as one wire. */
gboolean heddle_figure_can_add_bundle (HeddleEditor *editor);
/* A note of that kind ("card", "legend" …), beside the one operation that is selected, else at a place of the drawing, px at 100 %. */
gboolean heddle_figure_add_note (HeddleEditor *editor, const char *kind, double x, double y);
/* Sets a field of a block, a bundle or a note: see heddle_edit_set_field (). */
gboolean heddle_figure_set_field (
    HeddleEditor *editor, const char *id, const char *field, const char *text, GError **error);
/* Sets the look of an operation, "usual", "box" …, and its label; NULL or "" is its own. */
gboolean heddle_figure_set_look (HeddleEditor *editor, const char *operation, int look, const char *label);
/* Returns how @operation (id) is drawn, owned by the presentation; NULL where it is drawn as usual. */
const HeddleLook *heddle_figure_get_look (HeddleEditor *editor, const char *operation);
/* Sets the colour of an axis or an operation; NULL is its own. */
gboolean heddle_figure_set_fill (HeddleEditor *editor, const char *object, const char *fill, GError **error);
/* Returns the colour of an axis or an operation, owned by the presentation; NULL where it has its own. */
const char *heddle_figure_get_fill (HeddleEditor *editor, const char *object);
/* Returns whether a value is named where it is made and read, with no wire between. */
gboolean heddle_figure_set_skip (HeddleEditor *editor, const char *value, gboolean skip);
/* Returns whether @value (id) is named where it is made and read, with no wire between. */
gboolean heddle_figure_is_skip (HeddleEditor *editor, const char *value);

/* Sets the width of the drawing, px at 100 %, that its lines are wrapped at (0: they are not). Changes of
 * one @merge_key are one undo step. */
void heddle_figure_set_wrap (HeddleEditor *editor, double width, const char *merge_key);
/* Returns the width that lines are wrapped at, px at 100 %; 0 where they are not. */
double heddle_figure_get_wrap (HeddleEditor *editor);
/* Sets the title of the drawing. */
void heddle_figure_set_title (HeddleEditor *editor, const char *title);
/* Shows the definitions that are called below the drawing, or hides them. */
void heddle_figure_set_definitions (HeddleEditor *editor, gboolean below);
/* Shades the columns of the drawing, or leaves them plain. */
void heddle_figure_set_bands (HeddleEditor *editor, gboolean shaded);
/* Returns the presentation; NULL means that it says nothing yet. */
const HeddlePresentation *heddle_figure_get_presentation (HeddleEditor *editor);
