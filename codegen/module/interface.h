/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/module/module.h"
#include "derive/program/loop-program.h"
#include "derive/region/view.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* Returns the program whose parts the axis numbers; NULL if it is an axis of the diagram. */
const HeddleLoopProgram *heddle_module_find_split (const HeddleModule *self, const char *axis);
/* Returns the tile of a split axis as the first kernel has it: no tile is larger than the axis it was made
 * for. */
gint64 heddle_module_split_tile (const HeddleModule *self, const HeddleLoopProgram *split);
/* Returns a size as the launcher knows it: an argument, or a number. */
char *heddle_module_size (const HeddleModule *self, const char *axis);
/* Returns where in its operand what the operation reads lies. */
HeddleView heddle_module_view (const HeddleModule *self, const HeddleOperation *operation);
/* Returns the place in its operand at which the operation reads what lies there in one piece. */
gint64 heddle_module_view_place (const HeddleOperation *view, guint i);
/* Returns the type of the elements of a value. */
HeddleDtype heddle_module_dtype (const HeddleModule *self, const char *value);

/* Returns the bytes that the array of a value has to be aligned to: the most that a kernel, or a view of it,
 * wants, and at least the size of an element. */
guint heddle_module_alignment (const HeddleModule *self, const char *value);
/* Fills @self for the kernels @texts, which it borrows, as well as @sizes; it makes a copy of the diagram. */
void heddle_module_init (HeddleModule *self, const HeddleDiagram *diagram, GPtrArray *texts,
    const HeddleSizes *sizes, HeddleDtype dtype);

/* Frees what heddle_module_init () made, but not @self and not its text @out. */
void heddle_module_clear (HeddleModule *self);
