/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/loop-program-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* From what a region means and how it streams to its loop program:
 *
 *   groups: load what does not stream; before; states = init; stream: load chunks; step; after; save
 */

#define NONE G_MAXUINT

/* A factor that rescales states: exp (exponent now - exponent before) of one state. */
typedef struct
{
  guint state;
  HeddleExpr *exponent;
  guint buffer;
} Factor;

typedef struct
{
  const HeddleRegionTerm *region;
  const HeddleStreamPlan *plan;
  const HeddleTiling *tiling;
  HeddleLoopProgram *program;
  GHashTable *taken; /* names */
  gboolean *needed; /* per definition: whether an output stands on it */
  gboolean
      *held; /* per definition: whether it has a buffer; a reduction reads reindexed values at their source */
  guint *buffers; /* per definition; NONE: it has none */
  GArray *factors; /* of Factor */
  GPtrArray *before, *step, *after; /* of HeddleNode */
  GPtrArray *inits;
} Builder;

static const HeddleDefinition *
get (const Builder *builder, guint i)
{
  return heddle_region_term_get (builder->region, i);
}

static const HeddleStreaming *
streaming (const Builder *builder, guint i)
{
  return heddle_stream_plan_get (builder->plan, i);
}

static void
mark_needed (Builder *builder)
{
  for (guint i = builder->region->definitions->len; i-- > 0;)
    {
      const HeddleDefinition *definition = get (builder, i);
      g_autoptr (GArray) arguments = NULL;

      builder->needed[i] = builder->needed[i] || definition->output;
      builder->held[i] = builder->held[i] || definition->output;
      if (!builder->needed[i] || definition->input)
        continue;
      arguments = heddle_expr_arguments (definition->body);
      for (guint k = 0; k < arguments->len; k++)
        {
          guint argument = g_array_index (arguments, guint, k);

          builder->needed[argument] = TRUE;
          if (!definition->reduces || get (builder, argument)->indices == NULL)
            builder->held[argument] = TRUE;
        }
    }
}

/* --- buffers ---------------------------------------------------------------------------- */

static gboolean
is_grouped (const Builder *builder, const char *axis)
{
  for (guint i = 0; i < builder->tiling->groups->len; i++)
    if (g_array_index (builder->tiling->groups, HeddleTile, i).axis == axis)
      return TRUE;
  return FALSE;
}

static HeddleExtent
extent_of (const Builder *builder, const HeddleDefinition *definition, const char *axis)
{
  if (!heddle_definition_carries (definition, axis))
    return HEDDLE_EXTENT_FULL;
  if (is_grouped (builder, axis))
    return HEDDLE_EXTENT_TILE;
  return axis == builder->plan->axis ? HEDDLE_EXTENT_CHUNK : HEDDLE_EXTENT_FULL;
}

/* States whose axes are all grouped are row statistics, which the `operands` convention leaves out. */
static gboolean
is_counted (const HeddleBuffer *buffer, const HeddleDefinition *definition)
{
  if (definition->input || definition->output)
    return TRUE;
  if (buffer->role != HEDDLE_BUFFER_STATE)
    return FALSE;
  for (guint i = 0; i < buffer->extents->len; i++)
    if (g_array_index (buffer->extents, HeddleExtent, i) != HEDDLE_EXTENT_TILE)
      return TRUE;
  return FALSE;
}

static void
set_types (const Builder *builder, HeddleBuffer *buffer, const HeddleDefinition *definition)
{
  const HeddleDiagram *diagram = builder->region->diagram;
  const char *value = definition->value;

  if (value == NULL)
    value = heddle_diagram_get_operation (diagram, definition->operation)->result;
  buffer->counted_dtype = heddle_diagram_dtype (diagram, value, builder->tiling->dtype);
  buffer->dtype = buffer->counted_dtype;
  if (!definition->input)
    buffer->dtype = buffer->counted_dtype == HEDDLE_DTYPE_F64 ? HEDDLE_DTYPE_F64 : HEDDLE_DTYPE_F32;
}

