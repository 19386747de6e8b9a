/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"

/* A legend lists the signs that a scene draws, each with what it says. It reads the scene's items, and so knows of nothing that is
 * not seen. */

/* Returns whether @scene draws a sign that means @meaning. */
gboolean heddle_legend_has (const HeddleScene *scene, HeddleTheme theme, HeddleMeaning meaning);
/* Returns a legend of all signs of @scene in as many columns as @width px has room for, but at least one; the caller owns it. It is empty
 * where the scene has no signs. */
HeddleScene *heddle_legend_render (const HeddleScene *scene, HeddleTheme theme, double width);
