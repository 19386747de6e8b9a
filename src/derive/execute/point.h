/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/execute/point-private.h"
#include "derive/execute/private.h"
#include "derive/program/loop-program.h"
#include "diagram/base/array.h"

/* The points of one statement: its expressions are compiled once, and then run at each point that the loops
 * at hand hold. */

G_BEGIN_DECLS

/* Frees the compiled expressions of a statement. */
void heddle_point_kernel_free (HeddlePointKernel *self);
/* Returns where in the memory of @buffer the element at the point is, counted in elements; along the axis
 * @along at the index @place, or, where @along is NULL, at the point's own index. */
gint64 heddle_point_offset (const HeddlePoint *point, guint buffer, const char *along, gint64 place);
/* Returns the value of @formula at the point. @outside becomes TRUE where a source is read at an index
 * outside its array, and stays as it was otherwise. */
double heddle_point_run (const HeddlePoint *point, HeddleFormula *formula, gboolean *outside);
/* Moves the loops from number @first up to, not including, @end on by one. %FALSE means that they are
 * through and back at their beginnings. */
gboolean heddle_point_advance (const HeddlePoint *point, const HeddleRange *ranges, guint first, guint end);
/* Returns the compiled expressions of @node, which are made when first asked for and owned by @self. */
HeddlePointKernel *heddle_executor_get_kernel (HeddleExecutor *self, const HeddleNode *node);
/* Runs a COMPUTE at all its points, or a LOAD at indices, which reads from @array; @array is NULL for a
 * COMPUTE. */
void heddle_executor_compute (HeddleExecutor *self, const HeddleNode *node, const HeddleArray *array);

G_END_DECLS