static guint
add_buffer (Builder *builder, guint i, const char *name, HeddleBufferRole role)
{
  const HeddleDefinition *definition = get (builder, i);
  HeddleBuffer *buffer = heddle_buffer_new (heddle_identifier (name, builder->taken), role);

  buffer->value = role == HEDDLE_BUFFER_FACTOR ? NULL : definition->value;
  buffer->level = builder->tiling->level;
  for (guint k = 0; k < definition->axes->len; k++)
    {
      const char *axis = heddle_ids_index (definition->axes, k);
      HeddleExtent extent = extent_of (builder, definition, axis);

      heddle_ids_append (buffer->axes, axis);
      g_array_append_val (buffer->extents, extent);
    }
  buffer->counted = role != HEDDLE_BUFFER_FACTOR && is_counted (buffer, definition);
  set_types (builder, buffer, definition);
  g_ptr_array_add (builder->program->buffers, buffer);
  return builder->program->buffers->len - 1;
}

static HeddleBufferRole
role_of (const Builder *builder, guint i)
{
  if (get (builder, i)->input)
    return HEDDLE_BUFFER_OPERAND;
  if (streaming (builder, i)->phase == HEDDLE_PHASE_STATE)
    return HEDDLE_BUFFER_STATE;
  return get (builder, i)->output ? HEDDLE_BUFFER_RESULT : HEDDLE_BUFFER_INTERMEDIATE;
}

/* A state of a value goes by the value's name in small letters: O is carried as o. */
static char *
name_of (const Builder *builder, guint i, HeddleBufferRole role)
{
  const HeddleDefinition *definition = get (builder, i);
  g_autofree char *label = NULL, *lower = NULL;

  if (definition->value == NULL)
    return g_strdup (definition->name);
  label = heddle_diagram_value_label (builder->region->diagram, definition->value);
  if (role != HEDDLE_BUFFER_STATE)
    return g_steal_pointer (&label);
  lower = g_ascii_strdown (label, -1);
  return g_hash_table_contains (builder->taken, g_intern_string (lower)) ? g_steal_pointer (&label)
                                                                         : g_steal_pointer (&lower);
}

static char *
title_of (const Builder *builder, guint i)
{
  const char *title = get (builder, i)->title;

  if (title == NULL)
    return NULL;
  return streaming (builder, i)->phase == HEDDLE_PHASE_STATE ? g_strdup_printf (_ ("running %s"), _ (title))
                                                             : g_strdup (_ (title));
}

static void
add_own_buffer (Builder *builder, guint i)
{
  HeddleBufferRole role = role_of (builder, i);
  g_autofree char *name = name_of (builder, i, role);
  HeddleBuffer *buffer;

  builder->buffers[i] = add_buffer (builder, i, name, role);
  buffer = g_ptr_array_index (builder->program->buffers, builder->buffers[i]);
  buffer->title = title_of (builder, i);
}

/* --- statements --------------------------------------------------------------------------- */

typedef struct
{
  const Builder *builder;
  HeddleNode *node;
  const HeddleDefinition *definition; /* that it works out */
} Rewrite;

/* The number of the source that is @buffer read at @indices (NULL: at the point). */
static guint
add_source (HeddleNode *node, guint buffer, GPtrArray *indices)
{
  for (guint i = 0; i < node->sources->len; i++)
    if (g_array_index (node->sources, guint, i) == buffer
        && g_ptr_array_index (node->source_indices, i) == indices)
      return i;
  g_array_append_val (node->sources, buffer);
  g_ptr_array_add (node->source_indices, indices != NULL ? g_ptr_array_ref (indices) : NULL);
  return node->sources->len - 1;
}

