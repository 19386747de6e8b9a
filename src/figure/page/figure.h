/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/layout/figure-spec.h"
#include "figure/scene/scene.h"

/* The door of this room: a figure's specification goes in and its scene comes out. */

/* Lays the diagram out and returns its scene, which the caller owns and which is empty for a diagram without values.
 * The result is deterministic and stable under small edits, and takes time near-linear in the operations. Object ids
 * in items are the diagram's own. */
HeddleScene *heddle_figure_render (const HeddleFigure *figure);
