/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

/* paint-ends.c */
/* Ends a wire that is on its way to the right at height @y, or begins one, at an x from where it goes on or to which it came. Returns the
 * arrow's head: transfer full. */
HeddleItem *heddle_item_turn_down (HeddleItem *wire, double end, double y);
HeddleItem *heddle_item_come_in (HeddleItem *wire, double begin, double y);
/* The same beyond the end of a wire at (x, y), and before its beginning. */
void heddle_paint_going_on (
    HeddlePainter *self, const char *value, const char *axis, const HeddleStroke *stroke, double x, double y);
void heddle_paint_coming_in (
    HeddlePainter *self, const char *value, const char *axis, const HeddleStroke *stroke, double x, double y);

G_END_DECLS
