/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/program/loop-program.h"
#include "derive/stream/stream.h"

G_BEGIN_DECLS

/* The labels of one region at one level, checked. */
typedef struct
{
  const char *axis;
  gint64 size;
} HeddleTile;

/* A value that an operation reads again, in place of its being held until then. */
typedef struct
{
  const char *value, *operation; /* ids */
  int depth; /* number of the level it is read from again; -1: global memory */
} HeddleReread;

typedef struct
{
  GArray *groups; /* of HeddleTile, outermost first */
  const char *stream; /* axis id or NULL */
  gint64 chunk;
  const char *level;
  guint stages;
  HeddleDtype dtype; /* of values whose own is unset */
  const GPtrArray *
      inner; /* of HeddleTiling: the levels below, outermost first; NULL: none. Their stream is this one's where that has one */
  const GArray *rereads; /* of HeddleReread, in the order of their operations; NULL: none */
} HeddleTiling;

guint heddle_tiling_n_levels (const HeddleTiling *self);
/* The labels of level number @depth. */
const HeddleTiling *heddle_tiling_at (const HeddleTiling *self, guint depth);
/* Whether the axis is grouped at a level down to number @depth. */
gboolean heddle_tiling_groups (const HeddleTiling *self, const char *axis, guint depth);
gboolean heddle_tiling_streams (const HeddleTiling *self, guint depth);

HeddleLoopProgram *heddle_loop_program_new (const HeddleRegionTerm *region, const HeddleStreamPlan *plan,
    const HeddleTiling *tiling, const char *name);
/* Picks the buffers that are made in place of one that dies. */
void heddle_loop_program_assign_slots (HeddleLoopProgram *self);

HeddleNode *heddle_node_new (HeddleNodeKind kind);
/* Before the first source is added: a new node has the array that all nodes without sources have. */
void heddle_node_own_sources (HeddleNode *self);
void heddle_node_free (HeddleNode *self);
HeddleBuffer *heddle_buffer_new (const char *name, HeddleBufferRole role);
void heddle_buffer_free (HeddleBuffer *self);
/* @text as an identifier that @taken does not have, added to it. Interned. */
const char *heddle_identifier (const char *text, GHashTable *taken);

/* A band, and the statements in it. */
typedef struct
{
  const HeddleNode *band;
  int parent; /* -1: none */
  guint first, end;
} HeddleScope;

/* When each buffer lives: statements in the order they run, the body of a loop once. */
typedef struct
{
  const HeddleNode *node;
  int scope; /* the band it is in */
} HeddleStatement;

typedef struct
{
  GArray *statements; /* of HeddleStatement */
  GArray *scopes; /* of HeddleScope */
  guint *birth, *death; /* per buffer: the statement from which on it is held, the last at which it is */
  gboolean *in_stream; /* per buffer: born in a step */
  int *dies_with; /* per buffer: the loop (scope) at whose end it goes; -1: right after the statement */
} HeddleLiveness;

HeddleLiveness *heddle_liveness_new (const HeddleLoopProgram *program);
void heddle_liveness_free (HeddleLiveness *self);
gboolean heddle_liveness_is_live (const HeddleLiveness *self, guint buffer, guint statement);
/* The innermost stream of a level down to number @depth that the statement is in; NULL: none. */
const HeddleNode *heddle_liveness_stream (const HeddleLiveness *self, guint statement, guint depth);
/* The buffer that @buffer is made in place of; -1: none. */
int heddle_liveness_source_in_place (
    const HeddleLiveness *self, const HeddleLoopProgram *program, guint buffer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleLiveness, heddle_liveness_free)

G_END_DECLS
