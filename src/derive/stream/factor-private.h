/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/stream/stream.h"

G_BEGIN_DECLS

/* A product of sums has as many parts as there are products of their parts. */
#define HEDDLE_MAX_PARTS 16

/* What an expression reads, with respect to the streamed axis. */
typedef enum
{
  HEDDLE_READS_CHUNKS = 1 << 0, /* values that vary along the streamed axis */
  HEDDLE_READS_REDUCED = 1 << 1, /* reductions over it, or what follows from them */
  HEDDLE_READS_TAINTED = 1 << 2, /* chunks that themselves stand for more than is kept */
} HeddleReads;

HeddleReads heddle_stream_plan_reads (const HeddleStreamPlan *plan, const HeddleExpr *body);

/* Of exp (exponent); NULL: a reduction does not come out of it. --- factor-exponent.c */
GPtrArray *heddle_factor_exponential (const HeddleStreamPlan *plan, HeddleExpr *body);

/* Of where (…); NULL likewise. --- factor-choice.c */
GPtrArray *heddle_factor_choice (HeddleStreamPlan *plan, HeddleExpr *body);

/* Whether what waits is of a size to go on with. */
gboolean heddle_parts_are_small (const GPtrArray *parts);

/* --- factor-parts.c: factors (NULL stands for 1) and sums of parts --- */
gboolean heddle_expr_is_number (const HeddleExpr *expr, double value);
gboolean heddle_expr_is_same_everywhere (const HeddleExpr *expr);
HeddleExpr *heddle_factor_multiply (HeddleExpr *a, HeddleExpr *b);
HeddleExpr *heddle_factor_divide (HeddleExpr *a, HeddleExpr *b);

GPtrArray *heddle_parts_new (void);
/* A part without running factors; takes both. */
HeddleSummand *heddle_part_new (HeddleExpr *kept, HeddleExpr *deferred);
HeddleSummand *heddle_part_copy (const HeddleSummand *part);
void heddle_part_free (HeddleSummand *self);
void heddle_part_add_running (HeddleSummand *self, guint state, HeddleExpr *exponent);
void heddle_part_join_running (HeddleSummand *self, const HeddleSummand *other);
void heddle_part_negate (HeddleSummand *self);
/* Only chunks: nothing waits for a reduction. */
gboolean heddle_part_is_plain (const HeddleSummand *self);
/* The part of a sum with the same factors; -1: none. */
int heddle_parts_find_alike (const GPtrArray *parts, const HeddleSummand *part);
/* Adds a part to a sum, within the one with the same factors where there is one. Takes @part. */
void heddle_parts_add (GPtrArray *parts, HeddleSummand *part);
void heddle_parts_subtract (GPtrArray *parts, HeddleSummand *part);

/* --- factor-centre.c --- */
/* @reduced as @centre + @rest: a state near to it, which is known from the first chunk on and does not move, and what is known of the rest
 * once the loop is done. Only for an affine expression of one sum over the axis. Both belong to @plan. */
gboolean heddle_stream_plan_centre (
    HeddleStreamPlan *plan, HeddleExpr *reduced, HeddleExpr **centre, HeddleExpr **rest);

G_END_DECLS
