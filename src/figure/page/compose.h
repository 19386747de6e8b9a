/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include "figure/layout/figure-spec.h"
#include "figure/scene/scene.h"

/* Composing puts several figures of a document into one scene. */

/* Returns the figure of a diagram of @snapshot with what its presentation puts beside and below it: other diagrams
 * after their signs, and each definition that is used, "=" and what it stands for. The caller owns the scene; only
 * items of the diagram itself have objects. */
HeddleScene *heddle_figure_compose (const HeddleSnapshot *snapshot, const HeddleFigure *figure);
