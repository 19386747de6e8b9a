/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/base/error.h"
#include "diagram/document/layout.h"
#include "diagram/document/snapshot.h"
#include "diagram/flatten/call-schedules.h"
#include "diagram/flatten/names.h"
#include "diagram/flatten/schedule.h"

/* The schedule of a definition holds wherever it is called, unless a call has one of its own: its kernels exist once for each repetition. What
 * is fused with a whole call is fused with all its operations, whatever the definition itself says. In the
 * other direction, each kernel goes to the diagram that its operations belong to, and each memory layout to the
 * diagram whose value it is. Where that cannot be, the document keeps the schedule of the flat diagram as it is, and
 * it holds in the place of all those. What a call is mapped over comes first in memory, in the caller's order. */

/* --- from the document to the flat diagram ------------------------------------------- */

static HeddleLabel *
flat_label (const HeddleFlatFrame *frame, const HeddleLabel *label)
{
  const char *axis = heddle_flat_frame_get_axis (frame, label->axis);
  HeddleLabel *flat = axis != NULL ? heddle_label_copy (label) : NULL;
  if (flat != NULL)
    flat->axis = axis;
  return flat;
}

/* Returns the flat region that stands for @frame's region; makes it when it is first met. */
static HeddleRegion *
lift_region (HeddleSchedule *flat, const HeddleFlatFrame *frame, const HeddleRegion *region)
{
  g_autofree char *wanted = heddle_flatten_join (frame->ids, region->id);
  const char *id = g_intern_string (wanted);
  HeddleRegion *lifted = heddle_schedule_get_region (flat, id);
  if (lifted != NULL)
    return lifted;
  lifted = heddle_region_new (id);
  for (guint i = 0; i < region->labels->len; i++)
    {
      HeddleLabel *label = flat_label (frame, g_ptr_array_index (region->labels, i));
      if (label != NULL)
        g_ptr_array_add (lifted->labels, label);
    }
  g_ptr_array_add (flat->regions, lifted);
  return lifted;
}

/* Lays @value of @to out as @layout of its frame's diagram says. */
static void
lift_layout (HeddleSchedule *to, const HeddleFlatFrame *frame, const HeddleValue *value,
    const HeddleValueLayout *layout)
{
  g_autoptr (GArray) axes = heddle_ids_copy (value->axes);
  g_return_if_fail (value->axes->len >= layout->axes->len);
  g_array_set_size (axes, value->axes->len - layout->axes->len);
  for (guint i = 0; i < layout->axes->len; i++)
    heddle_ids_append (axes, heddle_flat_frame_get_axis (frame, heddle_ids_index (layout->axes, i)));
  if (!heddle_ids_same_set (axes, value->axes))
    return; /* a call reads one axis at a place */
  HeddleValueLayout *lifted = heddle_schedule_set_layout (to, value->id, axes);
  for (guint i = 0; i < layout->labels->len; i++)
    {
      HeddleLabel *label = flat_label (frame, g_ptr_array_index (layout->labels, i));
      if (label != NULL)
        g_ptr_array_add (lifted->labels, label);
    }
}

/* Returns whose value the flat value is: of a definition, or of the diagram that is flattened. */
static HeddleFlatSource
source_of (const HeddleFlatMap *self, const char *value)
{
  const HeddleFlatSource *source = g_hash_table_lookup (self->sources, value);
  return source != NULL ? *source : (HeddleFlatSource){ g_ptr_array_index (self->frames, 0), value };
}

static const HeddleValueLayout *
find_layout (GHashTable *schedules, const HeddleFlatSource *source)
{
  const HeddleSchedule *schedule = g_hash_table_lookup (schedules, source->frame);
  return schedule != NULL ? heddle_schedule_get_layout (schedule, source->value) : NULL;
}

static void
lift_layouts (
    const HeddleFlatMap *self, GHashTable *schedules, const HeddleDiagram *flat, HeddleSchedule *lifted)
{
  for (guint i = 0; i < flat->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (flat->values, i);
      const HeddleFlatSource *source = g_hash_table_lookup (self->sources, value->id);
      const HeddleValueLayout *layout = source != NULL ? find_layout (schedules, source) : NULL;
      if (layout != NULL)
        lift_layout (lifted, source->frame, value, layout);
    }
}

