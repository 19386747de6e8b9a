/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"

/* Labels name axes at each data column and values where they begin and end. */

/* Paints the labels of axes and values at the data columns. */
void heddle_paint_labels (HeddlePainter *self);
