/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"
#include "figure/scene/scene.h"

/* Wires that leave a line of a wrapped figure turn down and come in again below. A scene owns the wires; heads belong
 * to the caller until they are added. */

/* Ends a @wire that is on its way to the right at height @y, by a bend down that begins from @end. Returns the
 * arrow's head, which the caller owns (it is in no scene yet). */
HeddleItem *heddle_item_turn_down (HeddleItem *wire, double end, double y);
/* Begins a @wire by a bend that comes down to height @y, from @begin on. Returns the arrow's head, which the caller
 * owns (it is in no scene yet). */
HeddleItem *heddle_item_come_in (HeddleItem *wire, double begin, double y);
/* Paints, beyond the end of a wire at (@x, @y), that it goes on in the line below; a bundle has two lines. */
void heddle_paint_going_on (
    HeddlePainter *self, const char *value, const char *axis, const HeddleStroke *stroke, double x, double y);
/* Paints, before the beginning of a wire at (@x, @y), that it comes from the line above; a bundle has two lines. */
void heddle_paint_coming_in (
    HeddlePainter *self, const char *value, const char *axis, const HeddleStroke *stroke, double x, double y);
