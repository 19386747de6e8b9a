/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/machine/machine.h"
#include "derive/region/cover-private.h"
#include "derive/region/cover.h"

#include <glib/gi18n-lib.h>

static void
part_free (HeddlePart *self)
{
  g_array_unref (self->operations);
  g_hash_table_unref (self->again);
  g_free (self);
}

static HeddlePart *
part_new (const HeddleRegion *region)
{
  HeddlePart *self = g_new0 (HeddlePart, 1);

  self->region = region;
  self->operations = heddle_ids_new ();
  self->again = g_hash_table_new (NULL, NULL);
  return self;
}

/* Returns the part of an operation: that of its region, or of its statement. */
static HeddlePart *
get_part (GPtrArray *parts, GHashTable *by_key, const HeddleDiagram *diagram, GHashTable *regions,
    const HeddleOperation *operation)
{
  const HeddleRegion *region = g_hash_table_lookup (regions, operation->id);
  const char *statement = region == NULL ? heddle_diagram_statement_of (diagram, operation->id) : NULL;
  gconstpointer key = region != NULL ? (gconstpointer) region : statement != NULL ? statement : operation->id;
  HeddlePart *part = g_hash_table_lookup (by_key, key);

  if (part != NULL)
    return part;
  part = part_new (region);
  g_hash_table_insert (by_key, (gpointer) key, part);
  g_ptr_array_add (parts, part);
  return part;
}

/* Returns a map from each operation that has a region to the first such region. */
static GHashTable *
regions_by_operation (const HeddleSchedule *schedule)
{
  GHashTable *regions = g_hash_table_new (NULL, NULL);

  for (guint i = schedule != NULL ? schedule->regions->len : 0; i-- > 0;)
    {
      HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      for (guint k = 0; k < region->operations->len; k++)
        g_hash_table_insert (regions, (gpointer) heddle_ids_index (region->operations, k), region);
    }
  return regions;
}

GPtrArray *
heddle_parts_cover (const HeddleDiagram *diagram, const HeddleSchedule *schedule, GHashTable *by_operation)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func ((GDestroyNotify) part_free);
  g_autoptr (GHashTable) by_key = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) regions = regions_by_operation (schedule);

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      HeddlePart *part = get_part (parts, by_key, diagram, regions, operation);

      heddle_ids_append (part->operations, operation->id);
      g_hash_table_insert (by_operation, (gpointer) operation->id, part);
    }
  return parts;
}

static int
compare_positions (gconstpointer a, gconstpointer b)
{
  const guint first = *(const guint *) a, second = *(const guint *) b;

  return first < second ? -1 : first > second;
}

/* One region is looked at again and again while labels are searched: this takes no time for the others. */
GPtrArray *
heddle_parts_of_region (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *region)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func ((GDestroyNotify) part_free);
  g_autoptr (GArray) positions = g_array_new (FALSE, FALSE, sizeof (guint));
  const HeddleRegion *own = heddle_schedule_get_region (schedule, region);
  HeddlePart *part;

  for (guint i = 0; own != NULL && i < own->operations->len; i++)
    {
      const char *id = heddle_ids_index (own->operations, i);
      const int position = heddle_diagram_index_of_operation (diagram, id);

      if (position >= 0 && heddle_schedule_region_of (schedule, id) == own)
        g_array_append_val (positions, position);
    }
  if (positions->len == 0)
    return parts;
  g_array_sort (positions, compare_positions);
  part = part_new (own);
  g_ptr_array_add (parts, part);
  for (guint i = 0; i < positions->len; i++)
    {
      const guint position = g_array_index (positions, guint, i);
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, position);

      if (i == 0 || position != g_array_index (positions, guint, i - 1))
        heddle_ids_append (part->operations, operation->id);
    }
  return parts;
}

/* Returns a value that @part reads and that a part makes which is not done; NULL if it is ready. */
static const char *
find_missing (
    const HeddleDiagram *diagram, GHashTable *by_operation, GHashTable *done, const HeddlePart *part)
{
  for (guint i = 0; i < part->operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (diagram, heddle_ids_index (part->operations, i));

      for (guint k = 0; k < operation->operands->len; k++)
        {
          const char *operand = heddle_ids_index (operation->operands, k);
          const HeddleOperation *producer = heddle_diagram_get_producer (diagram, operand);
          const HeddlePart *maker
              = producer != NULL ? g_hash_table_lookup (by_operation, producer->id) : NULL;

          if (maker != NULL && maker != part && !g_hash_table_contains (done, maker))
            return operand;
        }
    }
  return NULL;
}

/* Reports parts that wait for one another. Going from @part, which is not ready, to the one that makes what
 * it waits for, and so on, ends among those. */
static void
refuse_ring (const HeddleDiagram *diagram, GHashTable *by_operation, GHashTable *done, const HeddlePart *part,
    guint n_parts, GError **error)
{
  const char *missing = find_missing (diagram, by_operation, done, part);
  const char *last;
  g_autofree char *needed = NULL, *own = NULL;

  for (guint i = 0; i < n_parts; i++)
    {
      part = g_hash_table_lookup (by_operation, heddle_diagram_get_producer (diagram, missing)->id);
      missing = find_missing (diagram, by_operation, done, part);
    }
  last = heddle_ids_index (part->operations, part->operations->len - 1);
  own = heddle_diagram_value_label (diagram, heddle_diagram_get_operation (diagram, last)->result);
  needed = heddle_diagram_value_label (diagram, missing);
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION,
      _ ("the regions of the schedule wait for one another: that of %s needs %s, which another makes of what "
         "it "
         "makes itself; fuse %s with it, or unfuse it"),
      own, needed, needed);
}

GPtrArray *
heddle_parts_sort (const HeddleDiagram *diagram, GPtrArray *parts, GHashTable *by_operation, GError **error)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  g_autoptr (GHashTable) done = g_hash_table_new (NULL, NULL);

  while (sorted->len < parts->len)
    {
      guint before = sorted->len;

      for (guint i = 0; i < parts->len; i++)
        {
          HeddlePart *part = g_ptr_array_index (parts, i);

          if (g_hash_table_contains (done, part) || find_missing (diagram, by_operation, done, part) != NULL)
            continue;
          g_hash_table_add (done, part);
          g_ptr_array_add (sorted, part);
        }
      if (sorted->len > before)
        continue;
      for (guint i = 0; i < parts->len; i++)
        if (!g_hash_table_contains (done, g_ptr_array_index (parts, i)))
          {
            refuse_ring (diagram, by_operation, done, g_ptr_array_index (parts, i), parts->len, error);
            return NULL;
          }
      g_assert_not_reached ();
    }
  return g_steal_pointer (&sorted);
}
