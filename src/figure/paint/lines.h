/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"

G_BEGIN_DECLS

/* paint-lines.c: folds what has been painted into lines; returns what item number @ground is then */
guint heddle_paint_lines (HeddlePainter *self, guint ground);

G_END_DECLS
