/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/scene/scene.h"
#include "figure/typeset/private.h"
#include "figure/typeset/typeset.h"

G_BEGIN_DECLS

/* typeset-box.c */
HeddleTypeLine heddle_typeset_part_line (const HeddleTypeLine *line, double scale);
/* The items so far: where a box begins. */
guint heddle_typeset_mark (const HeddleTypesetter *self);
HeddleTypeBox heddle_typeset_close_box (
    const HeddleTypesetter *self, const HeddleTypeLine *line, const HeddleTypeLine *part, guint from);
/* A group, or the next atom, where @line is. */
HeddleTypeBox heddle_typeset_box (HeddleTypesetter *self, const HeddleTypeLine *line, double scale);
void heddle_typeset_move_box (const HeddleTypesetter *self, const HeddleTypeBox *box, double dx, double dy);
/* A line of the pen; NULL when only measuring. */
HeddleItem *heddle_typeset_add_stroke (const HeddleTypesetter *self, double size, double weight);
void heddle_typeset_add_rule (const HeddleTypesetter *self, double size, double x1, double x2, double y);

G_END_DECLS
