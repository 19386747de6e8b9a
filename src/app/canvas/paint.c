/* SPDX-License-Identifier: MIT */

/* A memory level is drawn over operations and wires: what it went over becomes one kernel there, or with
 * global memory is taken apart. */

#include <glib/gi18n.h>
#include <math.h>

#include "app/canvas/paint.h"
#include "app/canvas/pick.h"
#include "app/canvas/private.h"
#include "app/derivation/actions.h"
#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/editor/target.h"
#include "derive/machine/machine.h"
#include "diagram/graph/diagram.h"

/* Points are looked at in steps of so many px of the screen, which is less than what is near to a wire. */
#define PAINT_STEP 4.

static void
add (GArray *ids, const char *id)
{
  if (id != NULL && !heddle_ids_contain (ids, id))
    heddle_ids_append (ids, id);
}

/* A wire goes from what makes it to what reads it. */
static void
add_ends (const HeddleDiagram *diagram, GArray *ids, const char *value)
{
  const HeddleOperation *maker = heddle_diagram_get_producer (diagram, value);
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, value);

  add (ids, maker != NULL ? maker->id : NULL);
  for (guint i = 0; i < readers->len; i++)
    add (ids, ((const HeddleOperation *) g_ptr_array_index (readers, i))->id);
}

static void
paint_point (HeddleCanvas *self, double x, double y)
{
  const HeddleHit hit = heddle_canvas_pick (self, x, y);

  if (hit.kind == HEDDLE_HIT_OPERATION)
    add (self->painted, hit.operation);
  else if (hit.value != NULL)
    add_ends (heddle_editor_get_diagram (self->editor), self->painted, hit.value);
}

/* Where the pointer is told of leaves gaps when it is fast, or the program slow: the line between counts. What was gone over so far is
 * selected, so that it is seen. */
void
heddle_canvas_paint_over (HeddleCanvas *self, double x, double y)
{
  const double dx = x - self->paint_x, dy = y - self->paint_y;
  const guint n_steps = 1 + hypot (dx, dy) / PAINT_STEP;
  guint n;

  if (self->painted == NULL)
    self->painted = heddle_ids_new ();
  n = self->painted->len;
  for (guint i = 1; i <= n_steps; i++)
    paint_point (self, self->paint_x + dx * i / n_steps, self->paint_y + dy * i / n_steps);
  self->paint_x = x;
  self->paint_y = y;
  if (self->painted->len > n)
    heddle_editor_select_ids (self->editor, self->painted);
}

gboolean
heddle_canvas_paint (HeddleCanvas *self, const GArray *painted, const char *level)
{
  const HeddleMachine *machine = heddle_editor_get_machine (self->editor);
  const int i = machine != NULL ? heddle_machine_find_level (machine, level) : -1;
  const HeddleLevel *found = i >= 0 ? g_ptr_array_index (machine->levels, i) : NULL;

  if (found == NULL || painted == NULL || painted->len == 0)
    return FALSE;
  heddle_editor_select_ids (self->editor, painted);
  if (i == 0)
    heddle_derivation_unfuse (self->editor);
  else if (painted->len < 2)
    heddle_editor_report (
        self->editor, _ ("Draw %s over two operations or more: they become one kernel"), _ (found->title));
  else
    heddle_derivation_fuse (self->editor);
  return TRUE;
}
