/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/base/error.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/schedule.h"

/* --- which operations ------------------------------------------------------------- */

/* Returns the region of the operation, or NULL. @schedule may be NULL where nothing is fused yet. */
static const HeddleRegion *
region_of (const HeddleSchedule *schedule, const char *operation_id)
{
  return schedule != NULL ? heddle_schedule_region_of (schedule, operation_id) : NULL;
}

static gboolean
add_all (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const GArray *ids, GHashTable *chosen,
    GError **error)
{
  if (ids->len == 0)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("Choose the operations to fuse"));
  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = heddle_ids_index (ids, i);
      if (heddle_diagram_get_operation (diagram, id) == NULL)
        return heddle_edit_fail (
            error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("Only operations can be fused; %s is none"), id);
      g_hash_table_add (chosen, (gpointer) id);
      const HeddleRegion *region = region_of (schedule, id);
      for (guint j = 0; region != NULL && j < region->operations->len; j++)
        g_hash_table_add (chosen, (gpointer) heddle_ids_index (region->operations, j));
    }
  return TRUE;
}

/* Adds the unnamed operations that feed a chosen one within its statement, unless they are fused
 * elsewhere. */
static void
add_feeders (const HeddleDiagram *diagram, const HeddleSchedule *schedule, GHashTable *chosen)
{
  for (guint i = diagram->operations->len; i-- > 0;)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      if (g_hash_table_contains (chosen, operation->id)
          || heddle_diagram_statement_of (diagram, operation->id) == operation->result
          || region_of (schedule, operation->id) != NULL)
        continue;
      g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, operation->result);
      for (guint j = 0; j < readers->len; j++)
        if (g_hash_table_contains (chosen, ((HeddleOperation *) g_ptr_array_index (readers, j))->id))
          g_hash_table_add (chosen, (gpointer) operation->id);
    }
}

/* --- convexity ------------------------------------------------------------------- */

/* Returns the operations outside the chosen ones that read from one of them at any distance. */
static GHashTable *
find_downstream (const HeddleDiagram *diagram, GHashTable *chosen)
{
  GHashTable *downstream = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      for (guint j = 0; j < operation->operands->len; j++)
        {
          const HeddleOperation *producer
              = heddle_diagram_get_producer (diagram, heddle_ids_index (operation->operands, j));
          if (producer != NULL && !g_hash_table_contains (chosen, operation->id)
              && (g_hash_table_contains (chosen, producer->id)
                  || g_hash_table_contains (downstream, producer->id)))
            g_hash_table_add (downstream, (gpointer) operation->id);
        }
    }
  return downstream;
}

/* Returns an operation outside through which a path leaves the chosen ones and comes back; NULL if there is
 * none. Chosen operations that read from downstream ones show where a path comes back. */
const HeddleOperation *
heddle_edit_find_hole (const HeddleDiagram *diagram, GHashTable *chosen)
{
  g_autoptr (GHashTable) downstream = find_downstream (diagram, chosen);
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      for (guint j = 0; j < operation->operands->len; j++)
        {
          const HeddleOperation *producer
              = heddle_diagram_get_producer (diagram, heddle_ids_index (operation->operands, j));
          if (producer != NULL && g_hash_table_contains (chosen, operation->id)
              && g_hash_table_contains (downstream, producer->id))
            return producer;
        }
    }
  return NULL;
}

static gboolean
is_convex (const HeddleDiagram *diagram, GHashTable *chosen, GError **error)
{
  const HeddleOperation *hole = heddle_edit_find_hole (diagram, chosen);
  if (hole == NULL)
    return TRUE;
  g_autofree char *label = heddle_diagram_value_label (diagram, hole->result);
  return heddle_edit_fail (
      error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("%s lies between the operations to fuse: fuse it too"), label);
}

/* --- regions --------------------------------------------------------------------- */

/* Returns the first region of a chosen operation, which takes the labels of the others, or a new one. */
static HeddleRegion *
merge_regions (HeddleSchedule *schedule, GHashTable *chosen)
{
  HeddleRegion *merged = NULL;
  for (guint i = 0; i < schedule->regions->len;)
    {
      HeddleRegion *region = g_ptr_array_index (schedule->regions, i);
      gboolean is_chosen = region->operations->len > 0
                           && g_hash_table_contains (chosen, heddle_ids_index (region->operations, 0));
      if (is_chosen && merged == NULL)
        merged = region;
      else if (is_chosen)
        {
          heddle_region_take_labels (merged, region);
          g_ptr_array_remove_index (schedule->regions, i);
          continue;
        }
      i++;
    }
  return merged != NULL ? merged : heddle_schedule_add_region (schedule);
}