/* Makes a region of each operation that only reads what a call gives, where the layout of what it makes has
 * labels: a document has no operation for it. */
static void
lift_reads (
    const HeddleFlatMap *self, GHashTable *schedules, const HeddleDiagram *flat, HeddleSchedule *lifted)
{
  for (guint i = 0; i < flat->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (flat->operations, i);
      const HeddleFlatOrigin *origin = g_hash_table_lookup (self->origins, operation->id);
      const HeddleFlatSource source = source_of (self, operation->result);
      const HeddleValueLayout *layout
          = origin != NULL && origin->operation == NULL ? find_layout (schedules, &source) : NULL;
      if (layout == NULL || layout->labels->len == 0
          || heddle_schedule_region_of (lifted, operation->id) != NULL)
        continue;
      HeddleRegion *region = heddle_schedule_add_region (lifted);
      heddle_ids_append (region->operations, operation->id);
      for (guint k = 0; k < layout->labels->len; k++)
        {
          HeddleLabel *label = flat_label (source.frame, g_ptr_array_index (layout->labels, k));
          if (label != NULL)
            g_ptr_array_add (region->labels, label);
        }
    }
}

/* Returns the region that fuses the operation, the outermost if several do. */
static const HeddleRegion *
find_region (GHashTable *schedules, const HeddleFlatOrigin *origin, const HeddleFlatFrame **outermost)
{
  const HeddleRegion *found = NULL;
  for (const HeddleFlatFrame *frame = origin->frame; frame != NULL; frame = frame->caller)
    {
      const HeddleSchedule *schedule = g_hash_table_lookup (schedules, frame);
      const char *operation = heddle_flat_origin_seen_from (origin, frame);
      const HeddleRegion *region
          = schedule != NULL && operation != NULL ? heddle_schedule_region_of (schedule, operation) : NULL;
      if (region == NULL)
        continue;
      found = region;
      *outermost = frame;
    }
  return found;
}

/* Drops labels of axes that @flat does not have. */
static void
sweep_labels (GPtrArray *labels, const HeddleDiagram *flat)
{
  for (guint i = labels->len; i-- > 0;)
    if (heddle_diagram_get_axis (flat, ((const HeddleLabel *) g_ptr_array_index (labels, i))->axis) == NULL)
      g_ptr_array_remove_index (labels, i);
}

/* Drops what a schedule says of things that @flat does not have: they went since, or a file names them that
 * never were. */
static void
sweep_inlined (HeddleSchedule *self, const HeddleDiagram *flat)
{
  for (guint i = self->regions->len; i-- > 0;)
    {
      HeddleRegion *region = g_ptr_array_index (self->regions, i);
      for (guint k = region->operations->len; k-- > 0;)
        if (heddle_diagram_get_operation (flat, heddle_ids_index (region->operations, k)) == NULL)
          g_array_remove_index (region->operations, k);
      sweep_labels (region->labels, flat);
      if (region->operations->len == 0)
        g_ptr_array_remove_index (self->regions, i);
    }
  for (guint i = self->residency->len; i-- > 0;)
    {
      const HeddleResidency *place = g_ptr_array_index (self->residency, i);
      if (heddle_diagram_get_value (flat, place->value) == NULL
          || (place->column != NULL && heddle_diagram_get_operation (flat, place->column) == NULL))
        g_ptr_array_remove_index (self->residency, i);
    }
  for (guint i = self->recomputed->len; i-- > 0;)
    {
      const HeddleRecompute *again = &g_array_index (self->recomputed, HeddleRecompute, i);
      if (heddle_diagram_get_value (flat, again->value) == NULL
          || heddle_diagram_get_operation (flat, again->column) == NULL)
        g_array_remove_index (self->recomputed, i);
    }
  for (guint i = self->layouts->len; i-- > 0;)
    if (heddle_value_layout_is_for (g_ptr_array_index (self->layouts, i), flat))
      sweep_labels (((HeddleValueLayout *) g_ptr_array_index (self->layouts, i))->labels, flat);
    else
      g_ptr_array_remove_index (self->layouts, i);
}

