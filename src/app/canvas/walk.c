/* SPDX-License-Identifier: MIT */

/* Keys go from thing to thing in the order of the outline: arrays that come from outside first, then the
 * operations. */

#include "app/canvas/view.h"
#include "app/canvas/walk.h"
#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "diagram/graph/diagram.h"
#include "app/canvas/private.h"

static GArray *
list_objects (const HeddleDiagram *diagram)
{
  GArray *ids = heddle_ids_new ();

  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);

      if (heddle_diagram_get_producer (diagram, value->id) == NULL)
        heddle_ids_append (ids, value->id);
    }
  for (guint i = 0; i < diagram->operations->len; i++)
    heddle_ids_append (ids, ((HeddleOperation *) g_ptr_array_index (diagram->operations, i))->id);
  return ids;
}

static GArray *
list_axes (const HeddleDiagram *diagram)
{
  GArray *ids = heddle_ids_new ();

  for (guint i = 0; i < diagram->axes->len; i++)
    heddle_ids_append (ids, ((HeddleAxis *) g_ptr_array_index (diagram->axes, i))->id);
  return ids;
}

/* The one after what is selected, round and round; the first where none is. */
static const char *
neighbour (const GArray *ids, const char *selected, int step)
{
  const int n = ids->len;

  for (int i = 0; i < n; i++)
    if (heddle_ids_index (ids, i) == selected)
      return heddle_ids_index (ids, (i + step + n) % n);
  return heddle_ids_index (ids, step > 0 ? 0 : n - 1);
}

gboolean
heddle_canvas_walk (HeddleCanvas *self, gboolean axes, int step)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  g_autoptr (GArray) ids = axes ? list_axes (diagram) : list_objects (diagram);
  const char *id = NULL;

  if (ids->len == 0)
    return FALSE;
  id = neighbour (ids, heddle_editor_get_selected (self->editor), step);
  heddle_editor_select (self->editor, id);
  heddle_canvas_reveal (self, id);
  return TRUE;
}
