/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/typeset/typeset.h"

G_BEGIN_DECLS

/* By the size of the line. */
#define HEDDLE_TYPE_AXIS 0.26 /* of fractions and delimiters, over the baseline */
#define HEDDLE_TYPE_RULE 0.048

/* What has been set and can still be moved. */
typedef struct
{
  guint from, to; /* items of the scene */
  double width, ascent, descent;
} HeddleTypeBox;

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
/* typeset-delimiters.c: \left( … \right), as tall as what is between; \begin{cases} … \end{cases} */
void heddle_typeset_delimited (HeddleTypesetter *self, HeddleTypeLine *line);
void heddle_typeset_environment (HeddleTypesetter *self, HeddleTypeLine *line);

G_END_DECLS
