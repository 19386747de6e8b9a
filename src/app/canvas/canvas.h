/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"
#include "figure/page/figure.h"

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

GtkWidget *heddle_canvas_new (void);
void heddle_canvas_set_editor (HeddleCanvas *self, HeddleEditor *editor);

/* --- view --- */
double heddle_canvas_get_zoom (HeddleCanvas *self);
/* Keeps the middle of the view where it is. */
void heddle_canvas_set_zoom (HeddleCanvas *self, double zoom);
void heddle_canvas_zoom_in (HeddleCanvas *self);
void heddle_canvas_zoom_out (HeddleCanvas *self);
/* Shows all, and goes on doing so until the person zooms or pans. */
void heddle_canvas_fit (HeddleCanvas *self);
/* Where the person looks, to come back to. */
typedef struct
{
  double zoom, pan_x, pan_y; /* widget = scene * zoom + pan */
  gboolean fitting; /* keeps all in view */
} HeddleCanvasView;
void heddle_canvas_get_view (HeddleCanvas *self, HeddleCanvasView *view);
void heddle_canvas_set_view (HeddleCanvas *self, const HeddleCanvasView *view);
void heddle_canvas_reveal (HeddleCanvas *self, const char *id);
/* What was moved by hand, of what is selected or of all, goes back to where the layout has it, as one step. */
void heddle_canvas_tidy (HeddleCanvas *self);

/* "window": the colours of the window; "paper": as exported; "contrast". */
void heddle_canvas_set_theme (HeddleCanvas *self, const char *name);

/* --- where things are --- */
/* Where a note goes that was asked for: where the menu was opened, else above the middle; in the drawing's coordinates. */
void heddle_canvas_get_note_place (HeddleCanvas *self, double *x, double *y);
HeddleScene *heddle_canvas_get_scene (
    HeddleCanvas *self); /* transfer none, laid out for the present document; or NULL */
/* What is seen of the objects, in the widget's coordinates: for popovers that point at them, which GTK 4.8 cannot place where no screen is.
 * FALSE: nothing is, and @rectangle is left alone. */
gboolean heddle_canvas_get_object_rectangle (HeddleCanvas *self, const GArray *ids, GdkRectangle *rectangle);
gboolean heddle_canvas_get_selection_rectangle (HeddleCanvas *self, GdkRectangle *rectangle);
/* Where what is inserted next belongs: where a wire was just dropped on nothing, else at the selection, else in the middle. */
void heddle_canvas_take_insert_place (HeddleCanvas *self, GdkRectangle *place);
void heddle_canvas_to_widget (HeddleCanvas *self, double x, double y, double *widget_x, double *widget_y);

/* Edits the label of what is selected in place; FALSE: it has none. */
gboolean heddle_canvas_edit_selected_label (HeddleCanvas *self);

G_END_DECLS
