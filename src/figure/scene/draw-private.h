/* SPDX-License-Identifier: MIT */
#pragma once

#include <pango/pangocairo.h>
#include "figure/scene/scene.h"

G_BEGIN_DECLS

void heddle_layout_unhint (PangoLayout *layout);
/* One run of text, on one line whatever it holds. @text must be UTF-8. */
void heddle_layout_set_run (PangoLayout *layout, HeddleFont font, double size, const char *text);

G_END_DECLS
