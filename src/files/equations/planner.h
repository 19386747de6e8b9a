/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/equations/private.h"

/* A planner of how the statements of a diagram are written. It tries: each line is read back, and what would
 * be read differently becomes a statement of its own. */
typedef struct
{
  HeddleEqPlan *plan;
  HeddleEqArena *arena;
  GHashTable *roots; /* value id -> HeddleEqNode: the right side */
} HeddleEqPlanner;
