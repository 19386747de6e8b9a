/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/program/loop-program-private.h"
#include "derive/program/loop-program.h"
#include "derive/region/region.h"
#include "derive/stream/split.h"
#include "derive/stream/stream.h"
#include "diagram/expression/expr.h"

/* A factor that rescales states: exp (exponent now - exponent before) of one state. */
typedef struct
{
  guint state;
  HeddleExpr *exponent;
  guint buffer;
} HeddleBuildFactor;

/* The properties of a load or save that a residency adds. */
typedef struct
{
  guint home; /* the buffer that the value was read from first */
  int depth; /* number of the level it goes to or comes from; -1: global memory */
  int segment; /* of a load in place of another one: where that stood, of HeddleSegment; -1: it is in place of none */
} HeddleMoved;

typedef enum
{
  HEDDLE_SEGMENT_BEFORE,
  HEDDLE_SEGMENT_STEP,
  HEDDLE_SEGMENT_AFTER,
  HEDDLE_N_SEGMENTS,
} HeddleSegment;

/* A loop program being built. */
typedef struct
{
  const HeddleRegionTerm *region;
  const HeddleStreamPlan *plan;
  const HeddleTiling *tiling;
  HeddleLoopProgram *program;
  GHashTable *taken; /* names */
  gboolean *needed; /* per definition: whether an output stands on it */
  gboolean
      *held; /* per definition: whether it has a buffer; reductions read reindexed values at their source */
  guint *buffers; /* per definition; HEDDLE_NO_BUFFER: it has none */
  GArray *factors; /* of HeddleBuildFactor */
  GPtrArray *before, *step, *after; /* of HeddleNode */
  GPtrArray *inits;
  GHashTable *moved; /* node -> HeddleMoved */
  const HeddleSplit *split; /* states are written in parts; NULL: they are completed here */
} HeddleBuilder;
