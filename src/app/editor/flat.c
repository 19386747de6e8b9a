/* SPDX-License-Identifier: MIT */

/* The editor derives the diagram shown, with the diagrams that it calls in the place of the calls, at the sizes that a
 * call gives where the diagram shown is a definition. Labels and kernels go back to the definitions that
 * they belong to. */

#include <glib/gi18n.h>

#include "app/editor/flat.h"
#include "app/editor/preview.h"
#include "derive/machine/machine.h"
#include "derive/region/view.h"
#include "derive/derivation/schedule-text.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/problem.h"
#include "diagram/document/snapshot.h"
#include "diagram/flatten/call-schedules.h"
#include "diagram/flatten/flatten.h"
#include "diagram/flatten/map.h"
#include "app/editor/private.h"
#include "diagram/graph/calls.h"

static void
forget_flat (HeddleEditor *self)
{
  g_clear_pointer (&self->flat_map, heddle_flat_map_free);
  g_clear_pointer (&self->flat, heddle_snapshot_unref);
  g_clear_pointer (&self->flat_sizes, heddle_sizes_unref);
  g_clear_pointer (&self->sizes_error, g_free);
  self->flat_diagram = NULL;
}

/* The sizes of a definition's axes where it is called, by name; NULL: it is not called, or not at known sizes. */
static GHashTable *
sizes_of_frame (const HeddleFlatFrame *frame, const HeddleDiagram *definition, const HeddleSizes *sizes)
{
  GHashTable *known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < definition->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (definition->axes, i);
      const char *flat = heddle_flat_frame_get_axis (frame, axis->id);
      const gint64 size = flat != NULL ? heddle_sizes_get (sizes, flat) : 0;

      if (axis->size == NULL && size > 0)
        g_hash_table_insert (known, g_strdup (axis->name), g_memdup2 (&size, sizeof size));
    }
  return known;
}

static GHashTable *
find_context (HeddleEditor *self)
{
  const HeddleDiagram *top = heddle_snapshot_get_diagram (self->snapshot, NULL);
  g_autoptr (HeddleFlatMap) map = NULL;
  g_autoptr (HeddleSnapshot) flat = NULL;
  g_autoptr (HeddleSizes) sizes = NULL;
  const HeddleFlatFrame *frame = NULL;

  if (self->diagram == top || !heddle_diagram_has_calls (top))
    return NULL;
  flat = heddle_snapshot_flatten_mapped (self->snapshot, top, NULL, &map, NULL, NULL);
  if (flat != NULL)
    sizes = heddle_sizes_new (heddle_snapshot_get_diagram (flat, NULL), NULL, NULL);
  if (sizes != NULL)
    frame = heddle_flat_map_find_frame (map, self->diagram->id, self->opened_by);
  return frame != NULL ? sizes_of_frame (frame, self->diagram, sizes) : NULL;
}

void
heddle_editor_update_flat (HeddleEditor *self)
{
  g_autoptr (GHashTable) context = NULL;
  g_autoptr (GError) error = NULL;

  forget_flat (self);
  g_clear_pointer (&self->sizes, heddle_sizes_unref);
  if (self->diagram == NULL)
    return;
  context = find_context (self);
  self->flat_diagram = self->diagram;
  if (heddle_diagram_has_calls (self->diagram) && !heddle_problems_have_errors (self->problems))
    self->flat = heddle_snapshot_flatten_mapped (
        self->snapshot, self->diagram, context, &self->flat_map, NULL, &error);
  if (self->flat != NULL)
    self->flat_diagram = heddle_snapshot_get_diagram (self->flat, NULL);
  self->sizes = heddle_sizes_new (self->diagram, context, error == NULL ? &error : NULL);
  if (error == NULL)
    self->flat_sizes = self->flat != NULL ? heddle_sizes_new (self->flat_diagram, context, &error)
                                          : heddle_sizes_ref (self->sizes);
  if (error != NULL)
    self->sizes_error = g_strdup (error->message);
}

/* --- what no definition can label --- */

/* As long as a row of threads reads at once, and a tile of what a call is mapped over. */
#define READ_TILE 64
#define WOVEN_TILE 16

