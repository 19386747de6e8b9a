/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/region/private.h"
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* That a value has read outside an array. */
typedef struct
{
  GArray *read_axes; /* ids: the innermost reduction over one of them leaves points out */
  HeddleExpr
      *inside; /* over INDEX, SIZE and values at the point (heddle_expr_of_value ()); NULL: not known */
  const char *origin; /* the value that is read outside, while it is this one; NULL: something made of it */
  gboolean zero; /* what is outside is 0 */
} HeddleMark;

/* Takes @inside. @origin: the value that is read outside, or NULL. */
HeddleMark *heddle_mark_new (const GArray *read_axes, HeddleExpr *inside, const char *origin);
void heddle_marks_add_copy (GPtrArray *marks, const HeddleMark *mark, gboolean zero);
/* Whether the mark goes on beyond what reads it at once. */
gboolean heddle_mark_goes_on (const HeddleMark *self);
/* An operand of @data, an operation, as a value at the point: for heddle_expr_substitute (). */
HeddleExpr *heddle_mark_name_operand (const HeddleExpr *leaf, gpointer data);

/* Of HeddleMark. */
const GPtrArray *heddle_region_builder_get_marks (HeddleRegionBuilder *self, const char *value);
gboolean heddle_ids_meet (const GArray *a, const GArray *b);
/* Both conditions hold; NULL: always. Takes both. */
HeddleExpr *heddle_expr_both (HeddleExpr *a, HeddleExpr *b);

/* The value (id) that a leaf of such a condition is; NULL: none. */
const char *heddle_expr_of_value (const HeddleExpr *leaf);

G_END_DECLS
