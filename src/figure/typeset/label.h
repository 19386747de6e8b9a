/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/problem.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"
#include "figure/typeset/typeset.h"

/* Labels are mathematics as it is spelt in the source. The source is read once from left to right; what is not known
 * is set as it stands, so that no text is an error. */

/* Sets mathematics as items of @scene: names and formulas as spelt in the source ("\bar x", "c_{i+1}",
 * "k^{-1/2}", "\alpha") with sub- and superscripts, bars and accents, fractions, roots, delimiters, cases,
 * alphabets, Greek letters and the signs of a fixed list; braces nest to a fixed depth, and anything else
 * is set as it stands. %HEDDLE_FONT_MATH sets letters slanted, digits and signs upright; other fonts set
 * all alike. (@x, @y) is the start of the baseline, in px. Returns the width in px. A NULL @scene only
 * measures; @ascent and @descent, which may be NULL, receive how far the ink reaches above and below the
 * baseline. */
double heddle_math_layout (HeddleScene *scene, HeddlePart part, const char *object, const char *source,
    HeddleFont font, double size, HeddleColor color, double x, double y, double *ascent, double *descent);
/* Sets mathematics likewise, with what is in \\fill{class}{…} on a ground of that class. */
double heddle_math_layout_filled (HeddleScene *scene, HeddleTheme theme, HeddlePart part, const char *object,
    const char *source, HeddleFont font, double size, HeddleColor color, double x, double y);
/* Returns the first command of a label's source that is not known, or the environment, without its backslash ("foo",
 * "begin{matrix}"); newly allocated. NULL means that all are known. */
char *heddle_math_find_unknown (const char *source, HeddleFont font);
/* Returns a warning about the first command of a label that it cannot set, without its place; %NULL if there is none. */
HeddleProblem *heddle_math_check (const char *source, HeddleFont font);