static gboolean
is_labelled (const HeddleSchedule *schedule)
{
  for (guint i = 0; schedule != NULL && i < schedule->regions->len; i++)
    if (((HeddleRegion *) g_ptr_array_index (schedule->regions, i))->labels->len > 0)
      return TRUE;
  return FALSE;
}

static const char *
label_level (const HeddleMachine *machine)
{
  for (guint i = 0; machine != NULL && i < machine->levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (machine->levels, i);

      if (level->labels)
        return level->name;
    }
  return NULL;
}

static gboolean
has_label (const HeddleRegion *region, const char *axis)
{
  for (guint i = 0; i < region->labels->len; i++)
    if (((HeddleLabel *) g_ptr_array_index (region->labels, i))->axis == axis)
      return TRUE;
  return FALSE;
}

/* Groups the axes of what @operation makes that @frame (NULL: any) has no axis for; the last one in tiles of @tile. Returns
 * how many labels that took. */
static guint
label_foreign (HeddleEditor *self, HeddleRegion *region, const char *operation, const HeddleFlatFrame *frame,
    gint64 tile, const char *level)
{
  const HeddleOperation *flat = heddle_diagram_get_operation (self->flat_diagram, operation);
  const GArray *axes = heddle_diagram_get_value (self->flat_diagram, flat->result)->axes;
  guint n = 0;

  for (guint i = axes->len; i-- > 0;)
    {
      const char *axis = heddle_ids_index (axes, i);

      if ((frame != NULL && heddle_flat_frame_find_axis (frame, axis) != NULL) || has_label (region, axis))
        continue;
      g_ptr_array_add (region->labels, heddle_label_new (axis, level, HEDDLE_LABEL_GROUP,
                                           CLAMP (heddle_sizes_get (self->flat_sizes, axis), 1, tile)));
      n++;
      tile = 1;
    }
  return n;
}

static void
label_read (HeddleEditor *self, HeddleSchedule *schedule, const char *operation, const char *level)
{
  g_autofree char *id = g_strdup_printf ("r.%s", operation);
  HeddleRegion *region = heddle_region_new (g_intern_string (id));

  heddle_ids_append (region->operations, operation);
  label_foreign (self, region, operation, NULL, READ_TILE, level);
  g_ptr_array_add (schedule->regions, region);
}

static guint
label_woven (HeddleEditor *self, HeddleRegion *region, const char *level)
{
  guint n = 0;

  for (guint i = 0; i < region->operations->len; i++)
    {
      const char *operation = heddle_ids_index (region->operations, i);
      const HeddleFlatOrigin *origin = g_hash_table_lookup (self->flat_map->origins, operation);

      if (origin->frame->caller != NULL && origin->operation != NULL)
        n += label_foreign (self, region, operation, origin->frame, WOVEN_TILE, level);
    }
  return n;
}

/* Adds to @schedule (nullable), of the diagram without calls, the labels that no definition can hold. Returns how many of
 * them are lost when it is stored: what only reads is no loss. */
static guint
label_all_foreign (HeddleEditor *self, HeddleSchedule *schedule)
{
  const char *level = label_level (self->machine);
  guint n_woven = 0;

  if (!is_labelled (schedule) || level == NULL || self->flat_sizes == NULL)
    return 0;
  for (guint i = 0; i < schedule->regions->len; i++)
    n_woven += label_woven (self, g_ptr_array_index (schedule->regions, i), level);
  for (guint i = 0; i < self->flat_diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->flat_diagram->operations, i);
      const HeddleFlatOrigin *origin = g_hash_table_lookup (self->flat_map->origins, operation->id);

      if (origin->operation == NULL && heddle_schedule_region_of (schedule, operation->id) == NULL
          && !heddle_view_is (self->flat_diagram, self->flat_sizes, schedule, operation))
        label_read (self, schedule, operation->id, level);
    }
  return n_woven;
}

/* Returns whether the document keeps the schedule of the diagram without calls as it is. */
static gboolean
is_inlined (HeddleEditor *self)
{
  return self->flat != NULL && heddle_snapshot_find_inlined_schedule (self->snapshot, self->diagram) != NULL;
}

