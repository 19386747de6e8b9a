/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"
#include "app/canvas/private.h"
#include "app/edits/axis-drag.h"

G_BEGIN_DECLS

/* Joins the wire that is carried with the one at @hit, which is of another axis: the two become one axis, and arrays are
 * contracted over it, as one undo step. The window offers the other readings. FALSE: it cannot be, which was said. */
gboolean heddle_canvas_join_different (HeddleCanvas *self, const HeddleAxisDrag *drag, const HeddleHit *hit);

G_END_DECLS
