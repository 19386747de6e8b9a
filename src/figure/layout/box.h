/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/layout/layout.h"

G_BEGIN_DECLS

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

G_END_DECLS