void
heddle_editor_label_foreign (HeddleEditor *self)
{
  self->n_foreign
      = label_all_foreign (self, self->flat != NULL && !is_inlined (self)
                                     ? heddle_snapshot_find_schedule (self->flat, self->flat_diagram)
                                     : NULL);
}

gboolean
heddle_editor_is_read (HeddleEditor *self, const HeddleRegion *region)
{
  const HeddleFlatOrigin *origin = NULL;

  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), FALSE);

  if (self->flat_map == NULL || region->operations->len != 1)
    return FALSE;
  origin = g_hash_table_lookup (self->flat_map->origins, heddle_ids_index (region->operations, 0));
  return origin != NULL && origin->operation == NULL;
}

void
heddle_editor_clear_flat (HeddleEditor *self)
{
  forget_flat (self);
}

HeddleSnapshot *
heddle_editor_get_flat_snapshot (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->flat != NULL ? self->flat : self->snapshot;
}

const HeddleDiagram *
heddle_editor_get_flat_diagram (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->flat_diagram;
}

HeddleSizes *
heddle_editor_get_flat_sizes (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->flat_sizes;
}

GArray *
heddle_editor_get_flat_selection (HeddleEditor *self)
{
  GArray *operations = heddle_ids_new ();

  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), operations);

  for (guint i = 0; self->diagram != NULL && i < self->selection->len; i++)
    {
      const char *id = heddle_ids_index (self->selection, i);

      if (heddle_diagram_get_operation (self->diagram, id) == NULL)
        continue;
      if (self->flat_map != NULL)
        {
          g_autoptr (GArray) parts = heddle_flat_map_get_operations (self->flat_map, self->flat_diagram, id);

          g_array_append_vals (operations, parts->data, parts->len);
        }
      else
        heddle_ids_append (operations, id);
    }
  return operations;
}

const char *
heddle_editor_get_shown_operation (HeddleEditor *self, const char *flat)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  return self->flat_map == NULL || flat == NULL ? flat : heddle_flat_map_see (self->flat_map, flat);
}

gboolean
heddle_editor_get_origin (HeddleEditor *self, const char *operation, gconstpointer origin[2])
{
  const HeddleFlatOrigin *found = NULL;

  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), FALSE);

  if (self->flat_map != NULL)
    found = g_hash_table_lookup (self->flat_map->origins, operation);
  if (found == NULL)
    return FALSE;
  origin[0] = found->frame->diagram;
  origin[1] = found->operation;
  return TRUE;
}

/* --- changing the schedule --- */

typedef struct
{
  HeddleEditor *editor;
  const HeddleSchedule *schedule;
  HeddleFlatCalls calls;
  guint n_lost;
} Storing;

static gboolean
store_schedule (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Storing *storing = data;

  return heddle_flat_map_store_schedule (storing->editor->flat_map, snapshot, storing->editor->flat_diagram,
      storing->schedule, storing->calls, &storing->n_lost, error);
}

/* Does what heddle_editor_edit_schedule () does, and gives definitions their labels for @calls. */
static gboolean
edit_schedule (HeddleEditor *self, const char *name, const char *merge_key, HeddleEdit edit, gpointer data,
    HeddleFlatCalls calls, GError **error)
{
  g_autoptr (HeddleSnapshot) draft = NULL;
  g_autoptr (GError) local_error = NULL;
  Storing storing = { .editor = self, .calls = calls };
  const guint n_known = self->n_foreign;

  if (self->flat == NULL)
    return heddle_editor_edit (self, name, merge_key, edit, data, error);
  draft = heddle_snapshot_copy (self->flat);
  if (!edit (draft, data, &local_error))
    {
      if (error == NULL)
        heddle_editor_report (self, "%s", local_error->message);
      else
        g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  storing.schedule = heddle_snapshot_get_schedule (draft, self->flat_diagram);
  if (!heddle_editor_edit (self, name, merge_key, store_schedule, &storing, error))
    return FALSE;
  if (storing.n_lost > n_known)
    heddle_editor_report (self,
        ngettext ("%u label is of an axis that the definition does not have, and was left out",
            "%u labels are of axes that the definitions do not have, and were left out",
            storing.n_lost - n_known),
        storing.n_lost - n_known);
  return TRUE;
}

gboolean
heddle_editor_edit_schedule (HeddleEditor *self, const char *name, const char *merge_key, HeddleEdit edit,
    gpointer data, GError **error)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), FALSE);

  return edit_schedule (self, name, merge_key, edit, data, heddle_editor_get_label_calls (self), error);
}

