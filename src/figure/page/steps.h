/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/page/chart.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"

/* The steps of a derivation are drawn as a strip of small, numbered figures. */

/* Frees the panel with its title and its reference to the scene. */
void heddle_panel_of_step_free (HeddlePanelOfStep *self);
/* Returns numbered figures of HeddlePanelOfStep, left to right and then below, as many in a line as @width px hold
 * (0: all), each with its title and caption. Where that makes fewer lines, what comes in and goes out is named in the first
 * alone. It takes the panels' items; the caller owns the scene. */
HeddleScene *heddle_chart_render_steps (const GPtrArray *panels, HeddleTheme theme, double width);
