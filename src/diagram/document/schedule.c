/* SPDX-License-Identifier: MIT */
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

static const char *const label_kinds[] = { "group", "stream", "divisor", "order" };

const char *
heddle_label_kind_to_string (HeddleLabelKind kind)
{
  g_return_val_if_fail (kind < G_N_ELEMENTS (label_kinds), NULL);
  return label_kinds[kind];
}

gboolean
heddle_label_kind_from_string (const char *text, HeddleLabelKind *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (label_kinds); i++)
    if (g_strcmp0 (text, label_kinds[i]) == 0)
      {
        *kind = (HeddleLabelKind) i;
        return TRUE;
      }
  return FALSE;
}

/* --- labels, residency, regions -------------------------------------------------- */

HeddleLabel *
heddle_label_new (const char *axis, const char *level, HeddleLabelKind kind, gint64 size)
{
  HeddleLabel *label = g_new0 (HeddleLabel, 1);
  label->axis = g_intern_string (axis);
  label->level = g_strdup (level);
  label->kind = kind;
  label->size = size;
  return label;
}

HeddleLabel *
heddle_label_copy (const HeddleLabel *self)
{
  HeddleLabel *copy = heddle_label_new (self->axis, self->level, self->kind, self->size);
  copy->inactive = g_strdup (self->inactive);
  return copy;
}

void
heddle_label_free (HeddleLabel *self)
{
  g_free (self->level);
  g_free (self->inactive);
  g_free (self);
}

HeddleResidency *
heddle_residency_new (const char *value, const char *column, const char *level)
{
  HeddleResidency *residency = g_new0 (HeddleResidency, 1);
  residency->value = g_intern_string (value);
  residency->column = g_intern_string (column);
  residency->level = g_strdup (level);
  return residency;
}

/* Frees the residency with its level. */
static void
residency_free (HeddleResidency *self)
{
  g_free (self->level);
  g_free (self);
}

void
heddle_schedule_set_residency (HeddleSchedule *self, const char *value, const char *column, const char *level)
{
  for (guint i = self->residency->len; i-- > 0;)
    {
      const HeddleResidency *residency = g_ptr_array_index (self->residency, i);
      if (residency->value == value && residency->column == column)
        g_ptr_array_remove_index (self->residency, i);
    }
  if (level != NULL)
    g_ptr_array_add (self->residency, heddle_residency_new (value, column, level));
}

gboolean
heddle_schedule_is_recomputed (const HeddleSchedule *self, const char *value, const char *column)
{
  for (guint i = 0; i < self->recomputed->len; i++)
    {
      const HeddleRecompute *known = &g_array_index (self->recomputed, HeddleRecompute, i);
      if (known->value == value && known->column == column)
        return TRUE;
    }
  return FALSE;
}

void
heddle_schedule_set_recomputed (
    HeddleSchedule *self, const char *value, const char *column, gboolean recomputed)
{
  const HeddleRecompute one = { g_intern_string (value), g_intern_string (column) };
  for (guint i = self->recomputed->len; i-- > 0;)
    {
      const HeddleRecompute *known = &g_array_index (self->recomputed, HeddleRecompute, i);
      if (known->value == value && known->column == column)
        g_array_remove_index (self->recomputed, i);
    }
  if (recomputed)
    g_array_append_val (self->recomputed, one);
}

static GPtrArray *
labels_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_label_free);
}

static void
copy_labels (GPtrArray *to, const GPtrArray *from)
{
  for (guint i = 0; i < from->len; i++)
    g_ptr_array_add (to, heddle_label_copy (g_ptr_array_index (from, i)));
}

static void
layout_free (HeddleValueLayout *self)
{
  g_array_unref (self->axes);
  g_ptr_array_unref (self->labels);
  g_free (self);
}

const HeddleValueLayout *
heddle_schedule_get_layout (const HeddleSchedule *self, const char *value)
{
  for (guint i = 0; i < self->layouts->len; i++)
    {
      const HeddleValueLayout *layout = g_ptr_array_index (self->layouts, i);
      if (layout->value == value)
        return layout;
    }
  return NULL;
}

gboolean
heddle_schedule_has_layout (const HeddleSchedule *self, const char *value, const GArray *axes)
{
  const HeddleValueLayout *layout = heddle_schedule_get_layout (self, value);

  return layout != NULL && heddle_ids_equal (layout->axes, axes);
}

HeddleValueLayout *
heddle_schedule_set_layout (HeddleSchedule *self, const char *value, const GArray *axes)
{
  HeddleValueLayout *layout;

  g_ptr_array_remove (self->layouts, (gpointer) heddle_schedule_get_layout (self, value));
  if (axes == NULL)
    return NULL;
  layout = g_new0 (HeddleValueLayout, 1);
  layout->value = value;
  layout->axes = heddle_ids_copy (axes);
  layout->labels = labels_new ();
  g_ptr_array_add (self->layouts, layout);
  return layout;
}

/* Makes a region without operations and labels; @id must be interned. */
static HeddleRegion *
region_new (const char *id)
{
  HeddleRegion *region = g_new0 (HeddleRegion, 1);
  region->id = id;
  region->operations = heddle_ids_new ();
  region->labels = labels_new ();
  return region;
}

HeddleRegion *
heddle_region_new (const char *id)
{
  return region_new (g_intern_string (id));
}

