/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/layout/figure-spec.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

/* Lays the diagram out and makes its scene. Deterministic; stable under small edits. Object ids in items are the diagram's own. */
HeddleScene *heddle_figure_render (const HeddleFigure *figure);

G_END_DECLS
