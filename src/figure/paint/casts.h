/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/dtype.h"
#include "figure/layout/layout.h"
#include "figure/paint/paint.h"

/* A cast is a change of data type that the document declares for a value; it is marked where the value is made. */

G_BEGIN_DECLS

/* Returns the type to which the values of a member are cast where they are made: a declared type that differs from
 * that of what they are made of. HEDDLE_DTYPE_UNSET means that nothing is cast. */
HeddleDtype heddle_layout_cast (const HeddleLayout *self, const HeddleMember *member);
/* Paints the type at the beginning of each member whose values are cast there. */
void heddle_paint_casts (HeddlePainter *self);

G_END_DECLS
