/* SPDX-License-Identifier: MIT */
#include "diagram/graph/diagram-part.h"

/* Shares objects between diagrams; the reference count is the first field of each kind. */
static void
share (GPtrArray *to, const GPtrArray *from)
{
  for (guint i = 0; i < from->len; i++)
    {
      gpointer object = g_ptr_array_index (from, i);

      g_atomic_ref_count_inc ((gatomicrefcount *) object);
      g_ptr_array_add (to, object);
    }
}

static void
keep_ids (const HeddleDiagram *part, GArray *to, const GArray *from)
{
  for (guint i = 0; i < from->len; i++)
    {
      const char *id = heddle_ids_index (from, i);

      if (heddle_diagram_get_value (part, id) != NULL || heddle_diagram_get_axis (part, id) != NULL)
        heddle_ids_append (to, id);
    }
}

HeddleDiagram *
heddle_diagram_part (const HeddleDiagram *self, const GPtrArray *values, const GPtrArray *operations)
{
  HeddleDiagram *part = heddle_diagram_new (self->name);

  part->id = self->id;
  part->explicit_outputs = self->explicit_outputs;
  share (part->axes, self->axes);
  share (part->values, values);
  share (part->operations, operations);
  keep_ids (part, part->outputs, self->outputs);
  keep_ids (part, part->arguments, self->arguments);
  return part;
}
