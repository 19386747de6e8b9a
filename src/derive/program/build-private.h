/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/program/loop-program-private.h"
#include "derive/stream/split.h"

G_BEGIN_DECLS

/* A factor that rescales states: exp (exponent now - exponent before) of one state. */
typedef struct
{
  guint state;
  HeddleExpr *exponent;
  guint buffer;
} HeddleBuildFactor;

/* Of a load or save that a residency adds. */
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

const HeddleDefinition *heddle_builder_get (const HeddleBuilder *self, guint definition);
const HeddleStreaming *heddle_builder_streaming (const HeddleBuilder *self, guint definition);

/* --- build-buffers.c --- */
guint heddle_builder_add_buffer (
    HeddleBuilder *self, guint definition, const char *name, HeddleBufferRole role);
void heddle_builder_add_own_buffer (HeddleBuilder *self, guint definition);
/* A buffer of the level with number @depth that @lower, of one further down, is filled from or written to. */
guint heddle_builder_add_upper_buffer (HeddleBuilder *self, guint lower, guint depth, HeddleBufferRole role);
/* The state that a scan carries through the loop: as its values, without the axis. */
guint heddle_builder_add_carried (HeddleBuilder *self, guint definition);

/* --- build-definitions.c --- */
void heddle_builder_emit_definitions (HeddleBuilder *self);

/* --- build-statements.c --- */
/* The number of the source of @node that is @buffer read at @indices (NULL: at the point). */
guint heddle_node_add_source (HeddleNode *node, guint buffer, GPtrArray *indices);
/* buffer = body, where body is over definitions. */
HeddleNode *heddle_builder_add_compute (
    const HeddleBuilder *self, GPtrArray *list, guint definition, guint buffer, HeddleExpr *body);
/* What a SCAN and a SELECT have besides a body. */
void heddle_builder_set_extra (const HeddleBuilder *self, HeddleNode *node, guint definition);
/* Reads an input at indices of its own. */
void heddle_builder_add_gather (const HeddleBuilder *self, GPtrArray *list, guint definition);
/* Reads the inputs: a chunk at the beginning of its step, what is held through the loop just before it, all else when it is first read. */
void heddle_builder_add_loads (HeddleBuilder *self);

/* --- reread.c --- */
GPtrArray *heddle_builder_segment (const HeddleBuilder *self, HeddleSegment segment);
/* Reads values again where the tiling says so. After the loads. */
void heddle_builder_apply_rereads (HeddleBuilder *self);

/* --- build-tree.c --- */
/* The loops around the statements, and the levels above theirs that arrays go through. */
void heddle_builder_assemble (HeddleBuilder *self);

/* --- build-split.c --- */
/* Of a streamed axis that is grouped, where states are carried along it; NULL: there is nothing to merge. */
HeddleSplit *heddle_builder_new_split (const HeddleBuilder *self);
/* Takes the diagram of @split. */
void heddle_builder_add_combine (HeddleBuilder *self, HeddleSplit *split);

/* --- build-factors.c --- */
void heddle_builder_collect_factors (HeddleBuilder *self);
/* Before a state moves: keeps what its factors are made of. After it has: works them out. */
void heddle_builder_keep_factors (HeddleBuilder *self, guint state);
void heddle_builder_work_out_factors (HeddleBuilder *self, guint state);
/* The product of the factors a state is rescaled by; NULL: 1. */
HeddleExpr *heddle_builder_rescaling (const HeddleBuilder *self, HeddleNode *node, const GArray *running);

G_END_DECLS
