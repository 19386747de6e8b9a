/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/codegen.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* The seconds of a kernel that fits no memory: any that does is faster. */
#define HEDDLE_PLAN_NEVER 1e9

/* A group of operations that may be one kernel. */
typedef struct
{
  HeddleRegion *region; /* operations, and labels of axes that a block has one of */
  double seconds;
} HeddleGroup;

/* A grouping of a diagram's operations into kernels. */
typedef struct
{
  const HeddlePlan *plan;
  const HeddleDiagram *diagram;
  const HeddleSchedule *schedule; /* (nullable) */
  GCancellable *cancellable;
  GPtrArray *groups; /* of HeddleGroup, in an order that they can run in */
  GHashTable *priced; /* GBytes: keys of kernels that were priced, one for those that differ by names alone */
  GHashTable *tried; /* GBytes: the operations of groups that were tried together */
  gboolean moving; /* a group may wait for what stands between it and the one it goes with */
} HeddleGrouping;

/* Makes a set for `priced`, which the caller owns. */
GHashTable *heddle_priced_groups_new (void);
/* Prices @operations as one kernel. */
HeddleGroup *heddle_group_new (const HeddleGrouping *grouping, const GArray *operations);

/* Frees the group and its region; @self must not be NULL. */
void heddle_group_free (HeddleGroup *self);
/* Lets groups go together where that is faster by the model. */
void heddle_grouping_fuse (HeddleGrouping *self);
