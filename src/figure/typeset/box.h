/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/scene/scene.h"
#include "figure/typeset/private.h"
#include "figure/typeset/typeset.h"

/* A box is a part of a formula that was set where the pen is and can be moved to its place, such as the halves of a
 * fraction. The scene owns the items. */

G_BEGIN_DECLS

/* Returns a line that begins where @line is, its letters @scale times as large, with no ink yet. */
HeddleTypeLine heddle_typeset_part_line (const HeddleTypeLine *line, double scale);
/* Returns the number of items so far: where a box begins. */
guint heddle_typeset_mark (const HeddleTypesetter *self);
/* Returns the box of what was set on @part, which began where @line is, with the items from number @from on. */
HeddleTypeBox heddle_typeset_close_box (
    const HeddleTypesetter *self, const HeddleTypeLine *line, const HeddleTypeLine *part, guint from);
/* Sets a group, or the next atom, where @line is, and returns its box, which can still be moved. */
HeddleTypeBox heddle_typeset_box (HeddleTypesetter *self, const HeddleTypeLine *line, double scale);
/* Moves the items of a box by (@dx, @dy) px; a box that was only measured has none. */
void heddle_typeset_move_box (const HeddleTypesetter *self, const HeddleTypeBox *box, double dx, double dy);
/* Adds an empty path for the pen, @weight times @size px wide and at least 1 px; the scene owns it. NULL means that
 * @self only measures. */
HeddleItem *heddle_typeset_add_stroke (const HeddleTypesetter *self, double size, double weight);
/* Adds a horizontal rule from @x1 to @x2 at height @y, in px; its weight goes by @size, the letters' px. */
void heddle_typeset_add_rule (const HeddleTypesetter *self, double size, double x1, double x2, double y);

G_END_DECLS