/* A reduction leaves out what is read outside an array, so it reads a reindexed value where that reads. */
static HeddleExpr *
rewrite_leaf (const HeddleExpr *leaf, gpointer data)
{
  Rewrite *rewrite = data;
  GPtrArray *indices = rewrite->definition->indices;
  const HeddleDefinition *read;
  guint operand, buffer;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_ARGUMENT)
    return NULL;
  operand = heddle_expr_get_operand (leaf);
  read = get (rewrite->builder, operand);
  if (rewrite->definition->reduces && read->indices != NULL)
    {
      indices = read->indices;
      operand = heddle_expr_get_operand (read->body);
    }
  buffer = rewrite->builder->buffers[operand];
  g_assert (buffer != NONE);
  return heddle_expr_argument (add_source (rewrite->node, buffer, indices));
}

/* buffer = body, where body is over definitions. */
static HeddleNode *
add_compute (const Builder *builder, GPtrArray *list, guint i, guint buffer, HeddleExpr *body)
{
  const HeddleDefinition *definition = get (builder, i);
  HeddleNode *node = heddle_node_new (HEDDLE_NODE_COMPUTE);
  Rewrite rewrite = { builder, node, definition };

  node->buffer = buffer;
  node->operation = definition->operation;
  node->column = definition->column;
  node->body = heddle_expr_substitute (body, rewrite_leaf, &rewrite);
  g_ptr_array_add (list, node);
  return node;
}

static void
set_reduction (HeddleNode *node, const HeddleDefinition *definition)
{
  node->monoid = definition->monoid;
  g_array_unref (node->over);
  node->over = heddle_ids_copy (definition->over);
}

static void
add_save (const Builder *builder, GPtrArray *list, guint i)
{
  HeddleNode *node = heddle_node_new (HEDDLE_NODE_SAVE);

  node->buffer = builder->buffers[i];
  node->operation = get (builder, i)->operation;
  node->column = get (builder, i)->column;
  g_ptr_array_add (list, node);
}

/* --- running factors ------------------------------------------------------------------------ */

/* -m is kept as m: exp (m before - m now). */
static gboolean
is_negated (const HeddleExpr *exponent)
{
  return heddle_expr_get_kind (exponent) == HEDDLE_EXPR_NEG;
}

static HeddleExpr *
factor_content (const Factor *factor)
{
  return is_negated (factor->exponent) ? heddle_expr_get_child (factor->exponent, 0) : factor->exponent;
}

static void
collect_factors (Builder *builder)
{
  for (guint i = 0; i < builder->region->definitions->len; i++)
    {
      const HeddleStreaming *self = streaming (builder, i);

      if (!builder->needed[i] || self->phase != HEDDLE_PHASE_STATE || self->running == NULL)
        continue;
      for (guint k = 0; k < self->running->len; k++)
        {
          const HeddleRunning *running = &g_array_index (self->running, HeddleRunning, k);
          Factor factor = { running->state, running->exponent, NONE };
          gboolean known = FALSE;

          for (guint j = 0; j < builder->factors->len; j++)
            known = known
                    || heddle_expr_equal (
                        g_array_index (builder->factors, Factor, j).exponent, running->exponent);
          if (!known)
            g_array_append_val (builder->factors, factor);
        }
    }
}

static guint
find_factor (const Builder *builder, const HeddleExpr *exponent)
{
  for (guint i = 0; i < builder->factors->len; i++)
    {
      const Factor *factor = &g_array_index (builder->factors, Factor, i);

      if (heddle_expr_equal (factor->exponent, exponent))
        return factor->buffer;
    }
  g_assert_not_reached ();
}

/* Before the state moves: what it was. */
static void
keep_before (Builder *builder, guint state)
{
  for (guint i = 0; i < builder->factors->len; i++)
    {
      Factor *factor = &g_array_index (builder->factors, Factor, i);
      HeddleBuffer *buffer;

      if (factor->state != state)
        continue;
      factor->buffer = add_buffer (builder, state, "delta", HEDDLE_BUFFER_FACTOR);
      buffer = g_ptr_array_index (builder->program->buffers, factor->buffer);
      buffer->title = g_strdup (_ ("rescaling factor"));
      add_compute (builder, builder->step, state, factor->buffer, factor_content (factor));
    }
}