/* Returns a copy of @inlined as a schedule of @flat, for the machine and with the wishes of @own (nullable). */
static HeddleSchedule *
lift_inlined (const HeddleSchedule *inlined, const HeddleSchedule *own, const HeddleDiagram *flat)
{
  HeddleSchedule *lifted = heddle_schedule_copy (inlined);
  lifted->diagram = flat->id;
  lifted->inlined = FALSE;
  sweep_inlined (lifted, flat);
  g_clear_pointer (&lifted->gpu, g_free);
  g_clear_pointer (&lifted->divisors, g_free);
  lifted->gpu = own != NULL ? g_strdup (own->gpu) : NULL;
  lifted->divisors = own != NULL ? g_strdup (own->divisors) : NULL;
  lifted->dtype = own != NULL ? own->dtype : HEDDLE_DTYPE_UNSET;
  lifted->budget = own != NULL ? own->budget : 0;
  return lifted;
}

HeddleSchedule *
heddle_flat_map_lift_schedule (
    const HeddleFlatMap *self, const HeddleSnapshot *snapshot, const HeddleDiagram *flat)
{
  const HeddleDiagram *root = ((const HeddleFlatFrame *) g_ptr_array_index (self->frames, 0))->diagram;
  const HeddleSchedule *inlined = heddle_snapshot_find_inlined_schedule (snapshot, root);
  if (inlined != NULL)
    return lift_inlined (inlined, heddle_snapshot_find_schedule (snapshot, root), flat);
  g_autoptr (GHashTable) schedules = heddle_flat_map_list_schedules (self, snapshot);
  const HeddleSchedule *own = g_hash_table_lookup (schedules, g_ptr_array_index (self->frames, 0));
  HeddleSchedule *lifted = own != NULL ? heddle_schedule_copy (own) : heddle_schedule_new (flat->id);
  for (guint i = 0; i < lifted->regions->len; i++)
    g_array_set_size (((HeddleRegion *) g_ptr_array_index (lifted->regions, i))->operations, 0);
  for (guint i = 0; i < flat->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (flat->operations, i);
      const HeddleFlatFrame *frame = NULL;
      const HeddleRegion *region
          = find_region (schedules, g_hash_table_lookup (self->origins, operation->id), &frame);
      if (region != NULL)
        heddle_ids_append (lift_region (lifted, frame, region)->operations, operation->id);
    }
  lift_layouts (self, schedules, flat, lifted);
  lift_reads (self, schedules, flat, lifted);
  if (own == NULL && lifted->regions->len == 0 && lifted->layouts->len == 0)
    g_clear_pointer (&lifted, heddle_schedule_free);
  return lifted;
}

/* --- and back -------------------------------------------------------------------------- */

static guint
frame_depth (const HeddleFlatFrame *frame)
{
  guint depth = 0;
  for (; frame != NULL; frame = frame->caller)
    depth++;
  return depth;
}

static const HeddleFlatFrame *
common_frame (const HeddleFlatFrame *a, const HeddleFlatFrame *b)
{
  while (a != b)
    if (frame_depth (a) >= frame_depth (b))
      a = a->caller;
    else
      b = b->caller;
  return a;
}

/* Returns the innermost frame that contains all of a flat region. */
static const HeddleFlatFrame *
home_of (const HeddleFlatMap *self, const HeddleRegion *region)
{
  const HeddleFlatFrame *home = NULL;
  for (guint i = 0; i < region->operations->len; i++)
    {
      const HeddleFlatOrigin *origin
          = g_hash_table_lookup (self->origins, heddle_ids_index (region->operations, i));
      if (origin != NULL)
        home = home == NULL ? origin->frame : common_frame (home, origin->frame);
    }
  return home;
}

static guint
count_parts (const HeddleFlatMap *self, const HeddleFlatFrame *frame, const char *call)
{
  guint n = 0;
  for (guint i = 0; i < self->frames->len; i++)
    {
      const HeddleFlatFrame *inner = g_ptr_array_index (self->frames, i);
      if (inner->caller == frame && inner->call == call)
        n += inner->n_operations;
    }
  return n;
}

/* Returns the operations of @home's diagram that @region consists of; NULL if it fuses only a part of some
 * call. */
