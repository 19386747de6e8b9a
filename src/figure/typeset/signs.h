/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/scene/scene.h"
#include "figure/typeset/typeset.h"

/* Signs that are drawn, since they grow with what they stand at: delimiters and accents. */

/* How wide a delimiter is, by the size of the letters. */
#define HEDDLE_TYPE_DELIMITER_WIDTH 0.3

/* An accent is what may stand over a letter, or under it. */
typedef enum
{
  HEDDLE_ACCENT_HAT,
  HEDDLE_ACCENT_TILDE,
  HEDDLE_ACCENT_VECTOR,
  HEDDLE_ACCENT_DOT,
  HEDDLE_ACCENT_UNDERLINE,
} HeddleAccent;

/* Draws the delimiter @c from height @y1 to @y2, in px, with its left edge at @x; @size is that of the letters. It opens
 * to the right where @side is -1, and to the left where it is 1. A character that is no delimiter is not drawn. */
void heddle_typeset_draw_delimiter (
    const HeddleTypesetter *self, char c, double x, double y1, double y2, double size, int side);
/* Adds an accent to the path @item, its middle at @x and its foot at @y, in px, for letters of @size px; an underline is
 * a rule, and is not drawn here. */
void heddle_typeset_draw_accent (HeddleItem *item, HeddleAccent accent, double x, double y, double size);
