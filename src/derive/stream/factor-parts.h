/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/stream/stream.h"
#include "diagram/expression/expr.h"

G_BEGIN_DECLS

/* factors (NULL stands for 1) and sums of parts */
gboolean heddle_expr_is_number (const HeddleExpr *expr, double value);
gboolean heddle_expr_is_same_everywhere (const HeddleExpr *expr);
HeddleExpr *heddle_factor_multiply (HeddleExpr *a, HeddleExpr *b);
HeddleExpr *heddle_factor_divide (HeddleExpr *a, HeddleExpr *b);
/* @factor applied to @value: value * factor, as a quotient or a guarded quotient where the factor is one. Takes neither. */
HeddleExpr *heddle_factor_apply (HeddleExpr *factor, HeddleExpr *value);
void heddle_part_add_running (HeddleSummand *self, guint state, HeddleExpr *exponent);
void heddle_part_join_running (HeddleSummand *self, const HeddleSummand *other);
/* A part without running factors; takes both. */
HeddleSummand *heddle_part_new (HeddleExpr *kept, HeddleExpr *deferred);
HeddleSummand *heddle_part_copy (const HeddleSummand *part);
void heddle_part_free (HeddleSummand *self);
/* Only chunks: nothing waits for a reduction. */
gboolean heddle_part_is_plain (const HeddleSummand *self);
GPtrArray *heddle_parts_new (void);
/* The part of a sum with the same factors; -1: none. */
int heddle_parts_find_alike (const GPtrArray *parts, const HeddleSummand *part);
void heddle_part_negate (HeddleSummand *self);
/* Adds a part to a sum, within the one with the same factors where there is one. Takes @part. */
void heddle_parts_add (GPtrArray *parts, HeddleSummand *part);
void heddle_parts_subtract (GPtrArray *parts, HeddleSummand *part);

G_END_DECLS
