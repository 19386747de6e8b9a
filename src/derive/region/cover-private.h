/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/schedule.h"

/* This file covers a diagram with kernels: a part for each region of the schedule, and for each statement
 * that is in none. */

/* The operations of one kernel. */
typedef struct
{
  const HeddleRegion *region; /* or NULL */
  GArray *operations;
  GHashTable *again; /* those of them that it only computes again */
  gboolean idle; /* no kernel needs what it makes */
} HeddlePart;