static GArray *
lower_operations (
    const HeddleFlatMap *self, const HeddleFlatFrame *home, const HeddleRegion *region, GError **error)
{
  g_autoptr (GHashTable) parts = g_hash_table_new (NULL, NULL);
  GArray *operations = heddle_ids_new ();
  for (guint i = 0; i < region->operations->len; i++)
    {
      const HeddleFlatOrigin *origin
          = g_hash_table_lookup (self->origins, heddle_ids_index (region->operations, i));
      const char *seen = origin != NULL ? heddle_flat_origin_seen_from (origin, home) : NULL;
      if (seen != NULL && !heddle_ids_contain (operations, seen))
        heddle_ids_append (operations, seen);
      if (seen != NULL && origin->frame != home)
        g_hash_table_insert (parts, (gpointer) seen,
            GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (parts, seen)) + 1));
    }
  GHashTableIter iter;
  gpointer call, n;
  g_hash_table_iter_init (&iter, parts);
  while (g_hash_table_iter_next (&iter, &call, &n))
    if (GPOINTER_TO_UINT (n) != count_parts (self, home, call))
      {
        g_set_error_literal (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID,
            _ ("The kernel lies partly within a definition: open the definition and fuse there, or fuse all "
               "of it"));
        g_array_unref (operations);
        return NULL;
      }
  return operations;
}

/* Returns the region of @schedule with just these operations; NULL if some are in another one already. */
static HeddleRegion *
region_for (HeddleSchedule *schedule, const GPtrArray *before, const GArray *operations)
{
  HeddleRegion *region = heddle_schedule_region_of (schedule, heddle_ids_index (operations, 0));
  if (region != NULL)
    return heddle_ids_equal (region->operations, operations) ? region : NULL;
  for (guint i = 0; i < operations->len; i++)
    if (heddle_schedule_region_of (schedule, heddle_ids_index (operations, i)) != NULL)
      return NULL;
  for (guint i = 0; i < before->len && region == NULL; i++)
    {
      const HeddleRegion *old = g_ptr_array_index (before, i);
      if (heddle_ids_contain (old->operations, heddle_ids_index (operations, 0))
          && heddle_schedule_get_region (schedule, old->id) == NULL)
        region = heddle_region_new (old->id);
    }
  if (region != NULL)
    g_ptr_array_add (schedule->regions, region);
  else
    region = heddle_schedule_add_region (schedule);
  g_array_append_vals (region->operations, operations->data, operations->len);
  return region;
}

/* Returns the labels of a flat region on the axes of its diagram; @n_lost counts those on axes that the diagram does not have. */
static GPtrArray *
lower_labels (const HeddleFlatFrame *home, const HeddleRegion *flat, guint *n_lost)
{
  HeddleRegion *lowered = heddle_region_new (flat->id);
  for (guint i = 0; i < flat->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (flat->labels, i);
      const char *axis = heddle_flat_frame_find_axis (home, label->axis);
      if (axis == NULL)
        ++*n_lost;
      else if (heddle_region_get_label (lowered, axis, label->level, label->kind) == NULL)
        {
          HeddleLabel *copy = heddle_label_copy (label);
          copy->axis = axis;
          g_ptr_array_add (lowered->labels, copy);
        }
    }
  GPtrArray *labels = g_ptr_array_ref (lowered->labels);
  heddle_region_free (lowered);
  return labels;
}

/* Returns the region of @regions with the operations of @region; NULL: there is none. */
static const HeddleRegion *
find_old (const GPtrArray *regions, const HeddleRegion *region)
{
  for (guint i = 0; i < regions->len; i++)
    if (heddle_ids_equal (
            ((const HeddleRegion *) g_ptr_array_index (regions, i))->operations, region->operations))
      return g_ptr_array_index (regions, i);
  return NULL;
}

/* Gives a region of a definition the labels of one of its calls. The calls may have different ones, which could not be had together: the
 * first that differ from what the definition had are those that were changed. */
static void
take_labels (HeddleRegion *region, gboolean is_new, const HeddleRegion *old, GPtrArray *labels)
{
  if (!is_new && (old == NULL || !heddle_region_has_labels (old, region->labels)))
    return;
  g_ptr_array_unref (region->labels);
  region->labels = g_ptr_array_ref (labels);
}

/* A schedule of a flat diagram on its way into a document. */
typedef struct
{
  const HeddleFlatMap *map;
  HeddleSnapshot *snapshot;
  const HeddleDiagram *diagram; /* the flat one */
  GHashTable *schedules; /* frame -> HeddleSchedule */
  GHashTable *before; /* HeddleSchedule -> what it had, as a HeddleSchedule */
  guint n_lost;
} Storing;

