/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/region/private.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include <glib.h>

/* A mark says that a value was read, or is made of what was read, outside an array. */
typedef struct
{
  GArray *read_axes; /* ids: the innermost reduction over one of them leaves points out */
  HeddleExpr
      *inside; /* over INDEX, SIZE and values at the point (heddle_expr_of_value ()); NULL: not known */
  const char *origin; /* the value that is read outside, while it is this one; NULL: something made of it */
  gboolean zero; /* what is outside is 0 */
} HeddleMark;

/* Returns an array of HeddleMark with the marks of a value (id), owned by the builder. */
const GPtrArray *heddle_region_builder_get_marks (HeddleRegionBuilder *self, const char *value);
/* Returns whether the two arrays of ids have one in common. */
gboolean heddle_ids_meet (const GArray *a, const GArray *b);
/* Takes two conditions and returns that both hold; NULL stands for one that always holds. */
HeddleExpr *heddle_expr_both (HeddleExpr *a, HeddleExpr *b);

/* Returns the value (id) that a leaf of such a condition stands for; NULL where it is none. */
const char *heddle_expr_of_value (const HeddleExpr *leaf);
