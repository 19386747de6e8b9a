/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/build-private.h"

#include <math.h>
#include <string.h>

/* From what a region means and how it streams to its loop program:
 *
 *   groups: load what does not stream; before; states = init; stream: load chunks; step; after; save
 *
 * Statements compute at the innermost level that has labels; see build-tree.c for the levels above. */

const HeddleDefinition *
heddle_builder_get (const HeddleBuilder *builder, guint i)
{
  return heddle_stream_plan_definition (builder->plan, i);
}

const HeddleStreaming *
heddle_builder_streaming (const HeddleBuilder *builder, guint i)
{
  return heddle_stream_plan_get (builder->plan, i);
}

/* Definition @i reads what is in @expr. */
static void
mark_read (HeddleBuilder *builder, guint i, const HeddleExpr *expr)
{
  const HeddleDefinition *definition = heddle_builder_get (builder, i);
  g_autoptr (GArray) arguments = expr != NULL ? heddle_expr_arguments (expr) : NULL;

  for (guint k = 0; arguments != NULL && k < arguments->len; k++)
    {
      guint argument = g_array_index (arguments, guint, k);

      builder->needed[argument] = TRUE;
      if (!definition->reduces || heddle_builder_get (builder, argument)->indices == NULL)
        builder->held[argument] = TRUE;
    }
}

/* What definition @i reads besides its body, point by point. */
static void
mark_points (HeddleBuilder *builder, guint i)
{
  const HeddleDefinition *definition = heddle_builder_get (builder, i);
  g_autoptr (GArray) arguments = NULL;

  if (definition->form == HEDDLE_COMPUTE_FOLD && definition->at == NULL
      && !heddle_definition_gathers (definition))
    return;
  arguments = heddle_definition_arguments (definition);
  for (guint k = 0; k < arguments->len; k++)
    {
      guint argument = g_array_index (arguments, guint, k);

      builder->needed[argument] = builder->held[argument] = TRUE;
    }
  if (definition->form == HEDDLE_COMPUTE_SELECT && !definition->places)
    builder->needed[i + 1] = builder->held[i + 1] = TRUE;
}

/* What is written here: outputs, or where states are written in parts, those and the outputs of steps. */
static gboolean
is_written (const HeddleBuilder *builder, guint i)
{
  gboolean output = heddle_builder_get (builder, i)->output;

  if (builder->split == NULL)
    return output;
  for (guint k = 0; k < builder->split->states->len; k++)
    if (g_array_index (builder->split->states, guint, k) == i)
      return TRUE;
  return output && heddle_builder_streaming (builder, i)->phase == HEDDLE_PHASE_STEP;
}

static void
mark_needed (HeddleBuilder *builder)
{
  memset (builder->needed, 0, builder->plan->definitions->len * sizeof *builder->needed);
  memset (builder->held, 0, builder->plan->definitions->len * sizeof *builder->held);
  for (guint k = builder->plan->order->len; k-- > 0;)
    {
      guint i = g_array_index (builder->plan->order, guint, k);
      const HeddleStreaming *self = heddle_builder_streaming (builder, i);
      gboolean written = is_written (builder, i);

      builder->needed[i] = builder->needed[i] || written;
      builder->held[i] = builder->held[i] || written;
      if (!builder->needed[i])
        continue;
      mark_points (builder, i);
      if (self->kept == NULL)
        continue;
      mark_read (builder, i, self->kept);
      if (self->phase == HEDDLE_PHASE_STATE && builder->split == NULL)
        mark_read (builder, i, self->deferred);
      for (guint j = 0; self->running != NULL && j < self->running->len; j++)
        mark_read (builder, i, g_array_index (self->running, HeddleRunning, j).exponent);
    }
}

