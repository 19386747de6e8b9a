/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/page/expanded-private.h"

/* The grounds and signs of an expanded loop program, which stand behind and around its columns. */

G_BEGIN_DECLS

/* Paints the grounds of the groups and of the stream, with the axes that they go through. */
void heddle_expanded_paint_grounds (HeddleExpanded *self);
/* Paints the signs of the two lines of numbers above the columns: what is held and what is moved. */
void heddle_expanded_paint_head_signs (HeddleExpanded *self);
/* Paints the names of the memories beside their lines. */
void heddle_expanded_paint_levels (HeddleExpanded *self);

G_END_DECLS
