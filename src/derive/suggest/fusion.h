/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/machine/derive-options.h"
#include "derive/suggest/fusion-private.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include <glib.h>

/* The way in which a diagram was cut into kernels. Costs are seconds (with what passes between kernels),
 * bytes, or elements on the abstract machine. */
typedef struct
{
  double cost,
      second_cost; /* of the best cut, and of the best other one; infinite: not all its kernels fit */
  double least; /* no cut costs less */
  char *chosen, *second; /* in words: "S P O | Y" */
  guint priced; /* kernels */
  guint places; /* given, that each was priced with */
  gboolean exact; /* every way to cut was considered */
  gboolean by_time;
} HeddleFusion;

/* This file decides which operations to fuse: a diagram is cut into kernels that run in turn, at the least
 * total cost. Kernels that can run in turn are the differences of a growing chain of order ideals (sets of
 * operations with all that they stand on), so that the best cut is the shortest way through the order ideals.
 * Sets are bits, an operation each. */

#define HEDDLE_MAX_FUSED 12 /* operations of one kernel, where a diagram has more */

#define HEDDLE_MAX_WINDOW 64 /* operations that are cut at once: a set has so many bits */

/* Appends a kernel of those operations (ids) to the description of a cut, "S P O | Y": the values that it
 * makes. */
void heddle_fusion_describe_kernel (GString *text, const HeddleDiagram *diagram, const GArray *operations);
/* Frees the two texts of a report; the report itself is the caller's. */
void heddle_fusion_clear (HeddleFusion *self);
/* Returns a new schedule with the cut of the least cost, a region for each kernel, and the places of @given,
 * which may be NULL. @report says what the search did. Returns NULL with an error. */
HeddleSchedule *heddle_schedule_suggest (const HeddleDiagram *diagram, const HeddleSchedule *given,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, GCancellable *cancellable,
    HeddleFusion *report, GError **error);
