/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/operation-table.h"
#include "figure/paint/paint.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"

/* Small drawings for the palette, centred at the origin. Each is a scene without a layout. */

/* Returns the palette's drawing of a learned linear map, a scene that the caller owns. */
HeddleScene *heddle_figure_render_linear_glyph (HeddleTheme theme);
/* Returns the palette's drawing of two wires that become one entry by entry, as @sign ("+") says; the caller owns the
 * scene. */
HeddleScene *heddle_figure_render_join_glyph (const char *sign, HeddleTheme theme);
/* Returns the drawing of an operation's glyph for the palette, centred at the origin in a box of 44 × 32 px; the
 * caller owns the scene. */
HeddleScene *heddle_figure_render_glyph (const HeddleOperationKind *kind, HeddleTheme theme);

/* The same drawings as parts of another: each is painted about the origin, without the box around it. */

/* Paints a learned linear map. */
void heddle_paint_linear_glyph (HeddlePainter *self);
/* Paints two wires that become one, as @sign says. */
void heddle_paint_join_glyph (HeddlePainter *self, const char *sign);
/* Paints the glyph of an operation. */
void heddle_paint_kind_glyph (HeddlePainter *self, const HeddleOperationKind *kind);
