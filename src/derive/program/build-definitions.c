/* SPDX-License-Identifier: MIT */
#include "derive/program/build-buffers.h"
#include "derive/program/build-definitions.h"
#include "derive/program/build-factors.h"
#include "derive/program/build-statements.h"
#include "derive/program/builder.h"
#include "derive/program/loop-node.h"
#include "derive/program/loop-program.h"
#include "derive/program/names.h"
#include "derive/program/tiling.h"
#include "derive/region/region.h"
#include "derive/stream/factor-parts.h"
#include "derive/stream/split.h"
#include "derive/stream/stream.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

#include <math.h>

/* The statements of each definition: in the loop, before and after it. */

static void
set_reduction (HeddleNode *node, const HeddleDefinition *definition)
{
  node->monoid = definition->monoid;
  if (definition->over->len == 0)
    return;
  g_array_unref (node->over);
  node->over = heddle_ids_copy (definition->over);
}

static void
add_save (const HeddleBuilder *builder, GPtrArray *list, guint i)
{
  HeddleNode *node = heddle_node_new (HEDDLE_NODE_SAVE);

  node->buffer = builder->buffers[i];
  node->operation = heddle_builder_get (builder, i)->operation;
  node->column = heddle_builder_get (builder, i)->column;
  g_ptr_array_add (list, node);
}

/* --- definitions ----------------------------------------------------------------------------- */

/* Lets a definition that repeats another one share its buffer. Returns FALSE if it does not. */
static gboolean
try_alias (HeddleBuilder *builder, guint i)
{
  const HeddleDefinition *definition = heddle_builder_get (builder, i);
  const HeddleStreaming *self = heddle_builder_streaming (builder, i);
  HeddleBuffer *buffer;
  guint source;

  if (definition->reduces || definition->output || definition->indices != NULL
      || definition->form != HEDDLE_COMPUTE_FOLD || heddle_expr_get_kind (self->kept) != HEDDLE_EXPR_ARGUMENT)
    return FALSE;
  source = heddle_expr_get_operand (self->kept);
  if (!heddle_ids_equal (heddle_builder_get (builder, source)->axes, definition->axes))
    return FALSE;
  builder->buffers[i] = builder->buffers[source];
  buffer = g_ptr_array_index (builder->program->buffers, builder->buffers[i]);
  if (buffer->value == NULL && definition->value != NULL && buffer->role == HEDDLE_BUFFER_INTERMEDIATE)
    {
      g_autofree char *label = heddle_diagram_value_label (builder->region->diagram, definition->value);

      buffer->value = definition->value;
      buffer->name = heddle_identifier (label, builder->taken);
    }
  return TRUE;
}

/* Returns the least number of elements along the streamed axis that a step has; the axis ends may leave the
 * last one fewer. */
static gint64
least_chunk (const HeddleBuilder *builder)
{
  gint64 least = G_MAXINT64;

  for (guint k = 0; k < heddle_tiling_n_levels (builder->tiling); k++)
    if (heddle_tiling_at (builder->tiling, k)->stream != NULL)
      least = MIN (least, heddle_tiling_at (builder->tiling, k)->chunk);
  return least;
}

/* Returns the mean of @term in the first step, as a sum over all points that are reduced: sums are centred
 * about it. If a step has one point, it is the first. */
static HeddleExpr *
mean_of_first (const HeddleBuilder *builder, const HeddleStreaming *self, const HeddleDefinition *definition)
{
  const char *axis = builder->plan->axis;
  gint64 chunk = least_chunk (builder);
  HeddleExpr *number, *term;

  if (self->centred == NULL || chunk <= 1 || chunk == G_MAXINT64)
    return heddle_expr_ref (self->kept);
  number = heddle_expr_binary (HEDDLE_EXPR_MIN, heddle_expr_number ((double) chunk), heddle_expr_size (axis));
  for (guint i = 0; i < definition->over->len; i++)
    if (heddle_ids_index (definition->over, i) != axis)
      number = heddle_expr_binary (
          HEDDLE_EXPR_MUL, number, heddle_expr_size (heddle_ids_index (definition->over, i)));
  term = heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_ref (self->centred),
      heddle_expr_binary (HEDDLE_EXPR_DIV, heddle_expr_number (1.), number));
  return heddle_expr_where (
      heddle_expr_binary (HEDDLE_EXPR_LT, heddle_expr_index (axis), heddle_expr_number ((double) chunk)),
      term, heddle_expr_number (0.));
}

