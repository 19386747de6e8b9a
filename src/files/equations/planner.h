/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/equations/private.h"

G_BEGIN_DECLS

/* How the statements of a diagram are written is settled by trying: each line is read back, and what does not come out as it was
 * becomes a statement of its own. */
typedef struct
{
  HeddleEqPlan *plan;
  HeddleEqArena *arena;
  GHashTable *roots; /* value id -> HeddleEqNode: the right side */
} HeddleEqPlanner;

G_END_DECLS
