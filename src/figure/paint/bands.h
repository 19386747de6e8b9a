/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"

G_BEGIN_DECLS

void heddle_paint_copies (HeddlePainter *self);
/* paint-bands.c */
void heddle_paint_bands (HeddlePainter *self);

G_END_DECLS
