/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/cost.h"

G_BEGIN_DECLS

typedef struct
{
  const HeddleLoopProgram *program;
  const HeddleSizes *sizes; /* or NULL */
  GString *text;
  GPtrArray *lines; /* operation ids, or NULL */
  guint depth;
} HeddleListing;

/* Loops of lower levels have primes: q₀, q₀′, q₀″. */
extern const char *const heddle_listing_primes[HEDDLE_MAX_LEVELS];

/* --- pseudocode-names.c: newly allocated but for names --- */

const char *heddle_listing_axis_name (const HeddleListing *self, const char *axis);
const char *heddle_listing_buffer_name (const HeddleListing *self, guint i);
/* @node: what the arguments of @expr are of; %NULL: it has none */
char *heddle_listing_expr (const HeddleListing *self, const HeddleNode *node, const HeddleExpr *expr);
/* sum[x](P*V) */
char *heddle_listing_reduction (const HeddleListing *self, const HeddleNode *node);
/* scan[t](a*h + b), top[e](L at e) */
char *heddle_listing_form (const HeddleListing *self, const HeddleNode *node);

/* --- pseudocode-parts.c: onto the text, what part of an array is moved --- */

/* [q₀ : q₀+373, :]; @more: after indices that are there already */
void heddle_listing_print_held (HeddleListing *self, const HeddleBuffer *buffer, gboolean more);
/* E[T, m₀ : m₀+64] */
void heddle_listing_print_gathered (HeddleListing *self, const HeddleNode *node);
/* Q[q₀ : q₀+373, :]; of a buffer of the level above Q_smem[q₀′ : q₀′+16, :] */
void heddle_listing_print_part (HeddleListing *self, const HeddleNode *node);

G_END_DECLS
