/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"

/* Folding comes last: the items of a figure that was painted as one line are cut and moved into several. */

/* Folds what has been painted into the lines of a wrapped figure. Returns the number that item @ground has then. */
guint heddle_paint_lines (HeddlePainter *self, guint ground);
