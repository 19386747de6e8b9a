/* SPDX-License-Identifier: MIT */
#pragma once

/* Proportions of typeset formulas by the size of their letters, and boxes that can still be moved. */

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

G_END_DECLS
