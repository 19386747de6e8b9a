/* SPDX-License-Identifier: MIT */
#include "derive/legality/legality.h"
#include "derive/shard/cut.h"
#include "derive/shard/merge.h"
#include "derive/shard/places.h"
#include "derive/shard/segment.h"
#include "derive/shard/shard.h"
#include "derive/shard/steps.h"
#include "diagram/analysis/sizes.h"

const char *
heddle_collective_to_string (HeddleCollectiveKind kind)
{
  static const char *const names[] = { "all-reduce", "reduce-scatter", "all-gather", "slice", "all-to-all" };

  return names[kind];
}

static void
step_free (HeddleShardStep *self)
{
  g_clear_pointer (&self->segment, heddle_shard_segment_free);
  g_free (self);
}

void
heddle_sharding_free (HeddleSharding *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->diagram, heddle_diagram_free);
  g_clear_pointer (&self->sizes, heddle_sizes_unref);
  g_ptr_array_unref (self->steps);
  g_hash_table_unref (self->given);
  g_hash_table_unref (self->left);
  g_hash_table_unref (self->places);
  g_hash_table_unref (self->apart);
  g_hash_table_unref (self->inserted);
  g_hash_table_unref (self->refusals);
  g_free (self);
}

static HeddleSharding *
sharding_new (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleMachine *machine)
{
  HeddleSharding *self = g_new0 (HeddleSharding, 1);

  self->diagram = heddle_diagram_copy (diagram);
  self->sizes = heddle_sizes_ref ((HeddleSizes *) sizes);
  self->n_links = MIN (machine->links->len, HEDDLE_MAX_LINKS);
  for (guint l = 0; l < HEDDLE_MAX_LINKS; l++)
    self->ways[l] = 1;
  self->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) step_free);
  self->given = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->left = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->places = g_hash_table_new (NULL, NULL);
  self->apart = g_hash_table_new (NULL, NULL);
  self->inserted = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->refusals
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) heddle_refusal_free);
  return self;
}

/* Returns the schedule with the operations that merge parts of softmaxes. */
static HeddleSchedule *
merged_schedule (
    HeddleSharding *self, const HeddleSchedule *schedule, const HeddleMachine *machine, HeddleDtype dtype)
{
  HeddleSchedule *own = heddle_schedule_copy (schedule);

  heddle_shard_count_places (self, own, machine, dtype);
  heddle_shard_merge (self, own, machine, dtype);
  return own;
}

HeddleSharding *
heddle_sharding_new (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddleSizes *sizes,
    const HeddleMachine *machine, HeddleDtype dtype, GError **error)
{
  g_autoptr (HeddleSharding) made = sharding_new (diagram, sizes, machine);
  HeddleSchedule *own = merged_schedule (made, schedule, machine, dtype);
  g_autoptr (GPtrArray) segments = heddle_shard_cut (made, own, machine, dtype, error);

  heddle_schedule_free (own);
  if (segments == NULL)
    return NULL;
  made->gpus = 1;
  for (guint l = 0; l < made->n_links; l++)
    made->gpus *= made->ways[l];
  if (g_hash_table_size (made->refusals) == 0)
    heddle_shard_make_steps (made, segments, machine, dtype);
  return g_steal_pointer (&made);
}
