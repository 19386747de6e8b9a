/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"
#include "figure/layout/layout.h"

/* Sources are operations without operands that are drawn where their wires begin: a constant, or the unit matrix. */

/* Tells whether the operation is drawn as a source: it makes a constant or a unit of nothing. */
gboolean heddle_source_fits (const HeddleLayout *self, const HeddleOperation *operation);
/* Returns the constant that a source holds as a label's source, newly allocated; NULL stands for the unit, which has
 * no title. */
char *heddle_source_title (const HeddleLayout *self, const HeddleOperation *operation);
/* Sets the width and the heights in px of a source whose title is @title_width px wide. */
void heddle_source_measure (HeddleFigureNode *node, double title_width);
