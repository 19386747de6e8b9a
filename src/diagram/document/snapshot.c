/* SPDX-License-Identifier: MIT */
#include "diagram/document/presentation.h"
#include "diagram/document/snapshot.h"

HeddleSnapshot *
heddle_snapshot_new (void)
{
  HeddleSnapshot *self = g_new0 (HeddleSnapshot, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->diagrams = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_diagram_free);
  self->schedules = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_schedule_free);
  self->presentations = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_presentation_free);
  self->extensions = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/* Adds copies of all that is in @self to what is in @copy. */
static void
copy_into (const HeddleSnapshot *self, HeddleSnapshot *copy)
{
  for (guint i = 0; i < self->diagrams->len; i++)
    g_ptr_array_add (copy->diagrams, heddle_diagram_copy (g_ptr_array_index (self->diagrams, i)));
  for (guint i = 0; i < self->schedules->len; i++)
    g_ptr_array_add (copy->schedules, heddle_schedule_copy (g_ptr_array_index (self->schedules, i)));
  for (guint i = 0; i < self->presentations->len; i++)
    g_ptr_array_add (
        copy->presentations, heddle_presentation_copy (g_ptr_array_index (self->presentations, i)));
  for (guint i = 0; i < self->extensions->len; i++)
    g_ptr_array_add (copy->extensions, g_strdup (g_ptr_array_index (self->extensions, i)));
  copy->read_only = self->read_only;
}

HeddleSnapshot *
heddle_snapshot_copy (const HeddleSnapshot *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  HeddleSnapshot *copy = heddle_snapshot_new ();
  copy_into (self, copy);
  return copy;
}

void
heddle_snapshot_assign (HeddleSnapshot *self, const HeddleSnapshot *other)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (other != NULL && other != self);
  g_ptr_array_set_size (self->diagrams, 0);
  g_ptr_array_set_size (self->schedules, 0);
  g_ptr_array_set_size (self->presentations, 0);
  g_ptr_array_set_size (self->extensions, 0);
  copy_into (other, self);
}

void
heddle_snapshot_retype (HeddleSnapshot *self, HeddleDtype from, HeddleDtype to)
{
  g_return_if_fail (self != NULL);
  for (guint i = 0; i < self->diagrams->len; i++)
    {
      HeddleDiagram *diagram = g_ptr_array_index (self->diagrams, i);
      for (guint v = 0; v < diagram->values->len; v++)
        {
          const HeddleValue *value = g_ptr_array_index (diagram->values, v);
          if (value->dtype == from)
            heddle_diagram_edit_value (diagram, value->id)->dtype = to;
        }
    }
}

