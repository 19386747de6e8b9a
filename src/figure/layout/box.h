/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/ornament.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/layout.h"

G_BEGIN_DECLS

/* Measures that layout and painting share, in px at 100 %. */
#define HEDDLE_BOX_TITLE_SIZE 14.
#define HEDDLE_BOX_LINE_HEIGHT 18.
#define HEDDLE_BOX_DEPTH 8. /* of a box that is seen from the side */
#define HEDDLE_BOX_PARENTHESIS 20. /* on each side of a call that is repeated */
#define HEDDLE_TABLE_WIDTH 34.
#define HEDDLE_SOURCE_LARGEST_RADIUS 9.

HeddleLookKind heddle_layout_look (const HeddleLayout *self, const HeddleOperation *operation);
gboolean heddle_layout_is_boxed (const HeddleLayout *self, const HeddleOperation *operation);
/* The label that somebody gave it; or NULL. */
const char *heddle_layout_own_label (const HeddleLayout *self, const char *object);
/* The own label, or else the name. */
const char *heddle_layout_axis_label (const HeddleLayout *self, const HeddleAxis *axis);
char *heddle_layout_value_label (const HeddleLayout *self, const char *value);
char *heddle_call_title (const HeddleLayout *self, const HeddleOperation *operation);
void heddle_layout_measure_box (const HeddleLayout *self, HeddleFigureNode *node);
void heddle_layout_weave_box (HeddleLayout *self, HeddleFigureNode *node);
double heddle_box_left (const HeddleFigureNode *node);
double heddle_box_right (const HeddleFigureNode *node);

/* Whether the node calls a definition several times, so that parentheses stand around its box. */
gboolean heddle_figure_node_is_repeated (const HeddleFigureNode *node);

/* The size in px of the letters of a title: a bare letter is large, and so is one that stands alone in a box. */
double heddle_box_title_size (HeddleLookKind look, const char *title);

G_END_DECLS
