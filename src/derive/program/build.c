/* SPDX-License-Identifier: MIT */
#include "derive/program/build-definitions.h"
#include "derive/program/build-factors.h"
#include "derive/program/build-statements.h"
#include "derive/program/build-tree.h"
#include "derive/program/build.h"
#include "derive/program/builder.h"
#include "derive/program/liveness.h"
#include "derive/program/loop-node.h"
#include "derive/program/names.h"
#include "derive/program/reread.h"
#include "derive/program/tiling.h"
#include "derive/region/definition.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

#include <string.h>

/* From what a region means and how it streams to its loop program:
 *
 *   groups: load what does not stream; before; states = init; stream: load chunks; step; after; save
 *
 * Statements compute at the innermost level that has labels; see build-tree.c for the levels above. */

/* Records that definition @i reads the definitions in @expr. */
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

/* Records what definition @i reads besides its body, point by point. */
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

/* Returns whether the program writes the definition: it is an output or, if states are written in parts, a
 * state or the output of a step. */
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

/* --- the program ------------------------------------------------------------------------------ */

/* Takes the names of the axes, after which generated code names its loops, so that buffers have other
 * names. */
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

static void builder_add_combine (HeddleBuilder *builder, HeddleSplit *split);

static const HeddleTile *
find_tile (const HeddleTiling *tiling, const char *axis)
{
  for (guint i = 0; axis != NULL && i < tiling->groups->len; i++)
    if (g_array_index (tiling->groups, HeddleTile, i).axis == axis)
      return &g_array_index (tiling->groups, HeddleTile, i);
  return NULL;
}

/* Returns the split of a streamed axis that is grouped, where states are carried along it; NULL if there is
 * nothing to merge. */
static HeddleSplit *
builder_new_split (const HeddleBuilder *builder)
{
  gboolean states = FALSE;

  for (guint i = 0; i < builder->plan->definitions->len; i++)
    states = states
             || (builder->needed[i] && heddle_builder_streaming (builder, i)->phase == HEDDLE_PHASE_STATE);
  return states && find_tile (builder->tiling, builder->plan->axis) != NULL
             ? heddle_split_new (builder->plan, builder->needed, builder->tiling->dtype)
             : NULL;
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
  split = builder_new_split (&builder);
  if (split != NULL)
    {
      builder.split = split;
      mark_needed (&builder);
    }
  heddle_builder_collect_factors (&builder);
  heddle_builder_emit_definitions (&builder);
  heddle_builder_add_loads (&builder);
  heddle_builder_apply_rereads (&builder);
  heddle_builder_assemble (&builder);
  heddle_loop_program_assign_slots (builder.program);
  if (split != NULL)
    builder_add_combine (&builder, split);
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

/* The two kernels of a streamed axis that is grouped as well. */

/* Takes a reference of @diagram. */
static void
set_split (HeddleLoopProgram *program, const HeddleBuilder *builder, const HeddleSplit *split,
    HeddleDiagram **diagram)
{
  program->own_diagram = diagram;
  program->diagram = *diagram;
  program->split = builder->plan->axis;
  program->split_size = find_tile (builder->tiling, builder->plan->axis)->size;
  program->parts = split->parts;
  g_array_unref (program->partials);
  program->partials = heddle_ids_copy (split->values);
}

/* Returns the program that combines the parts. Its groups have the tiles of the first kernel's, without those
 * of the split axis; the parts stream one by one. */
static HeddleLoopProgram *
combine_new (const HeddleBuilder *builder, const HeddleSplit *split)
{
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (HeddleTile));
  g_autofree char *name = g_strconcat (builder->program->name, "_combine", NULL);
  HeddleTiling tiling = *builder->tiling;
  HeddleObstacle obstacle;
  g_autoptr (HeddleStreamPlan) plan = heddle_stream_plan_new (split->combine, split->parts, &obstacle);

  g_assert (plan != NULL);
  for (guint i = 0; i < tiling.groups->len; i++)
    if (g_array_index (tiling.groups, HeddleTile, i).axis != builder->plan->axis)
      g_array_append_val (groups, g_array_index (tiling.groups, HeddleTile, i));
  tiling.groups = groups;
  tiling.stream = split->parts;
  tiling.chunk = 1;
  tiling.stages = 1;
  tiling.inner = NULL;
  tiling.rereads = NULL;
  return heddle_loop_program_new (split->combine, plan, &tiling, name);
}

/* Takes the diagram of @split. */
static void
builder_add_combine (HeddleBuilder *builder, HeddleSplit *split)
{
  HeddleLoopProgram *program = builder->program, *combine = combine_new (builder, split);
  HeddleDiagram **diagram = g_atomic_rc_box_new0 (HeddleDiagram *);

  *diagram = g_steal_pointer (&split->diagram);
  set_split (program, builder, split, diagram);
  set_split (combine, builder, split, g_atomic_rc_box_acquire (diagram));
  program->combine = combine;
  for (guint i = 0; i < combine->inputs->len; i++)
    {
      const char *input = heddle_ids_index (combine->inputs, i);

      if (!heddle_ids_contain (split->values, input) && !heddle_ids_contain (program->inputs, input))
        heddle_ids_append (program->inputs, input);
    }
}
