/* SPDX-License-Identifier: MIT */
#include "derive/stream/plan.h"
#include "diagram/expression/tree.h"

const HeddleDefinition *
heddle_stream_plan_definition (const HeddleStreamPlan *self, guint definition)
{
  g_assert (definition < self->definitions->len);

  return g_ptr_array_index (self->definitions, definition);
}

const HeddleStreaming *
heddle_stream_plan_get (const HeddleStreamPlan *self, guint definition)
{
  g_assert (definition < self->streamings->len);

  return &g_array_index (self->streamings, HeddleStreaming, definition);
}

static HeddleReads
reads_of_leaf (const HeddleStreaming *streaming)
{
  gboolean tainted = streaming->deferred != NULL || streaming->running != NULL || streaming->parts != NULL;

  switch (streaming->phase)
    {
    case HEDDLE_PHASE_BEFORE:
      return 0;
    case HEDDLE_PHASE_STEP:
      return HEDDLE_READS_CHUNKS | (tainted ? HEDDLE_READS_TAINTED : 0);
    case HEDDLE_PHASE_STATE:
    case HEDDLE_PHASE_AFTER:
      return HEDDLE_READS_REDUCED;
    }
  return 0;
}

typedef struct
{
  const HeddleStreamPlan *plan;
  HeddleReads reads;
} Reader;

static gboolean
visit_reads (const HeddleExpr *node, gpointer data)
{
  Reader *reader = data;

  if (heddle_expr_get_kind (node) == HEDDLE_EXPR_INDEX && heddle_expr_get_symbol (node) == reader->plan->axis)
    reader->reads |= HEDDLE_READS_CHUNKS;
  else if (heddle_expr_get_kind (node) == HEDDLE_EXPR_ARGUMENT)
    reader->reads |= reads_of_leaf (heddle_stream_plan_get (reader->plan, heddle_expr_get_operand (node)));
  return TRUE;
}

HeddleReads
heddle_stream_plan_reads (const HeddleStreamPlan *plan, const HeddleExpr *body)
{
  Reader reader = { plan, 0 };

  heddle_expr_walk (body, visit_reads, &reader);
  return reader.reads;
}
