/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"
#include "figure/paint/paint.h"

G_BEGIN_DECLS

double heddle_paint_wire_start (const HeddlePainter *self, const HeddleMember *member);
double heddle_paint_wire_end (const HeddlePainter *self, const HeddleMember *member);
/* paint-wires.c */
void heddle_paint_wires (HeddlePainter *self);

G_END_DECLS