/* exp (now - old); 1 where nothing has moved, as both may be infinite, whose difference is no number. A minimum comes down from inf: then
 * nothing has been summed yet, and the factor is 0 rather than inf. */
static HeddleExpr *
factor_of (const Factor *factor, HeddleMonoid monoid, HeddleExpr *old, HeddleExpr *now)
{
  gboolean negated = is_negated (factor->exponent);
  HeddleExpr *difference = heddle_expr_binary (
      HEDDLE_EXPR_SUB, heddle_expr_ref (negated ? old : now), heddle_expr_ref (negated ? now : old));
  HeddleExpr *result = heddle_expr_unary (HEDDLE_EXPR_EXP, difference);

  if (!negated || monoid != HEDDLE_MONOID_MAX)
    result = heddle_expr_where (
        heddle_expr_binary (HEDDLE_EXPR_EQ, heddle_expr_unary (HEDDLE_EXPR_ABS, heddle_expr_ref (old)),
            heddle_expr_number (INFINITY)),
        heddle_expr_number (0.), result);
  return heddle_expr_where (heddle_expr_binary (HEDDLE_EXPR_EQ, heddle_expr_ref (old), heddle_expr_ref (now)),
      heddle_expr_number (1.), result);
}

/* After it has moved: by how much. */
static void
work_out_factors (Builder *builder, guint state)
{
  for (guint i = 0; i < builder->factors->len; i++)
    {
      const Factor *factor = &g_array_index (builder->factors, Factor, i);
      g_autoptr (HeddleExpr) old = NULL, now = NULL;
      HeddleNode *node;

      if (factor->state != state)
        continue;
      node = add_compute (builder, builder->step, state, factor->buffer, factor_content (factor));
      now = g_steal_pointer (&node->body);
      old = heddle_expr_argument (add_source (node, factor->buffer, NULL));
      node->body = factor_of (factor, get (builder, state)->monoid, old, now);
    }
}

/* The product of the factors a state is rescaled by; NULL: 1. */
static HeddleExpr *
rescaling (const Builder *builder, HeddleNode *node, const GArray *running)
{
  HeddleExpr *product = NULL;

  for (guint i = 0; running != NULL && i < running->len; i++)
    {
      guint buffer = find_factor (builder, g_array_index (running, HeddleRunning, i).exponent);
      HeddleExpr *factor = heddle_expr_argument (add_source (node, buffer, NULL));

      product = product == NULL ? factor : heddle_expr_binary (HEDDLE_EXPR_MUL, product, factor);
    }
  return product;
}

/* --- definitions ----------------------------------------------------------------------------- */

