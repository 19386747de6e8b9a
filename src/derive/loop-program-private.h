/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/loop-program.h"
#include "derive/stream.h"

G_BEGIN_DECLS

/* The labels of one region at one level, checked. */
typedef struct
{
  const char *axis;
  gint64 size;
} HeddleTile;

typedef struct
{
  GArray *groups; /* of HeddleTile, outermost first */
  const char *stream; /* axis id or NULL */
  gint64 chunk;
  const char *level;
  guint stages;
  HeddleDtype dtype; /* of values whose own is unset */
} HeddleTiling;

HeddleLoopProgram *heddle_loop_program_new (const HeddleRegionTerm *region, const HeddleStreamPlan *plan,
    const HeddleTiling *tiling, const char *name);
/* Picks the buffers that are made in place of one that dies. */
void heddle_loop_program_assign_slots (HeddleLoopProgram *self);

HeddleNode *heddle_node_new (HeddleNodeKind kind);
void heddle_node_free (HeddleNode *self);
HeddleBuffer *heddle_buffer_new (const char *name, HeddleBufferRole role);
void heddle_buffer_free (HeddleBuffer *self);
/* @text as an identifier that @taken does not have, added to it. Interned. */
const char *heddle_identifier (const char *text, GHashTable *taken);

/* When each buffer lives: statements in the order they run, the body of a stream once. */
typedef struct
{
  const HeddleNode *node;
  const HeddleNode *stream; /* the band it is in; NULL: none */
} HeddleStatement;

typedef struct
{
  GArray *statements; /* of HeddleStatement */
  guint *birth, *death; /* per buffer: the statement that first writes it, the last at which it is held */
  gboolean *in_stream; /* per buffer: born in the band */
} HeddleLiveness;

HeddleLiveness *heddle_liveness_new (const HeddleLoopProgram *program);
void heddle_liveness_free (HeddleLiveness *self);
gboolean heddle_liveness_is_live (const HeddleLiveness *self, guint buffer, guint statement);
/* The buffer that @buffer is made in place of; -1: none. */
int heddle_liveness_source_in_place (
    const HeddleLiveness *self, const HeddleLoopProgram *program, guint buffer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleLiveness, heddle_liveness_free)

G_END_DECLS
