/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include "figure/layout/figure-spec.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

HeddleScene *heddle_figure_compose (const HeddleSnapshot *snapshot, const HeddleFigure *figure);

G_END_DECLS
