/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/region/region.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"

/* This file decides whether and how a region streams an axis: which definitions are computed before the loop,
 * chunk by chunk, as a carried state, or after it. That a reduction whose factors come out of it can be
 * carried is the streamability of Abbott & Zardini 2025. */

/* The phase in which a definition is computed, where the region streams an axis. */
typedef enum
{
  HEDDLE_PHASE_BEFORE, /* before the loop: it does not vary along the axis */
  HEDDLE_PHASE_STEP, /* chunk by chunk */
  HEDDLE_PHASE_STATE, /* a reduction over the axis: carried from step to step, complete after the loop */
  HEDDLE_PHASE_AFTER, /* after the loop: it needs a complete reduction */
} HeddlePhase;

/* A factor exp (exponent) that is kept running: the exponent reads one state as it is so far, and what was
 * summed under the state before is rescaled by exp (exponent now - exponent before). */
typedef struct
{
  guint state; /* the definition whose state it reads */
  HeddleExpr *exponent; /* over ARGUMENT(state), sizes and numbers */
} HeddleRunning;

/* One summand of a value: kept * deferred once the loop is done. */
typedef struct
{
  HeddleExpr *kept; /* computed in the loop, over states so far */
  HeddleExpr *deferred; /* the factor applied after the loop, over complete reductions; NULL: 1 */
  GArray *running; /* of HeddleRunning: the factors within kept that move with a state; NULL: none */
} HeddleSummand;

/* The streaming of one definition: its value is kept * deferred once the loop is done, or the sum of
 * parts. */
typedef struct
{
  HeddlePhase phase;
  HeddleMonoid monoid; /* of a state */
  HeddleExpr *kept; /* the body computed in the loop, over states so far */
  HeddleExpr *deferred; /* the factor applied after the loop, over complete reductions; NULL: 1 */
  GArray *running; /* of HeddleRunning: the factors within kept that move with a state; NULL: none */
  GPtrArray *
      parts; /* of HeddleSummand: of what is read chunk by chunk and is no product; kept is NULL then. NULL: one part */
  HeddleExpr *
      centred; /* of a state that sums are about: what it is the first of, and may be the mean of a first chunk of. NULL: it is none */
} HeddleStreaming;

typedef enum
{
  HEDDLE_OBSTACLE_NONE,
  HEDDLE_OBSTACLE_OUTPUT, /* an output along the axis needs a complete reduction over it */
  HEDDLE_OBSTACLE_FACTOR, /* a reduction does not come out of the body as a factor */
  HEDDLE_OBSTACLE_MONOID, /* a factor does not distribute over the reduction */
  HEDDLE_OBSTACLE_REDUCED, /* a factor varies along another axis that is reduced */
  HEDDLE_OBSTACLE_INDICES, /* read along the axis at indices of its own */
  HEDDLE_OBSTACLE_ORDER, /* values are put in order along the axis */
  HEDDLE_OBSTACLE_ABSENT, /* nothing varies along the axis */
} HeddleObstacleKind;

typedef struct
{
  HeddleObstacleKind kind;
  guint definition; /* the one that cannot stream */
  guint reduction; /* the reduction over the axis that it needs; G_MAXUINT: none */
} HeddleObstacle;

/* The definitions of a plan are the region's, by the same numbers, and more after them: the sums that a
 * reduction over a sum of parts comes apart into. The reduction is then made of those after the loop, and no
 * reduction any more. */
typedef struct
{
  const HeddleRegionTerm *region;
  const char *axis; /* NULL: nothing streams, all is BEFORE */
  GPtrArray *definitions; /* of HeddleDefinition, not owned */
  GPtrArray *own; /* of HeddleDefinition: those that are not the region's */
  GArray *streamings; /* of HeddleStreaming, one per definition */
  GArray *order; /* of guint: all definitions, each after those it reads */
  HeddleExpr *
      needed; /* a step in which this holds nowhere changes nothing; over INDEX, SIZE; NULL: every step is needed */
  GPtrArray *centres; /* of HeddleExpr, in threes: a reduction, what is near to it, the rest */
  gboolean uncentred; /* of such a plan: the first element is not known ahead, so that there is none */
  gboolean
      split; /* groups of the axis run apart: what sums are about is the first of all elements, read ahead, and no state */
} HeddleStreamPlan;

/* Returns how @region streams @axis, newly allocated; NULL where it does not, and @obstacle says why. The
 * region has to outlive the plan. */
HeddleStreamPlan *heddle_stream_plan_new (
    const HeddleRegionTerm *region, const char *axis, HeddleObstacle *obstacle);
/* Returns a new plan, or NULL, as heddle_stream_plan_new () does, but for groups of the axis that run apart:
 * their states have one centre, and so can be merged. */
HeddleStreamPlan *heddle_stream_plan_new_split (const HeddleRegionTerm *region, const char *axis);
/* Frees the plan with the definitions that it added; NULL is allowed. */
void heddle_stream_plan_free (HeddleStreamPlan *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleStreamPlan, heddle_stream_plan_free)
