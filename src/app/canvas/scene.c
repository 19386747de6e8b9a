/* SPDX-License-Identifier: MIT */

/* The scene that the canvas shows. A large diagram is laid out by a worker thread. Meanwhile the scene before stays: what of it is no longer there
 * cannot be hit, for a hit is looked up in the diagram. Where there is none before, the first frame waits for it: it was begun when the document
 * came, and the rest of the window was made meanwhile; what can be shown later, the derivation and the equations, is not begun before it is done. */

#include <adwaita.h>

#include "app/canvas/private.h"
#include "app/canvas/scene-index.h"
#include "app/canvas/scene.h"
#include "app/editor/editor.h"
#include "app/editor/flat.h"
#include "app/editor/preview.h"
#include "app/editor/shared-derivation.h"
#include "app/widgets/background-task.h"
#include "app/widgets/heap-trim.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/calls.h"
#include "diagram/graph/diagram.h"
#include "figure/page/compose.h"
#include "figure/scene/figure-theme.h"

/* A diagram of fewer operations is laid out within a frame. */
#define MANY_OPERATIONS 1000

/* --- the figure ------------------------------------------------------------------------------------ */

/* Returns what is shown of a schedule: its colours, tags and costs appear with the first label. */
static HeddleShow
shown_parts (const HeddleFigure *figure)
{
  if (heddle_schedule_has_labels (figure->schedule))
    return HEDDLE_SHOW_LABELS | (figure->derivation != NULL ? HEDDLE_SHOW_COLUMNS : 0);
  return figure->schedule != NULL ? HEDDLE_SHOW_LABELS : 0;
}

void
heddle_canvas_get_figure (HeddleCanvas *self, HeddleFigure *figure, HeddleSchedule **schedule)
{
  *figure = (HeddleFigure){ .diagram = heddle_editor_get_diagram (self->editor) };
  figure->schedule = *schedule = heddle_editor_dup_canvas_schedule (self->editor);
  figure->presentation = self->live;
  if (self->live == NULL)
    figure->presentation
        = heddle_snapshot_find_presentation (heddle_editor_get_snapshot (self->editor), figure->diagram);
  /* The cost of a call is no column of the diagram that calls. */
  if (!heddle_diagram_has_calls (figure->diagram))
    figure->derivation = heddle_editor_get_shown_derivation (self->editor);
  figure->sizes = heddle_editor_get_sizes (self->editor);
  figure->theme = self->dark ? HEDDLE_THEME_DARK : self->contrast ? HEDDLE_THEME_CONTRAST : self->theme;
  figure->show = shown_parts (figure);
  figure->legend = self->legend;
}

/* --- the scene at hand ----------------------------------------------------------------------------- */

static void
drop_scene (HeddleCanvas *self)
{
  g_signal_emit_by_name (self, "scene-dropped");
  g_clear_pointer (&self->visible, g_array_unref);
  heddle_scene_let_go (g_steal_pointer (&self->scene), g_steal_pointer (&self->index));
}

/* The scene is there; what follows from it is up to who watches. Both are taken. */
static void
take_scene (HeddleCanvas *self, HeddleScene *scene, HeddleSceneIndex *index)
{
  drop_scene (self);
  self->scene = scene;
  self->index = index;
  self->extent = index->extent;
  self->scene_diagram = heddle_editor_get_diagram (self->editor)->id;
  g_signal_emit_by_name (self, "scene-taken");
}

/* --- composing by a worker thread ------------------------------------------------------------------ */

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

/* A composition owns all that it needs, or that never changes: the snapshot and the derivation. */
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

/* Takes what the worker made, when it is there; nothing is left where that was taken before. */
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
  take_scene (self, composed.scene, composed.index);
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

/* Returns whether laying out takes long; what is moved live is shown at once. */
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

/* Has a worker thread compose the scene of a large diagram, while the scene before is shown. Returns FALSE where it is to be made at once. */
static gboolean
compose_later (HeddleCanvas *self)
{
  if (!can_wait (self))
    return FALSE;
  self->overtaken = TRUE;
  self->wanted = FALSE;
  if (self->composing == 0)
    self->composing = g_idle_add_full (G_PRIORITY_DEFAULT, start, self, NULL);
  return TRUE;
}

/* Has a worker thread begin with the first scene of a large diagram, while the rest of the window is made. */
static void
compose_ahead (HeddleCanvas *self)
{
  if (self->scene == NULL && self->composer == NULL && takes_long (self))
    begin (self);
}

/* Takes what was begun ahead, when it is there. Returns FALSE where nothing that is still right was begun. */
static gboolean
compose_await (HeddleCanvas *self)
{
  g_autoptr (GTask) task = NULL;
  Composed composed;

  if (self->composer == NULL || self->overtaken)
    return FALSE;
  task = g_steal_pointer (&self->composer);
  composed = composition_take (g_task_get_task_data (task));
  take_scene (self, composed.scene, composed.index);
  return TRUE;
}

/* Stops the waiting composition; what a worker thread has begun is thrown away when it is done. */
static void
compose_stop (HeddleCanvas *self)
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

