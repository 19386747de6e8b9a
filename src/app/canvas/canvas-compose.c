/* SPDX-License-Identifier: MIT */

/* A large diagram is laid out by a worker thread. Meanwhile the scene before stays: what of it is no longer there cannot be hit, for a hit
 * is looked up in the diagram. */

#include "app/canvas/canvas-private.h"
#include "app/spare-memory.h"
#include "figure/compose.h"

/* Fewer are laid out within a frame. */
#define MANY_OPERATIONS 1000

typedef struct
{
  HeddleSnapshot *snapshot;
  HeddleFigure figure;
  HeddleSchedule *schedule;
  HeddleSizes *sizes;
} Composition;

static void
composition_free (gpointer data)
{
  Composition *self = data;

  heddle_snapshot_unref (self->snapshot);
  g_clear_pointer (&self->schedule, heddle_schedule_free);
  g_clear_pointer (&self->sizes, heddle_sizes_unref);
  g_free (self);
}

/* All that it needs is its own: the snapshot never changes. */
static Composition *
composition_new (HeddleCanvas *canvas)
{
  Composition *self = g_new0 (Composition, 1);

  heddle_canvas_get_figure (canvas, &self->figure, &self->schedule);
  self->snapshot = heddle_snapshot_ref (heddle_editor_get_snapshot (canvas->editor));
  if (self->figure.sizes != NULL)
    self->sizes = heddle_sizes_ref ((HeddleSizes *) self->figure.sizes);
  self->figure.derivation = NULL;
  return self;
}

/* A scene, and what the main thread would have to measure of it. */
typedef struct
{
  HeddleScene *scene;
  HeddleSceneIndex *index;
} Composed;

static void
composed_free (gpointer data)
{
  Composed *self = data;

  g_clear_pointer (&self->scene, heddle_scene_unref);
  g_clear_pointer (&self->index, heddle_scene_index_free);
  g_free (self);
}

static void
compose (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Composition *self = data;
  Composed *composed = g_new (Composed, 1);

  composed->scene = heddle_figure_compose (self->snapshot, &self->figure);
  composed->index = heddle_scene_index_new (composed->scene);
  heddle_scene_pick (composed->scene, 0, 0, 0); /* the first pick builds what all go by */
  g_task_return_pointer (task, composed, composed_free);
}

static void
on_composed (GObject *source, GAsyncResult *result, gpointer unused)
{
  HeddleCanvas *self = HEDDLE_CANVAS (source);
  Composed *composed = g_task_propagate_pointer (G_TASK (result), NULL);
  HeddleScene *scene = g_steal_pointer (&composed->scene);
  HeddleSceneIndex *index = g_steal_pointer (&composed->index);

  composed_free (composed);
  self->in_composer = FALSE;
  heddle_spare_memory_return ();
  if (self->wanted)
    heddle_canvas_invalidate (self);
  if (self->overtaken || self->editor == NULL || heddle_editor_get_diagram (self->editor) == NULL)
    {
      heddle_scene_let_go (scene, index);
      return;
    }
  heddle_canvas_take_scene (self, scene, index);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
start (gpointer data)
{
  HeddleCanvas *self = data;
  g_autoptr (GTask) task = NULL;

  self->composing = 0;
  self->wanted = self->in_composer; /* one at a time */
  if (self->in_composer)
    return G_SOURCE_REMOVE;
  self->in_composer = TRUE;
  self->overtaken = FALSE;
  task = g_task_new (self, NULL, on_composed, NULL);
  g_task_set_task_data (task, composition_new (self), composition_free);
  g_task_run_in_thread (task, compose);
  return G_SOURCE_REMOVE;
}

/* Columns are drawn from a derivation, which is the editor's own; what is tried or moved live is shown at once. */
static gboolean
can_wait (HeddleCanvas *self)
{
  const HeddleDiagram *diagram = self->editor != NULL ? heddle_editor_get_diagram (self->editor) : NULL;
  HeddleFigure figure;
  HeddleSchedule *schedule = NULL;
  gboolean columns;

  if (self->scene == NULL || diagram == NULL || self->scene_diagram != diagram->id || self->live != NULL
      || diagram->operations->len < MANY_OPERATIONS)
    return FALSE;
  heddle_canvas_get_figure (self, &figure, &schedule);
  columns = (figure.show & HEDDLE_SHOW_COLUMNS) != 0;
  g_clear_pointer (&schedule, heddle_schedule_free);
  return !columns;
}

gboolean
heddle_canvas_compose_later (HeddleCanvas *self)
{
  if (!can_wait (self))
    return FALSE;
  self->overtaken = TRUE;
  self->wanted = FALSE;
  if (self->composing == 0)
    self->composing = g_idle_add_full (G_PRIORITY_DEFAULT, start, self, NULL);
  return TRUE;
}

void
heddle_canvas_compose_stop (HeddleCanvas *self)
{
  g_clear_handle_id (&self->composing, g_source_remove);
  self->wanted = FALSE;
  self->overtaken = TRUE;
}

gboolean
heddle_canvas_is_composing (HeddleCanvas *self)
{
  return self->composing != 0 || self->in_composer;
}
