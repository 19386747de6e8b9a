/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/scene/scene.h"

/* Titles are labels with "\n" between their lines; these functions measure them. */

/* Returns how many lines a title has; NULL and "" have one. */
guint heddle_title_n_lines (const char *title);
/* Returns the width in px of the widest of a title's lines, set in @font at @size px; 0 for NULL. */
double heddle_title_width (const char *title, HeddleFont font, double size);
/* Between the baselines of two lines, by the size of the letters. */
#define HEDDLE_TITLE_LEADING 1.25
