/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"

G_BEGIN_DECLS

/* The diagram as it is drawn with the bundles of the figure's presentation: (transfer full); NULL: there are none. */
HeddleDiagram *heddle_bundles_apply (const HeddleFigure *figure);
/* Whether @axis stands for several axes. */
gboolean heddle_bundles_contain (const HeddlePresentation *presentation, const char *axis);
/* Whether an operation only parts the wires of a bundle or puts them together. */
gboolean heddle_bundles_is_split (const HeddleOperation *operation);

G_END_DECLS
