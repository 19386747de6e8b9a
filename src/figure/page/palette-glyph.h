/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/operation-table.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

HeddleScene *heddle_figure_render_linear_glyph (HeddleTheme theme);
HeddleScene *heddle_figure_render_join_glyph (const char *sign, HeddleTheme theme);
/* The drawing of a table row's glyph, centred in a box, for the palette. */
HeddleScene *heddle_figure_render_glyph (const HeddleOperationKind *kind, HeddleTheme theme);

G_END_DECLS
