/* SPDX-License-Identifier: MIT */

/* The scene is drawn on the screen on sheets; the grid is below all. */

#include "app/canvas/overlay.h"
#include "app/canvas/private.h"
#include "app/canvas/render.h"
#include "app/canvas/scene-index.h"
#include "app/canvas/sheet.h"
#include "app/canvas/view.h"

#define GRID_PITCH 20.
#define GRID_LEAST_ZOOM 0.4
/* Antialiasing and rounding may reach a little beyond an item's own bounds. */
#define SLACK 2.

static void
draw_grid (HeddleCanvas *self, GtkSnapshot *snapshot, double width, double height)
{
  double pitch = GRID_PITCH * self->zoom, grey = self->dark ? .2 : .894;
  graphene_rect_t area = GRAPHENE_RECT_INIT (0, 0, width, height);
  cairo_t *cr = NULL;

  if (self->zoom < GRID_LEAST_ZOOM)
    return;
  cr = gtk_snapshot_append_cairo (snapshot, &area);
  cairo_set_source_rgb (cr, grey, grey, grey);
  for (double y = fmod (self->pan_y, pitch); y < height; y += pitch)
    for (double x = fmod (self->pan_x, pitch); x < width; x += pitch)
      cairo_rectangle (cr, round (x) - .75, round (y) - .75, 1.5, 1.5);
  cairo_fill (cr);
  cairo_destroy (cr);
}

/* Draws what moves above all else, where it is now. */
static void
append_lifted (HeddleCanvas *self, GtkSnapshot *snapshot)
{
  const double x = round (self->moved_x * self->zoom), y = round (self->moved_y * self->zoom);

  if (self->moved == NULL || self->live != NULL)
    return;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y));
  heddle_canvas_append_sheet (self, snapshot, HEDDLE_SHEET_LIFTED);
  gtk_snapshot_restore (snapshot);
}

static void
find_visible (HeddleCanvas *self, double width, double height)
{
  const double slack = SLACK / self->zoom;
  graphene_rect_t view;
  double x, y;

  heddle_canvas_to_scene (self, 0, 0, &x, &y);
  graphene_rect_init (&view, x, y, width / self->zoom, height / self->zoom);
  graphene_rect_inset (&view, -slack, -slack);
  g_clear_pointer (&self->visible, g_array_unref);
  self->visible = heddle_scene_index_find (self->index, &view);
}

static void
draw (HeddleCanvas *self, GtkSnapshot *snapshot)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));

  draw_grid (self, snapshot, width, height);
  if (self->scene == NULL)
    return;
  find_visible (self, width, height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (self->pan_x, self->pan_y));
  heddle_canvas_append_sheet (self, snapshot, HEDDLE_SHEET_PAPER);
  heddle_canvas_draw_under (self, snapshot);
  heddle_canvas_append_sheet (self, snapshot, HEDDLE_SHEET_INK);
  append_lifted (self, snapshot);
  gtk_snapshot_restore (snapshot);
}

void
heddle_canvas_render_init (HeddleCanvas *self)
{
  g_signal_connect (self, "draw", G_CALLBACK (draw), NULL);
}
