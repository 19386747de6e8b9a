/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"

/* Separators keep the arrays of a tuple apart for the eye. */

/* Paints the dashed lines that tell the arrays of a tuple apart. */
void heddle_paint_separators (HeddlePainter *self);
