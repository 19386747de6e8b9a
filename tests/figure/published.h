/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The figures of Neural Circuit Diagrams (Abbott, TMLR 2024) that those of data/figures are drawn after. */

#define PUBLISHED_LETTERS 16. /* px, of the names of axes: in the published figures as in ours */

typedef struct
{
  const char *name; /* of our file */
  double width, height; /* px of the published figure */
} Published;

/* Returns what is known of the figure in place @i, or NULL after the last. */
const Published *published_at (guint i);
/* Returns the published figure that the file @name was drawn after, or NULL. */
const Published *published_find (const char *name);
/* Returns how large ours is, @width x @height px, as a share of the published area. */
double published_area (const Published *self, double width, double height);
/* Returns how large the names of axes of ours, @width px wide, are where both are printed equally wide, as a share of
 * those of the published figure. */
double published_letters (const Published *self, double width);
