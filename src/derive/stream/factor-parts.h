/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/stream/stream.h"
#include "diagram/expression/expr.h"

/* This file has factors, of which NULL stands for 1, and sums of parts: arrays of HeddleSummand that own
 * their parts. */
/* Returns whether the expression reads no value and no index, so that it is the same at every point. */
gboolean heddle_expr_is_same_everywhere (const HeddleExpr *expr);
/* Returns a new reference to the product of two factors; NULL where both are NULL. It takes neither. */
HeddleExpr *heddle_factor_multiply (HeddleExpr *a, HeddleExpr *b);
/* Returns a new reference to the quotient of two factors; NULL where it is 1. It takes neither. */
HeddleExpr *heddle_factor_divide (HeddleExpr *a, HeddleExpr *b);
/* Returns @factor applied to @value: value * factor, as a quotient or a guarded quotient if the factor is
 * one. Takes neither. */
HeddleExpr *heddle_factor_apply (HeddleExpr *factor, HeddleExpr *value);
/* Adds a running factor exp (@exponent) of the state of definition @state; it takes a reference of its own
 * to @exponent. */
void heddle_part_add_running (HeddleSummand *self, guint state, HeddleExpr *exponent);
/* Adds the running factors of @other to those of @self. */
void heddle_part_join_running (HeddleSummand *self, const HeddleSummand *other);
/* Returns a part without running factors; takes both. */
HeddleSummand *heddle_part_new (HeddleExpr *kept, HeddleExpr *deferred);
/* Returns a new part that is as @part, with references of its own. */
HeddleSummand *heddle_part_copy (const HeddleSummand *part);
/* Returns whether the part is made of chunks alone, with no factor that waits for a reduction. */
gboolean heddle_part_is_plain (const HeddleSummand *self);
/* Returns a new, empty sum, an array of HeddleSummand that it owns. */
GPtrArray *heddle_parts_new (void);
/* Returns the number of the part of the sum with the same factors as @part; -1 where there is none. */
int heddle_parts_find_alike (const GPtrArray *parts, const HeddleSummand *part);
/* Changes the sign of the part, in its deferred factor where what is kept is only a number. */
void heddle_part_negate (HeddleSummand *self);
/* Adds a part to a sum, within the one with the same factors where there is one. Takes @part. */
void heddle_parts_add (GPtrArray *parts, HeddleSummand *part);
/* Takes @part and subtracts it from the sum, within the part with the same factors where there is one. */
void heddle_parts_subtract (GPtrArray *parts, HeddleSummand *part);
