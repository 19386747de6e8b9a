/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/canvas/scene-index.h"
#include "app/editor/editor.h"
#include "diagram/document/schedule.h"
#include "figure/layout/figure-spec.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

/**
 * HeddleCanvas: the diagram as it is drawn, to be looked at and changed. Shows the scene of the figure room for the editor's
 * document, with the schedule that is being tried, the selection, problems and refusals on top.
 *
 * Properties: "zoom" (double, notifying); "crowded" (boolean, notifying): the drawing reaches where a hint would lie. Signals: "view-changed" when another part of
 * the drawing, or another drawing, is in view; "insert-requested" when the quick insert is wanted ("/", or a wire
 * was dropped on nothing).
 */
#define HEDDLE_TYPE_CANVAS (heddle_canvas_get_type ())
G_DECLARE_FINAL_TYPE (HeddleCanvas, heddle_canvas, HEDDLE, CANVAS, GtkWidget)

/* Returns a new canvas (floating) that shows nothing until it gets an editor. */
GtkWidget *heddle_canvas_new (void);
/* Shows the diagram of @editor, which the canvas holds a reference of. NULL empties the canvas and makes it
 * insensitive. */
void heddle_canvas_set_editor (HeddleCanvas *self, HeddleEditor *editor);

/* Where the person looks, to come back to. */
typedef struct
{
  double zoom, pan_x, pan_y; /* widget = scene * zoom + pan */
  gboolean fitting; /* keeps all in view */
} HeddleCanvasView;

/* "window": the colours of the window; "paper": as exported; "contrast". */
void heddle_canvas_set_theme (HeddleCanvas *self, const char *name);

HeddleScene *heddle_canvas_get_scene (
    HeddleCanvas *self); /* transfer none, laid out for the present document; or NULL */

/* Has the scene made anew: a large one by a worker thread, while the one before is shown; any other when it
 * is needed next. */
void heddle_canvas_invalidate (HeddleCanvas *self);
/* The figure to be drawn now. @schedule: what it holds of its own, to be freed. */
void heddle_canvas_get_figure (HeddleCanvas *self, HeddleFigure *figure, HeddleSchedule **schedule);
/* The scene is there: all that follows from it. Both are taken. */
void heddle_canvas_take_scene (HeddleCanvas *self, HeddleScene *scene, HeddleSceneIndex *index);
/* Composes the scene in this thread where there is none. Nothing happens without a diagram. */
void heddle_canvas_ensure_scene (HeddleCanvas *self);

G_END_DECLS
