/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"

G_BEGIN_DECLS

/* paint-labels.c */
void heddle_paint_labels (HeddlePainter *self);

G_END_DECLS
