/* SPDX-License-Identifier: MIT */
#include "derive/legality/refusal.h"
#include "derive/shard/small.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"

/* A sharding with as many pieces of as few elements: to be run on arrays. */

/* Returns the number of groups of the axis over all GPUs, of all links together; 0 if it is not grouped. */
static guint
ways_of (
    const HeddleSchedule *schedule, const HeddleMachine *machine, const HeddleSizes *sizes, const char *axis)
{
  guint ways = 0;

  for (guint i = 0; i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      for (guint k = 0; k < region->labels->len; k++)
        {
          const HeddleLabel *label = g_ptr_array_index (region->labels, k);

          if (label->axis == axis && heddle_machine_find_link (machine, label->level) >= 0)
            ways = MAX (ways, (guint) ((heddle_sizes_get (sizes, axis) + label->size - 1) / label->size));
        }
    }
  return ways;
}

static HeddleSizes *
small_sizes (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddleMachine *machine,
    const HeddleSizes *sizes, gint64 piece, gint64 rest)
{
  g_autoptr (GHashTable) overrides = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      gint64 n = heddle_sizes_get (sizes, axis->id);
      guint ways = ways_of (schedule, machine, sizes, axis->id);
      gint64 small = ways > 0 ? ways * MIN (n / ways, piece) : MIN (n, rest);

      if (axis->size != NULL && heddle_expr_get_kind (axis->size) == HEDDLE_EXPR_NUMBER)
        g_hash_table_insert (overrides, axis->name, g_memdup2 (&small, sizeof small));
    }
  return heddle_sizes_new (diagram, overrides, NULL);
}

/* Shortens the labels above GMEM to pieces of the small sizes. */
static void
shorten (HeddleSchedule *schedule, const HeddleMachine *machine, const HeddleSizes *sizes,
    const HeddleSizes *small)
{
  for (guint i = 0; i < schedule->regions->len; i++)
    {
      HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      for (guint k = 0; k < region->labels->len; k++)
        {
          HeddleLabel *label = g_ptr_array_index (region->labels, k);
          gint64 n = heddle_sizes_get (sizes, label->axis);

          if (heddle_machine_find_link (machine, label->level) >= 0)
            label->size
                = MAX (1, heddle_sizes_get (small, label->axis) / ((n + label->size - 1) / label->size));
        }
    }
}

HeddleSharding *
heddle_sharding_new_small (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleMachine *machine, HeddleDtype dtype, gint64 piece, gint64 rest,
    GError **error)
{
  g_autoptr (HeddleSharding) whole = heddle_sharding_new (diagram, schedule, sizes, machine, dtype, error);
  g_autoptr (HeddleSizes) small
      = whole != NULL ? small_sizes (diagram, schedule, machine, sizes, piece, rest) : NULL;
  HeddleSchedule *shorter;
  HeddleSharding *self;

  if (whole == NULL || small == NULL || g_hash_table_size (whole->refusals) > 0)
    return g_steal_pointer (&whole);
  shorter = heddle_schedule_copy (schedule);
  shorten (shorter, machine, sizes, small);
  self = heddle_sharding_new (diagram, shorter, small, machine, dtype, error);
  heddle_schedule_free (shorter);
  return self;
}

gboolean
heddle_sharding_check (const HeddleSharding *self, GError **error)
{
  GHashTableIter iter;
  gpointer refusal;

  g_hash_table_iter_init (&iter, self->refusals);
  if (!g_hash_table_iter_next (&iter, NULL, &refusal))
    return TRUE;
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_ILLEGAL, "%s:group: %s %s",
      heddle_diagram_get_axis (self->diagram, ((HeddleRefusal *) refusal)->axis)->name,
      ((HeddleRefusal *) refusal)->reason, ((HeddleRefusal *) refusal)->remedy);
  return FALSE;
}
