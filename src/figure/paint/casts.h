/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/dtype.h"
#include "figure/layout/layout.h"
#include "figure/paint/paint.h"

/* A cast is a change of data type that the document declares for a value; it is marked where the value is made. */

/* Paints the type at the beginning of each member whose values are cast there. */
void heddle_paint_casts (HeddlePainter *self);