HeddleSnapshot *
heddle_snapshot_ref (HeddleSnapshot *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
heddle_snapshot_unref (HeddleSnapshot *self)
{
  g_return_if_fail (self != NULL);
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_ptr_array_unref (self->diagrams);
  g_ptr_array_unref (self->schedules);
  g_ptr_array_unref (self->presentations);
  g_ptr_array_unref (self->extensions);
  g_free (self);
}

HeddleDiagram *
heddle_snapshot_get_diagram (const HeddleSnapshot *self, const char *name)
{
  g_return_val_if_fail (self != NULL, NULL);
  for (guint i = 0; i < self->diagrams->len; i++)
    {
      HeddleDiagram *diagram = g_ptr_array_index (self->diagrams, i);
      if (name == NULL || g_strcmp0 (diagram->name, name) == 0)
        return diagram;
    }
  return NULL;
}

HeddleDiagram *
heddle_snapshot_get_diagram_by_id (const HeddleSnapshot *self, const char *id)
{
  g_return_val_if_fail (self != NULL, NULL);
  for (guint i = 0; i < self->diagrams->len; i++)
    {
      HeddleDiagram *diagram = g_ptr_array_index (self->diagrams, i);
      if (diagram->id == id)
        return diagram;
    }
  return NULL;
}

HeddleDiagram *
heddle_snapshot_add_diagram (HeddleSnapshot *self, HeddleDiagram *diagram)
{
  g_return_val_if_fail (self != NULL, NULL);
  const char *stem = diagram->id;
  for (guint n = 2; heddle_snapshot_get_diagram_by_id (self, diagram->id) != NULL; n++)
    {
      g_autofree char *id = g_strdup_printf ("%s-%u", stem, n);
      diagram->id = (char *) g_intern_string (id);
    }
  g_ptr_array_add (self->diagrams, diagram);
  return diagram;
}

/* Returns the schedule of the diagram for all calls, of its own operations or @inlined; NULL if it has none. */
static HeddleSchedule *
find_whole (const HeddleSnapshot *self, const HeddleDiagram *diagram, gboolean inlined)
{
  for (guint i = 0; i < self->schedules->len; i++)
    {
      HeddleSchedule *schedule = g_ptr_array_index (self->schedules, i);
      if (schedule->diagram == diagram->id && schedule->call == NULL && schedule->inlined == inlined)
        return schedule;
    }
  return NULL;
}

HeddleSchedule *
heddle_snapshot_find_schedule (const HeddleSnapshot *self, const HeddleDiagram *diagram)
{
  g_return_val_if_fail (self != NULL && diagram != NULL, NULL);
  return find_whole (self, diagram, FALSE);
}

HeddleSchedule *
heddle_snapshot_find_inlined_schedule (const HeddleSnapshot *self, const HeddleDiagram *diagram)
{
  g_return_val_if_fail (self != NULL && diagram != NULL, NULL);
  return find_whole (self, diagram, TRUE);
}

HeddleSchedule *
heddle_snapshot_find_call_schedule (
    const HeddleSnapshot *self, const HeddleDiagram *diagram, const char *root, const char *call)
{
  g_return_val_if_fail (self != NULL && diagram != NULL && root != NULL && call != NULL, NULL);
  for (guint i = 0; i < self->schedules->len; i++)
    {
      HeddleSchedule *schedule = g_ptr_array_index (self->schedules, i);
      if (schedule->diagram == diagram->id && schedule->root == root && schedule->call == call)
        return schedule;
    }
  return NULL;
}

GPtrArray *
heddle_snapshot_list_schedules (const HeddleSnapshot *self, const HeddleDiagram *diagram)
{
  g_return_val_if_fail (self != NULL && diagram != NULL, NULL);
  GPtrArray *schedules = g_ptr_array_new ();
  for (guint i = 0; i < self->schedules->len; i++)
    {
      HeddleSchedule *schedule = g_ptr_array_index (self->schedules, i);
      if (schedule->diagram == diagram->id && !schedule->inlined)
        g_ptr_array_add (schedules, schedule);
    }
  return schedules;
}

HeddlePresentation *
heddle_snapshot_find_presentation (const HeddleSnapshot *self, const HeddleDiagram *diagram)
{
  g_return_val_if_fail (self != NULL && diagram != NULL, NULL);
  for (guint i = 0; i < self->presentations->len; i++)
    {
      HeddlePresentation *presentation = g_ptr_array_index (self->presentations, i);
      if (presentation->diagram == diagram->id)
        return presentation;
    }
  return NULL;
}

HeddleSchedule *
heddle_snapshot_get_schedule (HeddleSnapshot *self, const HeddleDiagram *diagram)
{
  HeddleSchedule *schedule = heddle_snapshot_find_schedule (self, diagram);
  if (schedule == NULL)
    g_ptr_array_add (self->schedules, schedule = heddle_schedule_new (diagram->id));
  return schedule;
}

void
heddle_snapshot_set_schedule (
    HeddleSnapshot *self, const HeddleDiagram *diagram, const HeddleSchedule *schedule)
{
  HeddleSchedule *before = heddle_snapshot_get_schedule (self, diagram);
  guint index = 0;

  g_ptr_array_find (self->schedules, before, &index);
  self->schedules->pdata[index] = heddle_schedule_copy (schedule);
  heddle_schedule_free (before);
}

void
heddle_snapshot_set_inlined_schedule (
    HeddleSnapshot *self, const HeddleDiagram *diagram, const HeddleSchedule *schedule)
{
  HeddleSchedule *before = heddle_snapshot_find_inlined_schedule (self, diagram);
  HeddleSchedule *copy = schedule != NULL ? heddle_schedule_copy (schedule) : NULL;
  if (before != NULL)
    g_ptr_array_remove (self->schedules, before);
  if (copy == NULL)
    return;
  copy->diagram = diagram->id;
  copy->inlined = TRUE;
  g_clear_pointer (&copy->gpu, g_free);
  g_clear_pointer (&copy->divisors, g_free);
  copy->dtype = HEDDLE_DTYPE_UNSET;
  copy->budget = 0;
  g_ptr_array_add (self->schedules, copy);
}

HeddlePresentation *
heddle_snapshot_get_presentation (HeddleSnapshot *self, const HeddleDiagram *diagram)
{
  HeddlePresentation *presentation = heddle_snapshot_find_presentation (self, diagram);
  if (presentation == NULL)
    g_ptr_array_add (self->presentations, presentation = heddle_presentation_new (diagram->id));
  return presentation;
}