static void
set_reduction (HeddleNode *node, const HeddleDefinition *definition)
{
  node->monoid = definition->monoid;
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

/* A definition that is another one over again needs no buffer of its own. */
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

static void
emit_state (HeddleBuilder *builder, guint i)
{
  const HeddleDefinition *definition = heddle_builder_get (builder, i);
  const HeddleStreaming *self = heddle_builder_streaming (builder, i);
  g_autoptr (HeddleExpr) unit = heddle_expr_number (heddle_monoid_unit (definition->monoid));
  HeddleNode *init, *node;

  heddle_builder_add_own_buffer (builder, i);
  init = heddle_builder_add_compute (builder, builder->inits, i, builder->buffers[i], unit);
  init->column = 0;
  heddle_builder_keep_factors (builder, i);
  node = heddle_builder_add_compute (builder, builder->step, i, builder->buffers[i], self->kept);
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

/* Before the loop where the statement is carried through it. */
static void
add_init (HeddleBuilder *builder, guint i, guint buffer, double value, GPtrArray *list)
{
  g_autoptr (HeddleExpr) unit = heddle_expr_number (value);
  HeddleNode *init = heddle_builder_add_compute (builder, list, i, buffer, unit);

  if (list == builder->inits)
    init->column = 0;
}

/* The largest and their places are made by one statement. */
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

/* Along the streamed axis the state is carried from step to step. */
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

/* A statement that is no fold. */
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

/* The state of a group's part, for the combine step. */
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

/* The state of a reduction, complete: with the factor that was put off, in place. */
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

static void
emit_definitions (HeddleBuilder *builder)
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

/* --- the program ------------------------------------------------------------------------------ */

/* Generated code names its loops after axes: buffers take other names. */
static void
take_axis_names (HeddleBuilder *builder)
{
  for (guint i = 0; i < builder->region->axes->len; i++)
    {
      const char *id = heddle_ids_index (builder->region->axes, i);

      heddle_identifier (heddle_diagram_get_axis (builder->region->diagram, id)->name, builder->taken);
    }
}

static HeddleLoopProgram *
program_new (const HeddleRegionTerm *region, const HeddleTiling *tiling, const char *name)
{
  HeddleLoopProgram *program = g_new0 (HeddleLoopProgram, 1);

  g_atomic_ref_count_init (&program->ref_count);
  program->diagram = region->diagram;
  program->name = g_strdup (name);
  program->levels = heddle_ids_new ();
  for (guint i = 0; i < heddle_tiling_n_levels (tiling); i++)
    heddle_ids_append (program->levels, heddle_tiling_at (tiling, i)->level);
  program->buffers = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_buffer_free);
  program->inputs = heddle_ids_new ();
  program->outputs = heddle_ids_copy (region->outputs);
  program->operations = heddle_ids_copy (region->operations);
  program->partials = heddle_ids_new ();
  program->spilled = heddle_ids_new ();
  program->stages = MAX (tiling->stages, 1);
  return program;
}

static GPtrArray *
nodes_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_node_free);
}

static HeddleLoopProgram *
program_of_plan (const HeddleRegionTerm *region, const HeddleStreamPlan *plan, const HeddleTiling *tiling,
    const char *name)
{
  guint n = plan->definitions->len;
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
  g_autofree gboolean *needed = g_new0 (gboolean, n);
  g_autofree gboolean *held = g_new0 (gboolean, n);
  g_autofree guint *buffers = g_new (guint, n);
  g_autoptr (GArray) factors = g_array_new (FALSE, FALSE, sizeof (HeddleBuildFactor));
  g_autoptr (GPtrArray) before = nodes_new (), step = nodes_new (), after = nodes_new (),
                        inits = nodes_new ();
  HeddleBuilder builder = { region, plan, tiling, program_new (region, tiling, name), taken, needed, held,
    buffers, factors, before, step, after, inits };
  g_autoptr (GHashTable) moved = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (HeddleSplit) split = NULL;

  builder.moved = moved;
  for (guint i = 0; i < n; i++)
    buffers[i] = HEDDLE_NO_BUFFER;
  take_axis_names (&builder);
  mark_needed (&builder);
  split = heddle_builder_new_split (&builder);
  if (split != NULL)
    {
      builder.split = split;
      mark_needed (&builder);
    }
  heddle_builder_collect_factors (&builder);
  emit_definitions (&builder);
  heddle_builder_add_loads (&builder);
  heddle_builder_apply_rereads (&builder);
  heddle_builder_assemble (&builder);
  heddle_loop_program_assign_slots (builder.program);
  if (split != NULL)
    heddle_builder_add_combine (&builder, split);
  return builder.program;
}

HeddleLoopProgram *
heddle_loop_program_new (const HeddleRegionTerm *region, const HeddleStreamPlan *plan,
    const HeddleTiling *tiling, const char *name)
{
  g_autoptr (HeddleStreamPlan) split = NULL;
  guint definition;

  if (plan->axis != NULL && heddle_tiling_groups (tiling, plan->axis, 0)
      && !heddle_split_can_merge (plan, &definition))
    split = heddle_stream_plan_new_split (region, plan->axis);
  return program_of_plan (region, split != NULL ? split : plan, tiling, name);
}