/* --- for all others -------------------------------------------------------------------------------- */

void
heddle_canvas_invalidate (HeddleCanvas *self)
{
  if (!compose_later (self))
    {
      compose_stop (self);
      drop_scene (self);
      compose_ahead (self);
    }
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
heddle_canvas_ensure_scene (HeddleCanvas *self)
{
  HeddleFigure figure;
  HeddleSchedule *schedule = NULL;
  HeddleScene *scene = NULL;

  if (self->scene != NULL || self->editor == NULL || heddle_editor_get_diagram (self->editor) == NULL)
    return;
  if (compose_await (self))
    return;
  heddle_canvas_get_figure (self, &figure, &schedule);
  scene = heddle_figure_compose (heddle_editor_get_snapshot (self->editor), &figure);
  take_scene (self, scene, heddle_scene_index_new (scene));
  g_clear_pointer (&schedule, heddle_schedule_free);
}

HeddleScene *
heddle_canvas_get_scene (HeddleCanvas *self)
{
  g_return_val_if_fail (HEDDLE_IS_CANVAS (self), NULL);

  heddle_canvas_ensure_scene (self);
  return self->scene;
}

void
heddle_canvas_get_extent (HeddleCanvas *self, double *x, double *y, double *width, double *height)
{
  *x = self->extent.origin.x;
  *y = self->extent.origin.y;
  *width = self->extent.size.width;
  *height = self->extent.size.height;
}

gboolean
heddle_canvas_object_bounds (HeddleCanvas *self, const char *id, graphene_rect_t *bounds)
{
  const graphene_rect_t *found = NULL;

  heddle_canvas_ensure_scene (self);
  if (self->index != NULL)
    found = g_hash_table_lookup (self->index->objects, id);
  if (found != NULL)
    *bounds = *found;
  return found != NULL;
}

static void
read_style (HeddleCanvas *self)
{
  self->dark
      = self->theme == HEDDLE_THEME_LIGHT && adw_style_manager_get_dark (adw_style_manager_get_default ());
  self->contrast = self->theme == HEDDLE_THEME_LIGHT
                   && adw_style_manager_get_high_contrast (adw_style_manager_get_default ());
}

static void
on_style_changed (HeddleCanvas *self)
{
  read_style (self);
  heddle_canvas_invalidate (self);
}

void
heddle_canvas_set_theme (HeddleCanvas *self, const char *name)
{
  g_return_if_fail (HEDDLE_IS_CANVAS (self));

  self->theme = g_strcmp0 (name, "paper") == 0      ? HEDDLE_THEME_PAPER
                : g_strcmp0 (name, "contrast") == 0 ? HEDDLE_THEME_CONTRAST
                                                    : HEDDLE_THEME_LIGHT;
  on_style_changed (self);
}

/* Draws the scene anew where it shows the derivation: what kernels with labels cost. */
static void
on_derivation_changed (HeddleCanvas *self)
{
  HeddleSchedule *schedule = heddle_editor_dup_canvas_schedule (self->editor);
  const gboolean labelled = heddle_schedule_has_labels (schedule);

  g_clear_pointer (&schedule, heddle_schedule_free);
  if (labelled)
    heddle_canvas_invalidate (self);
}

/* The picture of a large diagram stays until a worker has the next one. */
static void
on_preview_changed (HeddleCanvas *self)
{
  const gboolean refused = heddle_editor_get_refusal (self->editor) != NULL;

  if (refused || self->refused || !compose_later (self))
    heddle_canvas_invalidate (self);
  self->refused = refused;
}

void
heddle_canvas_set_legend (HeddleCanvas *self, gboolean legend)
{
  g_return_if_fail (HEDDLE_IS_CANVAS (self));

  if (self->legend == legend)
    return;
  self->legend = legend;
  heddle_canvas_invalidate (self);
}

static void
on_editor_changed (HeddleCanvas *self)
{
  self->scene_diagram = NULL; /* what is shown is no other document's */
  self->refused = FALSE;
  if (self->editor == NULL)
    {
      heddle_canvas_invalidate (self);
      return;
    }
  g_signal_connect_object (
      self->editor, "derivation-changed", G_CALLBACK (on_derivation_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (
      self->editor, "preview-changed", G_CALLBACK (on_preview_changed), self, G_CONNECT_SWAPPED);
}

static void
on_closing (HeddleCanvas *self)
{
  compose_stop (self);
  drop_scene (self);
}

void
heddle_canvas_scene_init (HeddleCanvas *self)
{
  self->theme = HEDDLE_THEME_LIGHT;
  read_style (self);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::high-contrast",
      G_CALLBACK (on_style_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_style_changed),
      self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "editor-changed", G_CALLBACK (on_editor_changed), NULL);
  g_signal_connect (self, "document-changed", G_CALLBACK (heddle_canvas_invalidate), NULL);
  g_signal_connect (self, "allocate", G_CALLBACK (heddle_canvas_ensure_scene), NULL);
  g_signal_connect (self, "draw", G_CALLBACK (heddle_canvas_ensure_scene), NULL);
  g_signal_connect (self, "closing", G_CALLBACK (on_closing), NULL);
}