/* Returns the ids to fuse, or NULL where they cannot be fused. */
static GHashTable *
choose (
    const HeddleDiagram *diagram, const HeddleSchedule *schedule, const GArray *operations, GError **error)
{
  g_autoptr (GHashTable) chosen = g_hash_table_new (NULL, NULL);
  if (!add_all (diagram, schedule, operations, chosen, error))
    return NULL;
  add_feeders (diagram, schedule, chosen);
  return is_convex (diagram, chosen, error) ? g_steal_pointer (&chosen) : NULL;
}

gboolean
heddle_edit_fuse (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *operations,
    const char **region_id, GError **error)
{
  const HeddleSchedule *known = heddle_snapshot_find_schedule (snapshot, diagram);
  g_autoptr (GHashTable) chosen = choose (diagram, known, operations, error);
  if (chosen == NULL)
    return FALSE;
  HeddleRegion *region = merge_regions (heddle_snapshot_get_schedule (snapshot, diagram), chosen);
  g_array_set_size (region->operations, 0);
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      if (g_hash_table_contains (chosen, operation->id))
        heddle_ids_append (region->operations, operation->id);
    }
  if (region_id != NULL)
    *region_id = region->id;
  return TRUE;
}

gboolean
heddle_edit_unfuse (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *region_id, GError **error)
{
  HeddleSchedule *schedule = heddle_snapshot_find_schedule (snapshot, diagram);
  HeddleRegion *region = schedule != NULL ? heddle_schedule_get_region (schedule, region_id) : NULL;
  if (region == NULL)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("Nothing is fused here"));
  return g_ptr_array_remove (schedule->regions, region);
}

/* --- labels ---------------------------------------------------------------------- */

gboolean
heddle_edit_set_label (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *region_id,
    const char *axis, const char *level, HeddleLabelKind kind, gint64 size, GError **error)
{
  HeddleSchedule *schedule = heddle_snapshot_find_schedule (snapshot, diagram);
  HeddleRegion *region = schedule != NULL ? heddle_schedule_get_region (schedule, region_id) : NULL;
  if (region == NULL)
    return heddle_edit_fail (
        error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("Labels belong to fused operations: fuse first"));
  if (heddle_diagram_get_axis (diagram, axis) == NULL)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("The axis is no longer in the diagram"));
  if (size < 0)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("The size of a label is at least 1"));
  HeddleLabel *label = heddle_region_get_label (region, axis, level, kind);
  if (size == 0)
    {
      g_ptr_array_remove (region->labels, label);
      return TRUE;
    }
  if (label == NULL)
    g_ptr_array_add (region->labels, label = heddle_label_new (axis, level, kind, size));
  label->size = size;
  g_clear_pointer (&label->inactive, g_free);
  return TRUE;
}

/* Checks that the value exists and that @column (which may be NULL) reads it. */
static gboolean
check_column (const HeddleDiagram *diagram, const char *value, const char *column, GError **error)
{
  const HeddleOperation *reader = column != NULL ? heddle_diagram_get_operation (diagram, column) : NULL;
  if (heddle_diagram_get_value (diagram, value) == NULL)
    return heddle_edit_fail (
        error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("The array is no longer in the diagram"));
  if (column != NULL && (reader == NULL || !heddle_ids_contain (reader->operands, value)))
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("The array is not read there"));
  return TRUE;
}

gboolean
heddle_edit_set_residency (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value,
    const char *column, const char *level, GError **error)
{
  if (!check_column (diagram, value, column, error))
    return FALSE;
  heddle_schedule_set_residency (heddle_snapshot_get_schedule (snapshot, diagram), g_intern_string (value),
      g_intern_string (column), level);
  return TRUE;
}

gboolean
heddle_edit_set_recomputed (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value,
    const char *column, gboolean recomputed, GError **error)
{
  if (!check_column (diagram, value, column, error))
    return FALSE;
  if (column == NULL || heddle_diagram_get_producer (diagram, value) == NULL)
    return heddle_edit_fail (
        error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("An input is not computed: it is given"));
  heddle_schedule_set_recomputed (heddle_snapshot_get_schedule (snapshot, diagram), g_intern_string (value),
      g_intern_string (column), recomputed);
  return TRUE;
}

gboolean
heddle_edit_set_divisors (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *reasons, GError **error)
{
  HeddleSchedule *schedule = heddle_snapshot_get_schedule (snapshot, diagram);
  g_free (schedule->divisors);
  schedule->divisors = reasons != NULL && *reasons != '\0' ? g_strdup (reasons) : NULL;
  return TRUE;
}

gboolean
heddle_edit_set_budget (HeddleSnapshot *snapshot, HeddleDiagram *diagram, gint64 bytes, GError **error)
{
  if (bytes < 0)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("Memory is at least one byte"));
  heddle_snapshot_get_schedule (snapshot, diagram)->budget = bytes;
  return TRUE;
}
