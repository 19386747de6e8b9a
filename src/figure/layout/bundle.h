/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"

/* A bundle draws several axes as one wire of two lines. It is a change of the diagram before it is laid out, so that
 * the layout knows nothing of it. */

/* Returns the diagram as it is drawn with the bundles of the figure's presentation (transfer full); NULL means that
 * there are none. */
HeddleDiagram *heddle_bundles_apply (const HeddleFigure *figure);
/* Tells whether @axis stands for several axes. */
gboolean heddle_bundles_contain (const HeddlePresentation *presentation, const char *axis);
/* Tells whether an operation only parts the wires of a bundle or puts them together. */
gboolean heddle_bundles_is_split (const HeddleOperation *operation);
