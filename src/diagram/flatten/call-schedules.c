/* SPDX-License-Identifier: MIT */
#include "diagram/document/schedule.h"
#include "diagram/flatten/call-schedules.h"
#include "diagram/graph/diagram.h"

static const char *
get_root (const HeddleFlatMap *self)
{
  return ((const HeddleFlatFrame *) g_ptr_array_index (self->frames, 0))->diagram->id;
}

static HeddleSchedule *
find_own (const HeddleFlatMap *self, const HeddleSnapshot *snapshot, const HeddleFlatFrame *frame)
{
  return frame->caller != NULL ? heddle_snapshot_find_call_schedule (
             snapshot, frame->diagram, get_root (self), g_intern_string (frame->ids))
                               : NULL;
}

GHashTable *
heddle_flat_map_list_schedules (const HeddleFlatMap *self, const HeddleSnapshot *snapshot)
{
  g_return_val_if_fail (self != NULL && snapshot != NULL, NULL);
  GHashTable *schedules = g_hash_table_new (NULL, NULL);
  for (guint i = 0; snapshot->schedules->len > 0 && i < self->frames->len; i++)
    {
      HeddleFlatFrame *frame = g_ptr_array_index (self->frames, i);
      HeddleSchedule *schedule = find_own (self, snapshot, frame);
      if (schedule == NULL)
        schedule = heddle_snapshot_find_schedule (snapshot, frame->diagram);
      if (schedule != NULL)
        g_hash_table_insert (schedules, frame, schedule);
    }
  return schedules;
}

static gboolean
is_of_call (const HeddleFlatMap *self, const HeddleSchedule *schedule)
{
  return schedule->call != NULL && schedule->root == get_root (self);
}

gboolean
heddle_flat_map_has_call_schedules (const HeddleFlatMap *self, const HeddleSnapshot *snapshot)
{
  g_return_val_if_fail (self != NULL && snapshot != NULL, FALSE);
  for (guint i = 0; i < snapshot->schedules->len; i++)
    if (is_of_call (self, g_ptr_array_index (snapshot->schedules, i)))
      return TRUE;
  return FALSE;
}

void
heddle_flat_map_drop_call_schedules (const HeddleFlatMap *self, HeddleSnapshot *snapshot)
{
  g_return_if_fail (self != NULL && snapshot != NULL);
  for (guint i = snapshot->schedules->len; i-- > 0;)
    if (is_of_call (self, g_ptr_array_index (snapshot->schedules, i)))
      g_ptr_array_remove_index (snapshot->schedules, i);
}

void
heddle_flat_map_drop_idle_schedules (const HeddleFlatMap *self, HeddleSnapshot *snapshot)
{
  g_return_if_fail (self != NULL && snapshot != NULL);
  if (!heddle_flat_map_has_call_schedules (self, snapshot))
    return;
  g_autoptr (GHashTable) calls = g_hash_table_new (NULL, NULL);
  for (guint i = 1; i < self->frames->len; i++)
    g_hash_table_add (calls,
        (gpointer) g_intern_string (((const HeddleFlatFrame *) g_ptr_array_index (self->frames, i))->ids));
  for (guint i = snapshot->schedules->len; i-- > 0;)
    {
      const HeddleSchedule *schedule = g_ptr_array_index (snapshot->schedules, i);
      if (is_of_call (self, schedule) && !g_hash_table_contains (calls, schedule->call))
        g_ptr_array_remove_index (snapshot->schedules, i);
    }
}

/* --- apart --- */

/* Returns how often each diagram is called: const HeddleDiagram -> number. */
static GHashTable *
count_calls (const HeddleFlatMap *self)
{
  GHashTable *counts = g_hash_table_new (NULL, NULL);
  for (guint i = 1; i < self->frames->len; i++)
    {
      const HeddleDiagram *diagram = ((const HeddleFlatFrame *) g_ptr_array_index (self->frames, i))->diagram;
      g_hash_table_insert (counts, (gpointer) diagram,
          GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, diagram)) + 1));
    }
  return counts;
}