typedef struct
{
  HeddleEditor *editor;
  const HeddleSchedule *schedule;
} Replacing;

static gboolean
replace_schedule (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  const Replacing *replacing = data;

  heddle_snapshot_set_schedule (
      snapshot, heddle_editor_diagram_in (replacing->editor, snapshot), replacing->schedule);
  return TRUE;
}

gboolean
heddle_editor_replace_schedule (
    HeddleEditor *self, const char *name, const HeddleSchedule *schedule, HeddleFlatCalls calls)
{
  Replacing replacing = { self, schedule };

  g_return_val_if_fail (HEDDLE_IS_EDITOR (self) && schedule != NULL, FALSE);

  return edit_schedule (self, name, NULL, replace_schedule, &replacing, calls, NULL);
}

HeddleSchedule *
heddle_editor_dup_stored_schedule (HeddleEditor *self, const HeddleSchedule *schedule, HeddleFlatCalls calls)
{
  g_autoptr (HeddleSnapshot) draft = NULL, flat = NULL;
  g_autoptr (GHashTable) context = NULL;
  const HeddleSchedule *stored;
  HeddleSchedule *copy = NULL;

  g_return_val_if_fail (HEDDLE_IS_EDITOR (self) && schedule != NULL, NULL);

  if (self->flat == NULL || calls == HEDDLE_FLAT_CALLS_INLINED)
    return heddle_schedule_copy (schedule);
  draft = heddle_snapshot_copy (self->snapshot);
  if (!heddle_flat_map_store_schedule (
          self->flat_map, draft, self->flat_diagram, schedule, calls, NULL, NULL))
    return NULL;
  context = find_context (self);
  flat = heddle_snapshot_flatten_mapped (
      draft, heddle_snapshot_get_diagram_by_id (draft, self->diagram->id), context, NULL, NULL, NULL);
  stored
      = flat != NULL ? heddle_snapshot_find_schedule (flat, heddle_snapshot_get_diagram (flat, NULL)) : NULL;
  if (stored == NULL)
    return NULL;
  copy = heddle_schedule_copy (stored);
  label_all_foreign (self, copy);
  return copy;
}

/* --- for one call or for all --- */

HeddleFlatCalls
heddle_editor_get_label_calls (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), HEDDLE_FLAT_CALLS_TOGETHER);

  if (is_inlined (self))
    return HEDDLE_FLAT_CALLS_INLINED;
  return self->flat_map != NULL
                 && (self->labels_apart
                     || heddle_flat_map_has_call_schedules (self->flat_map, self->snapshot))
             ? HEDDLE_FLAT_CALLS_APART
             : HEDDLE_FLAT_CALLS_TOGETHER;
}

/* Drops what holds for single calls alone. Of kernels that know no calls, definitions keep those that they can. */
static gboolean
drop_call_schedules (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  HeddleEditor *self = data;
  const gboolean was_inlined = is_inlined (self);
  g_autoptr (HeddleSnapshot) draft = NULL;

  heddle_snapshot_set_inlined_schedule (
      snapshot, heddle_snapshot_get_diagram_by_id (snapshot, self->diagram->id), NULL);
  heddle_flat_map_drop_call_schedules (self->flat_map, snapshot);
  if (!was_inlined)
    return TRUE;
  draft = heddle_snapshot_copy (snapshot);
  if (heddle_flat_map_store_schedule (self->flat_map, draft, self->flat_diagram,
          heddle_snapshot_find_schedule (self->flat, self->flat_diagram), HEDDLE_FLAT_CALLS_TOGETHER, NULL,
          NULL))
    heddle_snapshot_assign (snapshot, draft);
  return TRUE;
}

