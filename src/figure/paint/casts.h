/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/dtype.h"
#include "figure/layout/layout.h"
#include "figure/paint/paint.h"

G_BEGIN_DECLS

HeddleDtype heddle_layout_cast (const HeddleLayout *self, const HeddleMember *member);
/* paint-casts.c */
void heddle_paint_casts (HeddlePainter *self);

G_END_DECLS
