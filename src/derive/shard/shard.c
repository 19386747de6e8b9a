/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/legality/legality.h"
#include "derive/machine/machine.h"
#include "derive/shard/cut.h"
#include "derive/shard/merge.h"
#include "derive/shard/places.h"
#include "derive/shard/shard.h"
#include "derive/shard/steps.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

const char *
heddle_collective_to_string (HeddleCollectiveKind kind)
{
  static const char *const names[] = { "all-reduce", "reduce-scatter", "all-gather", "slice", "all-to-all" };

  return names[kind];
}

void
heddle_shard_segment_free (HeddleShardSegment *self)
{
  g_clear_pointer (&self->diagram, heddle_diagram_free);
  g_clear_pointer (&self->sizes, heddle_sizes_unref);
  g_clear_pointer (&self->schedule, heddle_schedule_free);
  g_hash_table_unref (self->needs);
  g_hash_table_unref (self->gives);
  g_free (self);
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

gboolean
heddle_shard_layout_equal (const HeddleShardLayout *a, const HeddleShardLayout *b)
{
  for (guint l = 0; l < HEDDLE_MAX_LINKS; l++)
    if (a->how[l] != b->how[l] || a->axis[l] != b->axis[l])
      return FALSE;
  return TRUE;
}

gint64
heddle_shard_layout_elements (
    const HeddleShardLayout *self, const HeddleSharding *sharding, const char *value)
{
  gint64 elements
      = heddle_sizes_elements (sharding->sizes, heddle_diagram_get_value (sharding->diagram, value));

  for (guint l = 0; l < sharding->n_links; l++)
    if (self->how[l] == HEDDLE_SPREAD_SPLIT)
      elements /= sharding->ways[l];
  return elements;
}

static gboolean
is_at_link (const HeddleLabel *label, const HeddleMachine *machine)
{
  return heddle_machine_find_link (machine, label->level) >= 0;
}

gboolean
heddle_schedule_is_sharded (const HeddleSchedule *schedule, const HeddleMachine *machine)
{
  for (guint i = 0; schedule != NULL && machine->links->len > 0 && i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      for (guint k = 0; k < region->labels->len; k++)
        if (is_at_link (g_ptr_array_index (region->labels, k), machine))
          return TRUE;
    }
  return FALSE;
}

HeddleSchedule *
heddle_schedule_unsharded (const HeddleSchedule *schedule, const HeddleMachine *machine)
{
  HeddleSchedule *copy = heddle_schedule_copy (schedule);

  for (guint i = 0; i < copy->regions->len; i++)
    {
      HeddleRegion *region = g_ptr_array_index (copy->regions, i);

      for (guint k = region->labels->len; k-- > 0;)
        if (is_at_link (g_ptr_array_index (region->labels, k), machine))
          g_ptr_array_remove_index (region->labels, k);
    }
  return copy;
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

/* With what merges parts of softmaxes. */
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
