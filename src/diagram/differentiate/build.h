/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/differentiate/private.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* Returns the ids of @axes that are not in @others, in order, as a new array. */
GArray *heddle_axes_minus (const GArray *axes, const GArray *others);
/* Returns the value of that id in the backward diagram, which owns it. */
const HeddleValue *heddle_reverse_value (const HeddleReverse *self, const char *id);
/* Returns whether the value depends on an input or parameter that is differentiated by. */
gboolean heddle_reverse_is_active (const HeddleReverse *self, const char *value_id);
/* Remembers an error about the value; @format has one %s. */
void heddle_reverse_fail (HeddleReverse *self, const char *value_id, const char *format);
/* Returns the name of the cotangent of a value called @name where no other name is in the way: "dO" of "O",
 * "d_{\\bar x}" of "\\bar x". Newly allocated. */
char *heddle_cotangent_name (const char *name);
/* Returns a name for the cotangent of @name and marks it as taken. Newly allocated. */
char *heddle_reverse_take_name (HeddleReverse *self, const char *name);
/* Adds a map of @body over @axes, or finds one that was added already, and returns the id of its result.
 * @operands are those of the body's arguments; unused ones are dropped. */
const char *heddle_reverse_map (
    HeddleReverse *self, const GArray *axes, HeddleExpr *body, const GArray *operands);
/* Adds a reindexing of @operand at @indices (of HeddleExpr, one for each axis of the operand), which is
 * referenced. Returns the id of its result over @axes. */
const char *heddle_reverse_reindex (
    HeddleReverse *self, const GArray *axes, const char *operand, GPtrArray *indices);
/* Adds a scan of the row called @kind along @core. Returns the id of its result over @axes. */
const char *heddle_reverse_scan (
    HeddleReverse *self, const char *kind, const GArray *axes, const GArray *operands, const GArray *core);
/* Remembers the error that the value stands for reads outside an array where no derivative is known for
 * them. */
void heddle_reverse_fail_outside (HeddleReverse *self, const char *value_id);
/* Adds a reduction of the row called @kind and returns the id of its result. @core: axes of the operand that
 * go; the others stay in the order of @axes. @exact is %FALSE where reads outside are to be left out. */
const char *heddle_reverse_reduce (HeddleReverse *self, const char *kind, const GArray *axes,
    const char *operand, const GArray *core, gboolean exact);
/* Adds the product of @operands, summed over their axes that are not in @axes, and returns the id of its
 * result. */
const char *heddle_reverse_contract (
    HeddleReverse *self, const GArray *axes, const GArray *operands, gboolean exact);
/* Adds @cotangent, which has the axes of @value_id, to the terms of that value's cotangent. @fresh says that
 * it was made for it. */
void heddle_reverse_contribute (
    HeddleReverse *self, const char *value_id, const char *cotangent, gboolean fresh);
/* Returns the sum of all contributions, with which a rule begins. It is called "d…" if the value has a name;
 * NULL if there is none. */
const char *heddle_reverse_total (HeddleReverse *self, const char *value_id);
/* Returns whether @cotangent was made for that value, with its axes in their order, and for no other. */
gboolean heddle_reverse_is_own (const HeddleReverse *self, const char *value_id, const char *cotangent);

/* Frees the mark with all it holds; a destroy notify of a list of marks. */
void heddle_read_mark_free (HeddleReadMark *self);
/* Returns the mark of operand @i that a reduction over @core takes; NULL if there is none. */
const HeddleReadMark *heddle_reverse_taken (
    const HeddleReverse *self, const char *operand, const GArray *core);
/* Returns the text of the indices of a REINDEX that may be outside; "" if there is none. Newly allocated. */
char *heddle_reverse_read_condition (const HeddleReverse *self, const HeddleOperation *operation);
/* Returns @body, made 0 outside where a sum over @core would leave those terms out. */
HeddleExpr *heddle_reverse_say_outside (
    const HeddleReverse *self, HeddleExpr *body, const GArray *operands, const GArray *core);
/* Finds the mark of the result. */
void heddle_reverse_mark (HeddleReverse *self, const HeddleOperation *operation);
