/* SPDX-License-Identifier: MIT */

/* A large diagram is laid out by a worker thread. Meanwhile the scene before stays: what of it is no longer there cannot be hit, for a hit
 * is looked up in the diagram. Where there is none before, the first frame waits for it: it was begun when the document came, and the rest
 * of the window was made meanwhile; what can be shown later, the derivation and the equations, is not begun before it is done. */

#include "app/canvas/canvas.h"
#include "app/canvas/compose.h"
#include "app/canvas/scene-index.h"
#include "app/editor/editor.h"
#include "app/editor/preview.h"
#include "app/editor/shared-derivation.h"
#include "app/widgets/background-task.h"
#include "app/widgets/heap-trim.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/compose.h"
#include "figure/scene/scene.h"
#include "app/canvas/private.h"

/* Fewer are laid out within a frame. */
#define MANY_OPERATIONS 1000

/* A scene, and what the main thread would have to measure of it. */
typedef struct
{
  HeddleScene *scene;
  HeddleSceneIndex *index;
} Composed;

typedef struct
{
  HeddleSnapshot *snapshot;
  HeddleFigure figure;
  HeddleSchedule *schedule;
  HeddleSizes *sizes;
  HeddleSharedDerivation *derivation;
  gboolean urgent; /* there is no scene before */

  GMutex lock; /* of what follows, and told of by: */
  GCond told;
  gboolean done;
  Composed composed; /* until it is taken */
} Composition;

static void
composition_free (gpointer data)
{
  Composition *self = data;

  heddle_scene_let_go (self->composed.scene, self->composed.index);
  heddle_snapshot_unref (self->snapshot);
  g_clear_pointer (&self->schedule, heddle_schedule_free);
  g_clear_pointer (&self->sizes, heddle_sizes_unref);
  g_clear_pointer (&self->derivation, heddle_shared_derivation_unref);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->told);
  g_free (self);
}

/* All that it needs is its own, or never changes: the snapshot and the derivation. */
static Composition *
composition_new (HeddleCanvas *canvas)
{
  Composition *self = g_new0 (Composition, 1);

  g_mutex_init (&self->lock);
  g_cond_init (&self->told);
  heddle_canvas_get_figure (canvas, &self->figure, &self->schedule);
  self->urgent = canvas->scene == NULL;
  if (self->urgent)
    heddle_task_begin_urgent ();
  self->snapshot = heddle_snapshot_ref (heddle_editor_get_snapshot (canvas->editor));
  if (self->figure.sizes != NULL)
    self->sizes = heddle_sizes_ref ((HeddleSizes *) self->figure.sizes);
  if (self->figure.derivation != NULL)
    self->derivation = heddle_shared_derivation_ref (heddle_editor_share_derivation (canvas->editor));
  return self;
}

static void
compose (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Composition *self = data;
  HeddleScene *scene = heddle_figure_compose (self->snapshot, &self->figure);
  HeddleSceneIndex *index = heddle_scene_index_new (scene);

  heddle_scene_ref (scene); /* it may be taken at once */
  g_mutex_lock (&self->lock);
  self->composed = (Composed){ scene, index };
  self->done = TRUE;
  g_cond_signal (&self->told);
  g_mutex_unlock (&self->lock);
  if (self->urgent)
    heddle_task_end_urgent ();
  heddle_scene_pick (scene, 0, 0, 0); /* the first pick builds what all go by */
  heddle_scene_unref (scene);
  g_task_return_boolean (task, TRUE);
}

/* What it made, when it is there; nothing, where that was taken before. */
static Composed
composition_take (Composition *self)
{
  Composed composed;

  g_mutex_lock (&self->lock);
  while (!self->done)
    g_cond_wait (&self->told, &self->lock);
  composed = self->composed;
  self->composed = (Composed){ NULL };
  g_mutex_unlock (&self->lock);
  return composed;
}

static void
on_composed (GObject *source, GAsyncResult *result, gpointer unused)
{
  HeddleCanvas *self = HEDDLE_CANVAS (source);
  Composed composed;

  heddle_heap_trim_when_idle ();
  if (self->composer != G_TASK (result))
    return; /* it was waited for */
  g_clear_object (&self->composer);
  composed = composition_take (g_task_get_task_data (G_TASK (result)));
  if (self->wanted)
    heddle_canvas_invalidate (self);
  if (self->overtaken || self->editor == NULL || heddle_editor_get_diagram (self->editor) == NULL)
    {
      heddle_scene_let_go (composed.scene, composed.index);
      return;
    }
  heddle_canvas_take_scene (self, composed.scene, composed.index);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
begin (HeddleCanvas *self)
{
  self->overtaken = FALSE;
  self->composer = g_task_new (self, NULL, on_composed, NULL);
  g_task_set_task_data (self->composer, composition_new (self), composition_free);
  g_task_run_in_thread (self->composer, compose);
}

static gboolean
start (gpointer data)
{
  HeddleCanvas *self = data;

  self->composing = 0;
  self->wanted = self->composer != NULL; /* one at a time */
  if (!self->wanted)
    begin (self);
  return G_SOURCE_REMOVE;
}

/* What is moved live is shown at once. */
static gboolean
takes_long (HeddleCanvas *self)
{
  const HeddleDiagram *diagram = self->editor != NULL ? heddle_editor_get_diagram (self->editor) : NULL;

  return diagram != NULL && self->live == NULL && diagram->operations->len >= MANY_OPERATIONS;
}

static gboolean
can_wait (HeddleCanvas *self)
{
  return self->scene != NULL && takes_long (self)
         && self->scene_diagram == heddle_editor_get_diagram (self->editor)->id;
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
heddle_canvas_compose_ahead (HeddleCanvas *self)
{
  if (self->scene == NULL && self->composer == NULL && takes_long (self))
    begin (self);
}

gboolean
heddle_canvas_compose_await (HeddleCanvas *self)
{
  g_autoptr (GTask) task = NULL;
  Composed composed;

  if (self->composer == NULL || self->overtaken)
    return FALSE;
  task = g_steal_pointer (&self->composer);
  composed = composition_take (g_task_get_task_data (task));
  heddle_canvas_take_scene (self, composed.scene, composed.index);
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
  return self->composing != 0 || self->composer != NULL;
}