static void
emit_state (HeddleBuilder *builder, guint i)
{
  const HeddleDefinition *definition = heddle_builder_get (builder, i);
  const HeddleStreaming *self = heddle_builder_streaming (builder, i);
  g_autoptr (HeddleExpr) unit = heddle_expr_number (heddle_monoid_unit (definition->monoid));
  g_autoptr (HeddleExpr) kept = mean_of_first (builder, self, definition);
  HeddleNode *init, *node;

  heddle_builder_add_own_buffer (builder, i);
  init = heddle_builder_add_compute (builder, builder->inits, i, builder->buffers[i], unit);
  init->column = 0;
  heddle_builder_keep_factors (builder, i);
  node = heddle_builder_add_compute (builder, builder->step, i, builder->buffers[i], kept);
  set_reduction (node, definition);
  node->accumulate = TRUE;
  node->rescale = heddle_builder_rescaling (builder, node, self->running);
  heddle_builder_work_out_factors (builder, i);
}

static void
emit_pointwise (HeddleBuilder *builder, guint i, GPtrArray *list)
{
  const HeddleDefinition *definition = heddle_builder_get (builder, i);
  HeddleNode *node;

  if (try_alias (builder, i))
    return;
  heddle_builder_add_own_buffer (builder, i);
  node = heddle_builder_add_compute (
      builder, list, i, builder->buffers[i], heddle_builder_streaming (builder, i)->kept);
  if (definition->reduces)
    set_reduction (node, definition);
  if (definition->output)
    add_save (builder, list, i);
}

static void
save_if_output (HeddleBuilder *builder, guint i, GPtrArray *list)
{
  if (heddle_builder_get (builder, i)->output)
    add_save (builder, list, i);
}

/* Adds the initial value of a buffer, before the loop if the loop carries it. */
static void
add_init (HeddleBuilder *builder, guint i, guint buffer, double value, GPtrArray *list)
{
  g_autoptr (HeddleExpr) unit = heddle_expr_number (value);
  HeddleNode *init = heddle_builder_add_compute (builder, list, i, buffer, unit);

  if (list == builder->inits)
    init->column = 0;
}

/* Emits one statement that makes the largest elements and their places. */
static void
emit_select (HeddleBuilder *builder, guint i, GPtrArray *list)
{
  const HeddleDefinition *definition = heddle_builder_get (builder, i);
  gboolean state = heddle_builder_streaming (builder, i)->phase == HEDDLE_PHASE_STATE;
  HeddleNode *node;

  heddle_builder_add_own_buffer (builder, i);
  heddle_builder_add_own_buffer (builder, i + 1);
  ((HeddleBuffer *) g_ptr_array_index (builder->program->buffers, builder->buffers[i + 1]))->dtype
      = HEDDLE_DTYPE_I32;
  add_init (builder, i, builder->buffers[i], -INFINITY, state ? builder->inits : list);
  add_init (builder, i + 1, builder->buffers[i + 1], -1., state ? builder->inits : list);
  node = heddle_builder_add_compute (builder, list, i, builder->buffers[i], definition->body);
  heddle_builder_set_extra (builder, node, i);
  node->second = builder->buffers[i + 1];
  node->ranked = definition->ranked;
  set_reduction (node, definition);
}

/* Emits a scan. Along the streamed axis the state is carried from step to step. */
static void
emit_scan (HeddleBuilder *builder, guint i, GPtrArray *list)
{
  const HeddleDefinition *definition = heddle_builder_get (builder, i);
  guint carried = HEDDLE_NO_BUFFER;
  HeddleNode *node;

  if (definition->along == builder->plan->axis)
    {
      carried = heddle_builder_add_carried (builder, i);
      add_init (builder, i, carried, 0., builder->inits);
    }
  heddle_builder_add_own_buffer (builder, i);
  node = heddle_builder_add_compute (builder, list, i, builder->buffers[i], definition->body);
  heddle_builder_set_extra (builder, node, i);
  node->second = carried;
  save_if_output (builder, i, list);
}