/* Returns the schedule that holds for the frame; adds one where there is none. */
static HeddleSchedule *
home_schedule (Storing *self, const HeddleFlatFrame *frame)
{
  HeddleSchedule *schedule = g_hash_table_lookup (self->schedules, frame);
  if (schedule != NULL)
    return schedule;
  schedule = heddle_snapshot_get_schedule (self->snapshot, frame->diagram);
  g_hash_table_insert (self->schedules, (gpointer) frame, schedule);
  return schedule;
}

/* Takes the regions and layouts of the schedules away before they are made anew; regions keep their ids. */
static void
take_away (Storing *self)
{
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, self->schedules);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      HeddleSchedule *schedule = value;
      if (g_hash_table_contains (self->before, schedule))
        continue;
      HeddleSchedule *had = heddle_schedule_new (schedule->diagram);
      GPtrArray *regions = had->regions, *layouts = had->layouts;
      had->regions = schedule->regions;
      had->layouts = schedule->layouts;
      schedule->regions = regions;
      schedule->layouts = layouts;
      g_hash_table_insert (self->before, schedule, had);
    }
}

/* Gives a layout of @source's value the labels of what copies it. */
static void
lower_layout_labels (const HeddleFlatSource *source, const GPtrArray *labels, HeddleValueLayout *layout)
{
  for (guint i = 0; i < labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (labels, i);
      const char *axis = heddle_flat_frame_find_axis (source->frame, label->axis);
      if (axis == NULL)
        continue;
      HeddleLabel *copy = heddle_label_copy (label);
      copy->axis = axis;
      g_ptr_array_add (layout->labels, copy);
    }
}

/* Stores the labels of a flat operation that only reads what a call is given, or gives: a document has no operation
 * for it, and keeps them with the layout of what it makes, as those of what copies an input. */
static void
lower_read (Storing *self, const char *operation, const GPtrArray *labels)
{
  const HeddleOperation *read = heddle_diagram_get_operation (self->diagram, operation);
  g_return_if_fail (read != NULL);
  const HeddleFlatSource source = source_of (self->map, read->result);
  const HeddleDiagram *diagram = source.frame->diagram;
  const HeddleValue *value = heddle_diagram_get_value (diagram, source.value);
  if (value == NULL || heddle_diagram_is_output (diagram, value->id))
    {
      self->n_lost += labels->len;
      return;
    }
  HeddleSchedule *schedule = home_schedule (self, source.frame);
  const HeddleValueLayout *known = heddle_schedule_get_layout (schedule, value->id);
  if (known != NULL && known->labels->len > 0)
    return; /* another call's */
  HeddleValueLayout *layout = heddle_schedule_set_layout (schedule, value->id, value->axes);
  lower_layout_labels (&source, labels, layout);
}

static gboolean
lower_region (Storing *self, const HeddleRegion *flat, GError **error)
{
  const HeddleFlatFrame *home = home_of (self->map, flat);
  g_autoptr (GArray) operations = home != NULL ? lower_operations (self->map, home, flat, error) : NULL;
  if (home != NULL && operations == NULL)
    return FALSE;
  if (operations == NULL || operations->len == 0)
    {
      for (guint i = 0; i < flat->operations->len; i++)
        lower_read (self, heddle_ids_index (flat->operations, i), flat->labels);
      return TRUE;
    }
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  HeddleSchedule *schedule = home_schedule (self, home);
  const HeddleSchedule *known = g_hash_table_lookup (self->before, schedule);
  const GPtrArray *old = known != NULL ? known->regions : none;
  const guint n = schedule->regions->len;
  HeddleRegion *region = region_for (schedule, old, operations);
  if (region == NULL)
    {
      self->n_lost += flat->labels->len;
      return TRUE;
    }
  g_autoptr (GPtrArray) labels = lower_labels (home, flat, &self->n_lost);
  take_labels (region, schedule->regions->len > n, find_old (old, region), labels);
  return TRUE;
}

/* Returns the axes of @source's value in the order of a flat layout of it; NULL where that order cannot be the
 * definition's: an axis that only the caller has is not one of the first. */