/* Takes the kernels and layouts of @from. */
static void
take_kernels (HeddleSchedule *self, const HeddleSchedule *from)
{
  HeddleSchedule *copy = heddle_schedule_copy (from);
  GPtrArray *regions = self->regions, *layouts = self->layouts;
  self->regions = copy->regions;
  self->layouts = copy->layouts;
  copy->regions = regions;
  copy->layouts = layouts;
  heddle_schedule_free (copy);
}

void
heddle_flat_map_part_schedules (const HeddleFlatMap *self, HeddleSnapshot *snapshot)
{
  g_return_if_fail (self != NULL && snapshot != NULL);
  g_autoptr (GHashTable) counts = count_calls (self);
  for (guint i = 1; i < self->frames->len; i++)
    {
      const HeddleFlatFrame *frame = g_ptr_array_index (self->frames, i);
      const HeddleSchedule *all = heddle_snapshot_find_schedule (snapshot, frame->diagram);
      if (GPOINTER_TO_UINT (g_hash_table_lookup (counts, frame->diagram)) < 2
          || find_own (self, snapshot, frame) != NULL)
        continue;
      HeddleSchedule *own = heddle_schedule_new (frame->diagram->id);
      own->root = get_root (self);
      own->call = g_intern_string (frame->ids);
      if (all != NULL)
        take_kernels (own, all);
      g_ptr_array_add (snapshot->schedules, own);
    }
}

/* --- together --- */

static gboolean
is_same (const HeddleSchedule *a, const HeddleSchedule *b)
{
  if (a->regions->len != b->regions->len || a->layouts->len != b->layouts->len)
    return FALSE;
  for (guint i = 0; i < a->regions->len; i++)
    {
      const HeddleRegion *one = g_ptr_array_index (a->regions, i), *other = g_ptr_array_index (b->regions, i);
      if (!heddle_ids_equal (one->operations, other->operations)
          || !heddle_region_has_labels (one, other->labels))
        return FALSE;
    }
  for (guint i = 0; i < a->layouts->len; i++)
    {
      const HeddleValueLayout *layout = g_ptr_array_index (a->layouts, i);
      if (!heddle_schedule_has_layout (b, layout->value, layout->axes))
        return FALSE;
    }
  return TRUE;
}

/* Returns the schedules of the calls of @diagram. Transfer container. */
static GPtrArray *
list_own (const HeddleFlatMap *self, HeddleSnapshot *snapshot, const HeddleDiagram *diagram)
{
  GPtrArray *own = heddle_snapshot_list_schedules (snapshot, diagram);
  for (guint i = own->len; i-- > 0;)
    if (!is_of_call (self, g_ptr_array_index (own, i)))
      g_ptr_array_remove_index (own, i);
  return own;
}

/* Returns one of the schedules that most are like; NULL: there is none. */
static const HeddleSchedule *
find_usual (const GPtrArray *schedules)
{
  const HeddleSchedule *usual = NULL;
  guint most = 0;
  for (guint i = 0; i < schedules->len; i++)
    {
      guint n = 0;
      for (guint k = i; k < schedules->len; k++)
        n += is_same (g_ptr_array_index (schedules, i), g_ptr_array_index (schedules, k));
      if (n > most)
        usual = g_ptr_array_index (schedules, i);
      most = MAX (n, most);
    }
  return usual;
}

void
heddle_flat_map_unite_schedules (const HeddleFlatMap *self, HeddleSnapshot *snapshot)
{
  g_return_if_fail (self != NULL && snapshot != NULL);
  g_autoptr (GHashTable) done = g_hash_table_new (NULL, NULL);
  for (guint i = 1; i < self->frames->len; i++)
    {
      const HeddleDiagram *diagram = ((const HeddleFlatFrame *) g_ptr_array_index (self->frames, i))->diagram;
      if (!g_hash_table_add (done, (gpointer) diagram))
        continue;
      g_autoptr (GPtrArray) own = list_own (self, snapshot, diagram);
      const HeddleSchedule *usual = find_usual (own);
      if (usual == NULL)
        continue;
      HeddleSchedule *all = heddle_snapshot_get_schedule (snapshot, diagram);
      take_kernels (all, usual);
      for (guint k = 0; k < own->len; k++)
        if (is_same (all, g_ptr_array_index (own, k)))
          g_ptr_array_remove (snapshot->schedules, g_ptr_array_index (own, k));
    }
}
