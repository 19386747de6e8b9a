/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/editor/derive.h"
#include "app/editor/selection.h"
#include "app/guide/tour.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

struct _HeddleTour
{
  GObject parent_instance;
  HeddleEditor *editor;
  const char *axis; /* the id of what is called x at first */
  guint step;
};

G_DEFINE_FINAL_TYPE (HeddleTour, heddle_tour, G_TYPE_OBJECT)

/* --- what was done --- */

static gboolean
is_called_x (HeddleTour *self)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (heddle_editor_get_diagram (self->editor), self->axis);

  return axis != NULL && g_strcmp0 (axis->name, "x") == 0;
}

static gboolean
axis_selected (HeddleTour *self)
{
  return heddle_editor_is_selected (self->editor, self->axis);
}

static gboolean
axis_renamed (HeddleTour *self)
{
  return !is_called_x (self);
}

static gboolean
operations_fused (HeddleTour *self)
{
  const HeddleSchedule *schedule = heddle_editor_get_schedule (self->editor);

  return schedule != NULL && schedule->regions->len > 0;
}

static gboolean
has_label (HeddleTour *self, HeddleLabelKind kind)
{
  const HeddleSchedule *schedule = heddle_editor_get_schedule (self->editor);

  for (guint i = 0; schedule != NULL && i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      for (guint j = 0; j < region->labels->len; j++)
        if (((HeddleLabel *) g_ptr_array_index (region->labels, j))->kind == kind)
          return TRUE;
    }
  return FALSE;
}

static gboolean
axis_streamed (HeddleTour *self)
{
  return has_label (self, HEDDLE_LABEL_STREAM);
}

static gboolean
labels_completed (HeddleTour *self)
{
  return has_label (self, HEDDLE_LABEL_GROUP);
}

/* --- the steps --- */

static const struct
{
  gboolean (*done) (HeddleTour *self); /* NULL: to be read */
  const char *text;
} steps[] = {
  { axis_selected, N_ ("This is attention. Each line is an axis of an array. Click the line x of K.") },
  { axis_renamed, N_ ("It is selected everywhere. Press F2, type n and press Enter: the axis has another "
                      "name in all of the document.") },
  { is_called_x, N_ ("Everything can be undone. Press Ctrl+Z.") },
  { operations_fused, N_ ("Now the kernel. Press Fuse in the derivation below: all operations in one kernel, "
                          "so that nothing between them goes to memory.") },
  { axis_streamed,
      N_ ("Drag the line x onto the stream half of SMEM, or select it and press that button: K and V "
          "then pass through the fast memory piece by piece.") },
  { labels_completed,
      N_ ("Press Suggest: Heddle finds the best sizes, and splits y among groups. See the time and the "
          "point on the roofline.") },
  { NULL, N_ ("This is FlashAttention. Ctrl+E exports it as a figure or a kernel; Kernel shows it. That is "
              "all.") },
};

/* Steps that were done in passing are not asked for again. */
static void
advance (HeddleTour *self)
{
  const guint before = self->step;

  while (self->step < G_N_ELEMENTS (steps) && steps[self->step].done != NULL && steps[self->step].done (self))
    self->step++;
  if (self->step != before)
    g_signal_emit_by_name (self, "changed");
}

void
heddle_tour_skip (HeddleTour *self)
{
  g_return_if_fail (HEDDLE_IS_TOUR (self));

  if (self->step < G_N_ELEMENTS (steps))
    self->step++;
  g_signal_emit_by_name (self, "changed");
}

/* Of the last step where others were skipped. */
static const char skipped[] = N_ ("Fused, with x streamed and y split among groups, this is FlashAttention. "
                                  "Ctrl+E exports it as a figure or a kernel. That is all.");

const char *
heddle_tour_get_text (HeddleTour *self)
{
  g_return_val_if_fail (HEDDLE_IS_TOUR (self), NULL);

  if (self->step >= G_N_ELEMENTS (steps))
    return NULL;
  if (steps[self->step].done == NULL && !(axis_streamed (self) && labels_completed (self)))
    return _ (skipped);
  return _ (steps[self->step].text);
}

guint
heddle_tour_get_step (HeddleTour *self)
{
  g_return_val_if_fail (HEDDLE_IS_TOUR (self), 0);
  return self->step;
}

guint
heddle_tour_get_n_steps (HeddleTour *self)
{
  return G_N_ELEMENTS (steps);
}

gboolean
heddle_tour_is_deriving (HeddleTour *self)
{
  g_return_val_if_fail (HEDDLE_IS_TOUR (self), FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (steps[i].done == operations_fused)
      return self->step >= i;
  return FALSE;
}

HeddleEditor *
heddle_tour_get_editor (HeddleTour *self)
{
  g_return_val_if_fail (HEDDLE_IS_TOUR (self), NULL);
  return self->editor;
}

static void
heddle_tour_dispose (GObject *object)
{
  HeddleTour *self = HEDDLE_TOUR (object);

  if (self->editor != NULL)
    g_signal_handlers_disconnect_by_data (self->editor, self);
  g_clear_object (&self->editor);
  G_OBJECT_CLASS (heddle_tour_parent_class)->dispose (object);
}

static void
heddle_tour_class_init (HeddleTourClass *class)
{
  G_OBJECT_CLASS (class)->dispose = heddle_tour_dispose;
  g_signal_new ("changed", HEDDLE_TYPE_TOUR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
heddle_tour_init (HeddleTour *self)
{
}

HeddleTour *
heddle_tour_new (HeddleEditor *editor)
{
  HeddleTour *self = NULL;
  const HeddleAxis *axis = NULL;

  g_return_val_if_fail (HEDDLE_IS_EDITOR (editor), NULL);

  axis = heddle_diagram_find_axis (heddle_editor_get_diagram (editor), "x");
  g_return_val_if_fail (axis != NULL, NULL);
  self = g_object_new (HEDDLE_TYPE_TOUR, NULL);
  self->editor = g_object_ref (editor);
  self->axis = axis->id;
  g_signal_connect_swapped (editor, "changed", G_CALLBACK (advance), self);
  g_signal_connect_swapped (editor, "selection-changed", G_CALLBACK (advance), self);
  return self;
}