void
heddle_region_free (HeddleRegion *self)
{
  g_array_unref (self->operations);
  g_ptr_array_unref (self->labels);
  g_free (self);
}

HeddleLabel *
heddle_region_get_label (const HeddleRegion *self, const char *axis, const char *level, HeddleLabelKind kind)
{
  for (guint i = 0; i < self->labels->len; i++)
    {
      HeddleLabel *label = g_ptr_array_index (self->labels, i);
      if (label->axis == axis && label->kind == kind && g_strcmp0 (label->level, level) == 0)
        return label;
    }
  return NULL;
}

gboolean
heddle_region_has_labels (const HeddleRegion *self, const GPtrArray *labels)
{
  for (guint i = 0; i < labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (labels, i);
      const HeddleLabel *own = heddle_region_get_label (self, label->axis, label->level, label->kind);

      if (own == NULL || own->size != label->size)
        return FALSE;
    }
  return self->labels->len == labels->len;
}

/* --- the schedule ---------------------------------------------------------------- */

HeddleSchedule *
heddle_schedule_new (const char *diagram_id)
{
  HeddleSchedule *self = g_new0 (HeddleSchedule, 1);
  self->diagram = g_intern_string (diagram_id);
  self->regions = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_region_free);
  self->residency = g_ptr_array_new_with_free_func ((GDestroyNotify) residency_free);
  self->recomputed = g_array_new (FALSE, FALSE, sizeof (HeddleRecompute));
  self->layouts = g_ptr_array_new_with_free_func ((GDestroyNotify) layout_free);
  return self;
}

static HeddleRegion *
copy_region (const HeddleRegion *region)
{
  HeddleRegion *copy = region_new (region->id);
  g_array_append_vals (copy->operations, region->operations->data, region->operations->len);
  copy_labels (copy->labels, region->labels);
  return copy;
}

HeddleSchedule *
heddle_schedule_copy (const HeddleSchedule *self)
{
  HeddleSchedule *copy = heddle_schedule_new (self->diagram);
  for (guint i = 0; i < self->regions->len; i++)
    g_ptr_array_add (copy->regions, copy_region (g_ptr_array_index (self->regions, i)));
  for (guint i = 0; i < self->residency->len; i++)
    {
      const HeddleResidency *residency = g_ptr_array_index (self->residency, i);
      g_ptr_array_add (
          copy->residency, heddle_residency_new (residency->value, residency->column, residency->level));
    }
  g_array_append_vals (copy->recomputed, self->recomputed->data, self->recomputed->len);
  for (guint i = 0; i < self->layouts->len; i++)
    {
      const HeddleValueLayout *layout = g_ptr_array_index (self->layouts, i);
      copy_labels (heddle_schedule_set_layout (copy, layout->value, layout->axes)->labels, layout->labels);
    }
  copy->root = self->root;
  copy->call = self->call;
  copy->inlined = self->inlined;
  copy->gpu = g_strdup (self->gpu);
  copy->dtype = self->dtype;
  copy->divisors = g_strdup (self->divisors);
  copy->budget = self->budget;
  return copy;
}

void
heddle_schedule_free (HeddleSchedule *self)
{
  g_ptr_array_unref (self->regions);
  g_ptr_array_unref (self->residency);
  g_array_unref (self->recomputed);
  g_ptr_array_unref (self->layouts);
  g_free (self->gpu);
  g_free (self->divisors);
  g_free (self);
}

HeddleRegion *
heddle_schedule_get_region (const HeddleSchedule *self, const char *region_id)
{
  /* All ids of regions are interned: an id that is not is none. */
  const char *id = g_quark_to_string (g_quark_try_string (region_id));
  for (guint i = 0; i < self->regions->len; i++)
    {
      HeddleRegion *region = g_ptr_array_index (self->regions, i);
      if (region->id == id)
        return region;
    }
  return NULL;
}

HeddleRegion *
heddle_schedule_add_region (HeddleSchedule *self)
{
  HeddleRegion *region = NULL;
  char id[32];

  for (guint n = self->regions->len + 1; region == NULL; n++)
    {
      g_snprintf (id, sizeof id, "r.%u", n);
      if (heddle_schedule_get_region (self, id) == NULL)
        region = heddle_region_new (id);
    }
  g_ptr_array_add (self->regions, region);
  return region;
}

HeddleRegion *
heddle_schedule_region_of (const HeddleSchedule *self, const char *operation_id)
{
  for (guint i = 0; i < self->regions->len; i++)
    {
      HeddleRegion *region = g_ptr_array_index (self->regions, i);
      if (heddle_ids_contain (region->operations, operation_id))
        return region;
    }
  return NULL;
}

gboolean
heddle_schedule_has_labels (const HeddleSchedule *self)
{
  for (guint i = 0; self != NULL && i < self->regions->len; i++)
    if (((const HeddleRegion *) g_ptr_array_index (self->regions, i))->labels->len > 0)
      return TRUE;
  return FALSE;
}

void
heddle_region_take_labels (HeddleRegion *self, const HeddleRegion *other)
{
  for (guint i = 0; i < other->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (other->labels, i);

      if (heddle_region_get_label (self, label->axis, label->level, label->kind) == NULL)
        g_ptr_array_add (self->labels, heddle_label_copy (label));
    }
}