static GArray *
lower_axes (const HeddleFlatSource *source, const HeddleValue *flat, const GArray *axes)
{
  const GArray *own = heddle_diagram_get_value (source->frame->diagram, source->value)->axes;
  const guint n_first = flat->axes->len - own->len;
  g_autoptr (GArray) lowered = heddle_ids_new ();
  for (guint i = 0; i < n_first; i++)
    if (heddle_ids_index (axes, i) != heddle_ids_index (flat->axes, i))
      return NULL;
  for (guint i = n_first; i < axes->len; i++)
    for (guint j = 0; j < own->len; j++)
      if (heddle_flat_frame_get_axis (source->frame, heddle_ids_index (own, j)) == heddle_ids_index (axes, i))
        heddle_ids_append (lowered, heddle_ids_index (own, j));
  return heddle_ids_same_set (lowered, own) ? g_steal_pointer (&lowered) : NULL;
}

/* Stores a layout of a value of some diagram. Where calls differ, the same holds as for labels. */
static void
lower_layout (
    Storing *self, const HeddleFlatSource *source, const HeddleValueLayout *layout, const GArray *axes)
{
  HeddleSchedule *schedule = home_schedule (self, source->frame);
  const HeddleValueLayout *other = heddle_schedule_get_layout (schedule, source->value);
  if (other != NULL && heddle_ids_equal (other->axes, axes))
    return;
  self->n_lost += other != NULL;
  const HeddleSchedule *known = g_hash_table_lookup (self->before, schedule);
  if (other != NULL && (known == NULL || !heddle_schedule_has_layout (known, source->value, other->axes)))
    return;
  lower_layout_labels (source, layout->labels, heddle_schedule_set_layout (schedule, source->value, axes));
}

/* Stores each layout with the diagram whose value it is. */
static void
lower_layouts (Storing *self, const HeddleSchedule *flat)
{
  for (guint i = 0; i < flat->layouts->len; i++)
    {
      const HeddleValueLayout *layout = g_ptr_array_index (flat->layouts, i);
      const HeddleFlatSource source = source_of (self->map, layout->value);
      const HeddleDiagram *diagram = source.frame->diagram;
      const HeddleValue *value = heddle_diagram_get_value (self->diagram, layout->value);
      const gboolean is_known = value != NULL && heddle_diagram_get_value (diagram, source.value) != NULL;
      g_autoptr (GArray) axes = is_known ? lower_axes (&source, value, layout->axes) : NULL;
      if (axes != NULL && !heddle_diagram_is_output (diagram, source.value))
        lower_layout (self, &source, layout, axes);
      else
        self->n_lost++;
    }
}

static gboolean
lower (Storing *self, const HeddleSchedule *flat, GError **error)
{
  for (guint i = 0; i < flat->regions->len; i++)
    if (!lower_region (self, g_ptr_array_index (flat->regions, i), error))
      return FALSE;
  lower_layouts (self, flat);
  return TRUE;
}

gboolean
heddle_flat_map_store_schedule (const HeddleFlatMap *self, HeddleSnapshot *snapshot,
    const HeddleDiagram *diagram, const HeddleSchedule *flat, HeddleFlatCalls calls, guint *n_lost,
    GError **error)
{
  g_return_val_if_fail (self != NULL && snapshot != NULL && diagram != NULL && flat != NULL, FALSE);
  const HeddleDiagram *root = ((const HeddleFlatFrame *) g_ptr_array_index (self->frames, 0))->diagram;
  heddle_snapshot_set_inlined_schedule (snapshot, root, calls == HEDDLE_FLAT_CALLS_INLINED ? flat : NULL);
  if (calls == HEDDLE_FLAT_CALLS_INLINED)
    {
      if (n_lost != NULL)
        *n_lost = 0;
      return TRUE;
    }
  g_autoptr (GHashTable) before
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_schedule_free);
  heddle_flat_map_drop_idle_schedules (self, snapshot);
  if (calls == HEDDLE_FLAT_CALLS_APART)
    heddle_flat_map_part_schedules (self, snapshot);
  g_autoptr (GHashTable) schedules = heddle_flat_map_list_schedules (self, snapshot);
  Storing storing = { self, snapshot, diagram, schedules, before, 0 };
  take_away (&storing);
  const gboolean good = lower (&storing, flat, error);
  if (good && calls == HEDDLE_FLAT_CALLS_APART)
    heddle_flat_map_unite_schedules (self, snapshot);
  if (n_lost != NULL)
    *n_lost = storing.n_lost;
  return good;
}