void
heddle_editor_set_label_calls (HeddleEditor *self, HeddleFlatCalls calls)
{
  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  self->labels_apart = calls == HEDDLE_FLAT_CALLS_APART;
  if (!self->labels_apart && self->flat_map != NULL
      && (is_inlined (self) || heddle_flat_map_has_call_schedules (self->flat_map, self->snapshot)))
    heddle_editor_edit (self, _ ("Labels for All Calls"), NULL, drop_call_schedules, self, NULL);
}

gboolean
heddle_editor_has_repeated_calls (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), FALSE);

  for (guint i = 1; self->flat_map != NULL && i < self->flat_map->frames->len; i++)
    for (guint k = i + 1; k < self->flat_map->frames->len; k++)
      if (((const HeddleFlatFrame *) self->flat_map->frames->pdata[i])->diagram
          == ((const HeddleFlatFrame *) self->flat_map->frames->pdata[k])->diagram)
        return TRUE;
  return FALSE;
}

/* --- what the canvas shows of it --- */

/* Returns the region of @schedule that has all of @operations; NULL: there is none. */
static const HeddleRegion *
region_of_all (const HeddleSchedule *schedule, const GArray *operations)
{
  const HeddleRegion *region
      = operations->len > 0 ? heddle_schedule_region_of (schedule, heddle_ids_index (operations, 0)) : NULL;

  for (guint i = 1; region != NULL && i < operations->len; i++)
    if (!heddle_ids_contain (region->operations, heddle_ids_index (operations, i)))
      return NULL;
  return region;
}

/* Returns the region of @shown for @region, with its labels of axes that the diagram shown has. */
static HeddleRegion *
shown_region (HeddleEditor *self, HeddleSchedule *shown, const HeddleRegion *region)
{
  HeddleRegion *made = heddle_schedule_get_region (shown, region->id);

  if (made != NULL)
    return made;
  made = heddle_region_new (region->id);
  for (guint i = 0; i < region->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (region->labels, i);

      if (heddle_diagram_get_axis (self->diagram, label->axis) != NULL)
        g_ptr_array_add (made->labels, heddle_label_copy (label));
    }
  g_ptr_array_add (shown->regions, made);
  return made;
}

/* Returns what the diagram shown has of @flat, a schedule without calls: an operation or a call is in the kernel that has
 * all of it. The caller owns it. */
static HeddleSchedule *
project_schedule (HeddleEditor *self, const HeddleSchedule *flat)
{
  HeddleSchedule *shown = heddle_schedule_new (self->diagram->id);

  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const char *id = ((const HeddleOperation *) g_ptr_array_index (self->diagram->operations, i))->id;
      g_autoptr (GArray) parts = heddle_flat_map_get_operations (self->flat_map, self->flat_diagram, id);
      const HeddleRegion *region = region_of_all (flat, parts);

      if (region != NULL)
        heddle_ids_append (shown_region (self, shown, region)->operations, id);
    }
  return shown;
}

HeddleSchedule *
heddle_editor_dup_canvas_schedule (HeddleEditor *self)
{
  const HeddleSchedule *shown = NULL;

  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);

  if (self->diagram == NULL)
    return NULL;
  if (is_inlined (self))
    return project_schedule (self, heddle_editor_get_shown_schedule (self));
  if (self->flat != NULL && self->preview_schedule != NULL)
    {
      g_autoptr (HeddleSnapshot) draft = heddle_snapshot_copy (self->snapshot);

      if (heddle_flat_map_store_schedule (self->flat_map, draft, self->flat_diagram, self->preview_schedule,
              heddle_editor_get_label_calls (self), NULL, NULL))
        {
          shown = heddle_snapshot_find_schedule (draft, self->diagram);
          return shown != NULL ? heddle_schedule_copy (shown) : NULL;
        }
    }
  shown = self->flat != NULL ? heddle_snapshot_find_schedule (self->snapshot, self->diagram)
                             : heddle_editor_get_shown_schedule (self);
  return shown != NULL ? heddle_schedule_copy (shown) : NULL;
}
