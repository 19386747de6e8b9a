/* SPDX-License-Identifier: MIT */
#include "diagram/flatten/map.h"

static void
frame_free (gpointer data)
{
  HeddleFlatFrame *self = data;
  g_free (self->ids);
  g_clear_pointer (&self->axes, g_hash_table_unref);
  g_free (self);
}

HeddleFlatMap *
heddle_flat_map_new (void)
{
  HeddleFlatMap *self = g_new0 (HeddleFlatMap, 1);
  self->frames = g_ptr_array_new_with_free_func (frame_free);
  self->origins = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->sources = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return self;
}

void
heddle_flat_map_free (HeddleFlatMap *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->frames);
  g_hash_table_unref (self->origins);
  g_hash_table_unref (self->sources);
  g_free (self);
}

HeddleFlatFrame *
heddle_flat_map_add_frame (HeddleFlatMap *self, const HeddleFlatFrame *caller, const char *call,
    const HeddleDiagram *diagram, const char *ids, GHashTable *axes)
{
  HeddleFlatFrame *frame = g_new0 (HeddleFlatFrame, 1);
  frame->caller = caller;
  frame->call = call;
  frame->diagram = diagram;
  frame->ids = g_strdup (ids);
  frame->axes = axes != NULL ? g_hash_table_ref (axes) : NULL;
  g_ptr_array_add (self->frames, frame);
  return frame;
}

void
heddle_flat_map_add_operation (
    HeddleFlatMap *self, HeddleFlatFrame *frame, const char *flat, const char *operation)
{
  HeddleFlatOrigin *origin = g_new (HeddleFlatOrigin, 1);
  *origin = (HeddleFlatOrigin){ frame, operation };
  g_hash_table_insert (self->origins, (gpointer) flat, origin);
  for (; frame != NULL; frame = (HeddleFlatFrame *) frame->caller)
    frame->n_operations++;
}

void
heddle_flat_map_add_value (
    HeddleFlatMap *self, const HeddleFlatFrame *frame, const char *flat, const char *value)
{
  HeddleFlatSource *source = g_new (HeddleFlatSource, 1);
  *source = (HeddleFlatSource){ frame, value };
  g_hash_table_insert (self->sources, (gpointer) flat, source);
}

const HeddleFlatFrame *
heddle_flat_map_find_frame (const HeddleFlatMap *self, const char *diagram, const char *call)
{
  const HeddleFlatFrame *first = NULL;
  g_return_val_if_fail (self != NULL, NULL);
  for (guint i = 0; i < self->frames->len; i++)
    {
      const HeddleFlatFrame *frame = g_ptr_array_index (self->frames, i);
      if (frame->diagram->id != diagram)
        continue;
      if (call == NULL || frame->call == call)
        return frame;
      first = first != NULL ? first : frame;
    }
  return first;
}

const char *
heddle_flat_frame_get_axis (const HeddleFlatFrame *self, const char *axis)
{
  return self->axes == NULL ? axis : g_hash_table_lookup (self->axes, axis);
}

const char *
heddle_flat_frame_find_axis (const HeddleFlatFrame *self, const char *flat)
{
  for (guint i = 0; i < self->diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->diagram->axes, i);
      if (heddle_flat_frame_get_axis (self, axis->id) == flat)
        return axis->id;
    }
  return NULL;
}

const char *
heddle_flat_origin_seen_from (const HeddleFlatOrigin *self, const HeddleFlatFrame *frame)
{
  if (self->frame == frame)
    return self->operation;
  for (const HeddleFlatFrame *inner = self->frame; inner != NULL; inner = inner->caller)
    if (inner->caller == frame)
      return inner->call;
  return NULL;
}

const char *
heddle_flat_map_see (const HeddleFlatMap *self, const char *flat)
{
  g_return_val_if_fail (self != NULL, NULL);
  const HeddleFlatOrigin *origin = g_hash_table_lookup (self->origins, flat);
  return origin != NULL ? heddle_flat_origin_seen_from (origin, g_ptr_array_index (self->frames, 0)) : NULL;
}

GArray *
heddle_flat_map_get_operations (const HeddleFlatMap *self, const HeddleDiagram *flat, const char *id)
{
  g_return_val_if_fail (self != NULL && flat != NULL, NULL);
  GArray *operations = heddle_ids_new ();
  for (guint i = 0; i < flat->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (flat->operations, i);
      if (heddle_flat_map_see (self, operation->id) == id)
        heddle_ids_append (operations, operation->id);
    }
  return operations;
}
