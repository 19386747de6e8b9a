/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/region-private.h"

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

/* Of HeddleMark. */
const GPtrArray *heddle_region_builder_get_marks (HeddleRegionBuilder *self, const char *value);
gboolean heddle_ids_meet (const GArray *a, const GArray *b);
/* Both conditions hold; NULL: always. Takes both. */
HeddleExpr *heddle_expr_both (HeddleExpr *a, HeddleExpr *b);

G_END_DECLS