/* A definition that is another one over again needs no buffer of its own. */
static gboolean
try_alias (Builder *builder, guint i)
{
  const HeddleDefinition *definition = get (builder, i);
  const HeddleStreaming *self = streaming (builder, i);
  HeddleBuffer *buffer;
  guint source;

  if (definition->reduces || definition->output || definition->indices != NULL
      || heddle_expr_get_kind (self->kept) != HEDDLE_EXPR_ARGUMENT)
    return FALSE;
  source = heddle_expr_get_operand (self->kept);
  if (!heddle_ids_equal (get (builder, source)->axes, definition->axes))
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
emit_state (Builder *builder, guint i)
{
  const HeddleDefinition *definition = get (builder, i);
  const HeddleStreaming *self = streaming (builder, i);
  g_autoptr (HeddleExpr) unit = heddle_expr_number (heddle_monoid_unit (definition->monoid));
  HeddleNode *init, *node;

  add_own_buffer (builder, i);
  init = add_compute (builder, builder->inits, i, builder->buffers[i], unit);
  init->column = 0;
  keep_before (builder, i);
  node = add_compute (builder, builder->step, i, builder->buffers[i], self->kept);
  set_reduction (node, definition);
  node->accumulate = TRUE;
  node->rescale = rescaling (builder, node, self->running);
  work_out_factors (builder, i);
}

static void
emit_pointwise (Builder *builder, guint i, GPtrArray *list)
{
  const HeddleDefinition *definition = get (builder, i);
  HeddleNode *node;

  if (try_alias (builder, i))
    return;
  add_own_buffer (builder, i);
  node = add_compute (builder, list, i, builder->buffers[i], streaming (builder, i)->kept);
  if (definition->reduces)
    set_reduction (node, definition);
  if (definition->output)
    add_save (builder, list, i);
}

/* The state of a reduction, complete: with the factor that was put off, in place. */
static void
finish_state (Builder *builder, guint i)
{
  const HeddleStreaming *self = streaming (builder, i);

  if (self->deferred != NULL)
    {
      g_autoptr (HeddleExpr) state = heddle_expr_argument (i);
      g_autoptr (HeddleExpr) body = heddle_factor_apply (self->deferred, state);

      add_compute (builder, builder->after, i, builder->buffers[i], body);
    }
  if (get (builder, i)->output)
    add_save (builder, builder->after, i);
}

static void
add_input (Builder *builder, guint i)
{
  GArray *inputs = builder->program->inputs;
  const char *value = get (builder, i)->value;

  add_own_buffer (builder, i);
  if (!heddle_ids_contain (inputs, value))
    heddle_ids_append (inputs, value);
}

static void
emit_definitions (Builder *builder)
{
  guint n = builder->region->definitions->len;

  for (guint i = 0; i < n; i++)
    {
      HeddlePhase phase = streaming (builder, i)->phase;

      if (!builder->needed[i] || !builder->held[i])
        continue;
      if (get (builder, i)->input)
        add_input (builder, i);
      else if (phase == HEDDLE_PHASE_STATE)
        emit_state (builder, i);
      else if (phase != HEDDLE_PHASE_AFTER)
        emit_pointwise (builder, i, phase == HEDDLE_PHASE_STEP ? builder->step : builder->before);
    }
  for (guint i = 0; i < n; i++)
    {
      HeddlePhase phase = streaming (builder, i)->phase;

      if (builder->needed[i] && phase == HEDDLE_PHASE_STATE)
        finish_state (builder, i);
      else if (builder->needed[i] && builder->held[i] && phase == HEDDLE_PHASE_AFTER)
        emit_pointwise (builder, i, builder->after);
    }
}

/* --- loads ------------------------------------------------------------------------------------ */

/* The first statement of the list that reads @buffer; -1: none. */
static int
first_reader (const GPtrArray *list, guint buffer)
{
  for (guint i = 0; i < list->len; i++)
    {
      const HeddleNode *node = g_ptr_array_index (list, i);

      for (guint k = 0; k < node->sources->len; k++)
        if (g_array_index (node->sources, guint, k) == buffer)
          return (int) i;
    }
  return -1;
}

static HeddleNode *
new_load (guint buffer, guint column)
{
  HeddleNode *load = heddle_node_new (HEDDLE_NODE_LOAD);

  load->buffer = buffer;
  load->column = column;
  return load;
}

/* In the column before the one that first reads it. */
static void
load_before_reader (GPtrArray *list, guint buffer, int reader)
{
  const HeddleNode *node = g_ptr_array_index (list, (guint) reader);

  g_ptr_array_insert (list, reader, new_load (buffer, node->column > 0 ? node->column - 1 : 0));
}

/* A chunk is loaded at the beginning of its step; what is held through the loop, just before it; all else when it is first read. */
static void
add_loads (Builder *builder)
{
  gint chunks = 0, held = (gint) builder->before->len;

  for (guint i = 0; i < builder->region->definitions->len; i++)
    {
      guint buffer = builder->buffers[i];
      int reader;

      if (!builder->needed[i] || !get (builder, i)->input)
        continue;
      if (streaming (builder, i)->phase == HEDDLE_PHASE_STEP)
        g_ptr_array_insert (builder->step, chunks++, new_load (buffer, 0));
      else if ((reader = first_reader (builder->before, buffer)) >= 0)
        {
          load_before_reader (builder->before, buffer, reader);
          held++;
        }
      else if (first_reader (builder->step, buffer) >= 0)
        g_ptr_array_insert (builder->before, held++, new_load (buffer, 0));
      else if ((reader = first_reader (builder->after, buffer)) >= 0)
        load_before_reader (builder->after, buffer, reader);
    }
}

/* --- the tree --------------------------------------------------------------------------------- */

static HeddleNode *
new_band (HeddleBandKind kind, const char *axis, gint64 size)
{
  HeddleNode *band = heddle_node_new (HEDDLE_NODE_BAND);

  band->band = kind;
  band->axis = axis;
  band->size = size;
  return band;
}

static void
move_nodes (HeddleNode *band, GPtrArray *list)
{
  while (list->len > 0)
    g_ptr_array_add (band->children, g_ptr_array_steal_index (list, 0));
}

static void
assemble (Builder *builder)
{
  HeddleNode *inner = new_band (HEDDLE_BAND_PROGRAM, NULL, 0);

  builder->program->root = inner;
  for (guint i = 0; i < builder->tiling->groups->len; i++)
    {
      const HeddleTile *tile = &g_array_index (builder->tiling->groups, HeddleTile, i);
      HeddleNode *band = new_band (HEDDLE_BAND_GROUP, tile->axis, tile->size);

      g_ptr_array_add (inner->children, band);
      inner = band;
    }
  move_nodes (inner, builder->before);
  move_nodes (inner, builder->inits);
  if (builder->plan->axis != NULL)
    {
      HeddleNode *band = new_band (HEDDLE_BAND_STREAM, builder->plan->axis, builder->tiling->chunk);

      g_ptr_array_add (inner->children, band);
      move_nodes (band, builder->step);
    }
  move_nodes (inner, builder->after);
}

/* Generated code names its loops after axes: buffers take other names. */
static void
take_axis_names (Builder *builder)
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
  program->buffers = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_buffer_free);
  program->inputs = heddle_ids_new ();
  program->outputs = heddle_ids_copy (region->outputs);
  program->operations = heddle_ids_copy (region->operations);
  program->stages = MAX (tiling->stages, 1);
  return program;
}

static GPtrArray *
nodes_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_node_free);
}

HeddleLoopProgram *
heddle_loop_program_new (const HeddleRegionTerm *region, const HeddleStreamPlan *plan,
    const HeddleTiling *tiling, const char *name)
{
  guint n = region->definitions->len;
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
  g_autofree gboolean *needed = g_new0 (gboolean, n);
  g_autofree gboolean *held = g_new0 (gboolean, n);
  g_autofree guint *buffers = g_new (guint, n);
  g_autoptr (GArray) factors = g_array_new (FALSE, FALSE, sizeof (Factor));
  g_autoptr (GPtrArray) before = nodes_new (), step = nodes_new (), after = nodes_new (),
                        inits = nodes_new ();
  Builder builder = { region, plan, tiling, program_new (region, tiling, name), taken, needed, held, buffers,
    factors, before, step, after, inits };

  for (guint i = 0; i < n; i++)
    buffers[i] = NONE;
  take_axis_names (&builder);
  mark_needed (&builder);
  collect_factors (&builder);
  emit_definitions (&builder);
  add_loads (&builder);
  assemble (&builder);
  heddle_loop_program_assign_slots (builder.program);
  return builder.program;
}
