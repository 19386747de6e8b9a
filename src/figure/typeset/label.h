/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"
#include "figure/typeset/typeset.h"

G_BEGIN_DECLS

void heddle_typeset_cover (HeddleTypeLine *line, double ascent, double descent);
void heddle_typeset_flush (HeddleTypesetter *self, HeddleTypeLine *line);
void heddle_typeset_text (HeddleTypesetter *self, HeddleTypeLine *line, HeddleFont font, const char *text);
/* A group, or the next atom. */
void heddle_typeset_argument (HeddleTypesetter *self, HeddleTypeLine *line);
/* label.c */
void heddle_typeset_atom (HeddleTypesetter *self, HeddleTypeLine *line);
/* Typeset mathematics as items of @scene: names as spelt in the source ("\\bar x", "c_{i+1}", "k^{-1/2}", "\\alpha") with sub/superscripts, overbar,
 * bold and Greek. (x, y): start of the baseline. Returns the width. @scene NULL: only measures. @ascent, @descent may be NULL. */
double heddle_math_layout (HeddleScene *scene, HeddlePart part, const char *object, const char *source,
    HeddleFont font, double size, HeddleColor color, double x, double y, double *ascent, double *descent);
/* The same with what is in \\fill{class}{…} on a ground of that class. */
double heddle_math_layout_filled (HeddleScene *scene, HeddleTheme theme, HeddlePart part, const char *object,
    const char *source, HeddleFont font, double size, HeddleColor color, double x, double y, double *ascent,
    double *descent);

G_END_DECLS
