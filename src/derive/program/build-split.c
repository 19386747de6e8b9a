/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/program/build-private.h"
#include "derive/program/build-split.h"
#include "derive/program/build.h"
#include "derive/program/loop-program-private.h"
#include "derive/program/loop-program.h"
#include "derive/stream/split.h"
#include "derive/stream/stream.h"
#include "diagram/graph/diagram.h"

/* The two kernels of a streamed axis that is grouped as well. */

static const HeddleTile *
find_tile (const HeddleTiling *tiling, const char *axis)
{
  for (guint i = 0; axis != NULL && i < tiling->groups->len; i++)
    if (g_array_index (tiling->groups, HeddleTile, i).axis == axis)
      return &g_array_index (tiling->groups, HeddleTile, i);
  return NULL;
}

/* Of a streamed axis that is grouped, where states are carried along it; NULL: there is nothing to merge. */
HeddleSplit *
heddle_builder_new_split (const HeddleBuilder *builder)
{
  gboolean states = FALSE;

  for (guint i = 0; i < builder->plan->definitions->len; i++)
    states = states
             || (builder->needed[i] && heddle_builder_streaming (builder, i)->phase == HEDDLE_PHASE_STATE);
  return states && find_tile (builder->tiling, builder->plan->axis) != NULL
             ? heddle_split_new (builder->plan, builder->needed, builder->tiling->dtype)
             : NULL;
}

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

/* Groups of the same tiles as the first kernel's, without those of the split axis; the parts stream one by one. */
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

void
heddle_builder_add_combine (HeddleBuilder *builder, HeddleSplit *split)
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
