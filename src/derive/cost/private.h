/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/cost.h"

G_BEGIN_DECLS

/* A statement, and whether it is in the stream of the level that is priced. */
typedef struct
{
  const HeddleNode *node;
  gboolean streamed;
} HeddleCostPlace;

/* How much of the memory above goes through a statement's buffer, and which loops repeat it. */
HeddleTerms heddle_cost_transfer_terms (const HeddleCost *self, const HeddleCostPlace *statement);

/* --- cost-work.c --- */
void heddle_cost_collect_work (HeddleCost *self, const HeddleCostPlace *statement);

/* --- cost-combine.c --- */
struct _HeddleCombine *heddle_combine_new (void);
void heddle_combine_free (struct _HeddleCombine *self);

G_END_DECLS
