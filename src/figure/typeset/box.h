/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/scene/scene.h"
#include "figure/typeset/typeset.h"

/* A run is a row of characters of one font, which is set as one item. A box is a part of a formula that was set where the
 * pen is and can be moved to its place, such as the halves of a fraction. The scene owns the items. */

/* The proportions of typeset formulas, by the size of their letters. */
#define HEDDLE_TYPE_AXIS 0.26 /* how high fractions and delimiters have their middle over the baseline */
#define HEDDLE_TYPE_RULE 0.048 /* how thick rules are */

/* A box has what has been set and can still be moved. */
typedef struct
{
  guint from, to; /* the items of the scene */
  double width, ascent, descent;
} HeddleTypeBox;

/* Lets the ink of @line reach at least @ascent px above and @descent px below its baseline. */
void heddle_typeset_cover (HeddleTypeLine *line, double ascent, double descent);
/* Sets the run of characters at hand as one text item, where there is a scene, and moves @line behind it. */
void heddle_typeset_flush (HeddleTypesetter *self, HeddleTypeLine *line);
/* Adds @length bytes of @text in @font to the run at hand, all of it where @length is -1; a run in another font is set
 * first. */
void heddle_typeset_text (
    HeddleTypesetter *self, HeddleTypeLine *line, HeddleFont font, const char *text, gssize length);

/* Returns a line that begins where @line is, its letters @scale times as large, with no ink yet. */
HeddleTypeLine heddle_typeset_part_line (const HeddleTypeLine *line, double scale);
/* Returns the number of items so far: where a box begins. */
guint heddle_typeset_mark (const HeddleTypesetter *self);
/* Returns the box of what was set on @part, which began where @line is, with the items from number @from on. */
HeddleTypeBox heddle_typeset_close_box (
    const HeddleTypesetter *self, const HeddleTypeLine *line, const HeddleTypeLine *part, guint from);
/* Moves the items of a box by (@dx, @dy) px; a box that was only measured has none. */
void heddle_typeset_move_box (const HeddleTypesetter *self, const HeddleTypeBox *box, double dx, double dy);
/* Adds an empty path for the pen, as wide as a rule of letters of @size px and at least 1 px; the scene owns it. NULL means that
 * @self only measures. */
HeddleItem *heddle_typeset_add_stroke (const HeddleTypesetter *self, double size);
/* Adds a horizontal rule from @x1 to @x2 at height @y, in px; its weight goes by @size, the letters' px. */
void heddle_typeset_add_rule (const HeddleTypesetter *self, double size, double x1, double x2, double y);
