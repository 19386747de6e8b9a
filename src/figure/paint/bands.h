/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"

/* Bands lie behind everything else and tell columns of data types from columns of operations. */

/* Paints a card behind the dots at which a value with a fill of its own is copied. */
void heddle_paint_copies (HeddlePainter *self);
/* Paints bands of two colours behind the columns of data types and of operations, and along axes with a fill, where
 * the presentation shades its columns. */
void heddle_paint_bands (HeddlePainter *self);