/* Emits a statement that is no fold. */
static void
emit_form (HeddleBuilder *builder, guint i, GPtrArray *list)
{
  const HeddleDefinition *definition = heddle_builder_get (builder, i);

  if (definition->form == HEDDLE_COMPUTE_SCAN)
    emit_scan (builder, i, list);
  else if (!definition->places)
    emit_select (builder, i, list);
  else if (heddle_builder_streaming (builder, i)->phase != HEDDLE_PHASE_STATE)
    save_if_output (builder, i, list);
}

/* Saves the state of a group's part for the combine step. */
static void
save_partial (HeddleBuilder *builder, guint i)
{
  const HeddleSplit *split = builder->split;

  for (guint k = 0; k < split->states->len; k++)
    if (g_array_index (split->states, guint, k) == i)
      {
        HeddleNode *save;

        add_save (builder, builder->after, i);
        save = g_ptr_array_index (builder->after, builder->after->len - 1);
        save->partial = heddle_ids_index (split->values, k);
      }
}

/* Completes the state of a reduction: applies the deferred factor in place. */
static void
finish_state (HeddleBuilder *builder, guint i)
{
  const HeddleStreaming *self = heddle_builder_streaming (builder, i);

  if (self->deferred != NULL)
    {
      g_autoptr (HeddleExpr) state = heddle_expr_argument (i);
      g_autoptr (HeddleExpr) body = heddle_factor_apply (self->deferred, state);

      heddle_builder_add_compute (builder, builder->after, i, builder->buffers[i], body);
    }
  if (heddle_builder_get (builder, i)->output)
    add_save (builder, builder->after, i);
}

static GPtrArray *
list_of (HeddleBuilder *builder, guint i)
{
  switch (heddle_builder_streaming (builder, i)->phase)
    {
    case HEDDLE_PHASE_BEFORE:
      return builder->before;
    case HEDDLE_PHASE_AFTER:
      return builder->after;
    default:
      return builder->step;
    }
}

static void
add_input (HeddleBuilder *builder, guint i)
{
  GArray *inputs = builder->program->inputs;
  const char *value = heddle_builder_get (builder, i)->value;

  heddle_builder_add_own_buffer (builder, i);
  if (!heddle_ids_contain (inputs, value))
    heddle_ids_append (inputs, value);
  if (heddle_builder_get (builder, i)->at != NULL)
    heddle_builder_add_gather (builder, list_of (builder, i), i);
}

static void
emit_after (HeddleBuilder *builder, guint i)
{
  const HeddleDefinition *definition = heddle_builder_get (builder, i);

  if (definition->input)
    add_input (builder, i);
  else if (definition->form != HEDDLE_COMPUTE_FOLD)
    emit_form (builder, i, builder->after);
  else
    emit_pointwise (builder, i, builder->after);
}

void
heddle_builder_emit_definitions (HeddleBuilder *builder)
{
  const GArray *order = builder->plan->order;

  for (guint k = 0; k < order->len; k++)
    {
      guint i = g_array_index (order, guint, k);
      HeddlePhase phase = heddle_builder_streaming (builder, i)->phase;

      if (!builder->needed[i] || !builder->held[i])
        continue;
      if (phase == HEDDLE_PHASE_AFTER)
        continue;
      if (heddle_builder_get (builder, i)->input)
        add_input (builder, i);
      else if (heddle_builder_get (builder, i)->form != HEDDLE_COMPUTE_FOLD)
        emit_form (builder, i, list_of (builder, i));
      else if (phase == HEDDLE_PHASE_STATE)
        emit_state (builder, i);
      else
        emit_pointwise (builder, i, list_of (builder, i));
    }
  for (guint k = 0; k < order->len; k++)
    {
      guint i = g_array_index (order, guint, k);
      HeddlePhase phase = heddle_builder_streaming (builder, i)->phase;

      if (builder->needed[i] && phase == HEDDLE_PHASE_STATE)
        (builder->split != NULL ? save_partial : finish_state) (builder, i);
      else if (builder->needed[i] && builder->held[i] && phase == HEDDLE_PHASE_AFTER)
        emit_after (builder, i);
    }
}
