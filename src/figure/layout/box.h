/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/ornament.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/layout.h"

/* Nodes that are drawn by their name, in a box or as a letter: calls, and whatever the presentation wants to be drawn
 * so. All measures are px at 100 %. */

/* Measures that layout and painting share, in px at 100 %. */
#define HEDDLE_BOX_TITLE_SIZE 14.
#define HEDDLE_BOX_LINE_HEIGHT 18.
#define HEDDLE_BOX_DEPTH 8. /* of a box that is seen from the side */
#define HEDDLE_BOX_PARENTHESIS 20. /* on each side of a call that is repeated */
#define HEDDLE_BOX_LOOP 16. /* the loop above a call that is scanned … */
#define HEDDLE_BOX_LOOP_NAME 17. /* … and the name of the axis above it */
#define HEDDLE_TABLE_WIDTH 34.
#define HEDDLE_SOURCE_LARGEST_RADIUS 9.

/* Returns how @operation is drawn: as the presentation says, else a call as a solid box and everything else as usual. */
HeddleLookKind heddle_layout_look (const HeddleLayout *self, const HeddleOperation *operation);
/* Tells whether @operation is drawn by its name, in a box or as a letter, instead of its own glyph. */
gboolean heddle_layout_is_boxed (const HeddleLayout *self, const HeddleOperation *operation);
/* Returns the label that the presentation gives to @object, which owns it; NULL means that it gives none. */
const char *heddle_layout_own_label (const HeddleLayout *self, const char *object);
/* Returns the own label of the axis, or else its name; the presentation or the diagram owns it. */
const char *heddle_layout_axis_label (const HeddleLayout *self, const HeddleAxis *axis);
/* Returns the own label of the value, or else the one that the diagram makes for it, as a label's source; newly
 * allocated. */
char *heddle_layout_value_label (const HeddleLayout *self, const char *value);
/* Returns the title of a call as a label's source, newly allocated: the last part of the callee's id, and on a second
 * line the sizes with which it is called, "(s, N)". */
char *heddle_call_title (const HeddleLayout *self, const HeddleOperation *operation);
/* Sets the width and the heights in px of a node that is drawn by its name, by its title's lines and its look;
 * repeated calls get room for parentheses, scanned ones for their loop. */
void heddle_layout_measure_box (const HeddleLayout *self, HeddleFigureNode *node);
/* Finds out which wires of a boxed node go on through it. Wires of the result that begin here take the heights of
 * those that end here, from the top. */
void heddle_layout_weave_box (HeddleLayout *self, HeddleFigureNode *node);
/* Returns the x in px at which wires end at the box or the letter of @node: inside the parenthesis of a repeated
 * call. */
double heddle_box_left (const HeddleFigureNode *node);
/* Returns the x in px at which wires begin at the box or the letter of @node: inside the parenthesis of a repeated
 * call. */
double heddle_box_right (const HeddleFigureNode *node);

/* Tells whether the node calls a definition several times, so that parentheses stand around its box. */
gboolean heddle_figure_node_is_repeated (const HeddleFigureNode *node);

/* Returns the size in px of the letters of a title: a bare letter is large, and so is one that stands alone in a box. */
double heddle_box_title_size (HeddleLookKind look, const char *title);
