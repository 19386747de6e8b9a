/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/page/expanded-private.h"

G_BEGIN_DECLS

/* The grounds of the groups and of the stream, with what they go through. */
void heddle_expanded_paint_grounds (HeddleExpanded *self);
/* The signs of the two lines of numbers. */
void heddle_expanded_paint_head_signs (HeddleExpanded *self);
/* Names of memories beside their lines. */
void heddle_expanded_paint_levels (HeddleExpanded *self);

G_END_DECLS
