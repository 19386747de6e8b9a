/* SPDX-License-Identifier: MIT */

/* The edge that lines are wrapped at: shown while lines are wrapped, and dragged. */

#include "app/canvas/private.h"
#include "app/canvas/scene.h"
#include "app/canvas/view.h"
#include "app/canvas/wrap.h"
#include "app/edits/figure-edits.h"

#define NEAR 5.
/* Narrower lines hold no operation. */
#define LEAST 120.

/* Where the edge is, in px of the widget. */
static gboolean
edge (HeddleCanvas *self, double *x)
{
  double left, top, width, height, wrap;

  if (self->editor == NULL || self->scene == NULL)
    return FALSE;
  wrap = heddle_figure_get_wrap (self->editor);
  if (wrap <= 0)
    return FALSE;
  heddle_canvas_get_extent (self, &left, &top, &width, &height);
  *x = (left + wrap) * self->zoom + self->pan_x;
  return TRUE;
}

gboolean
heddle_canvas_is_on_wrap (HeddleCanvas *self, double x)
{
  double at;

  return edge (self, &at) && fabs (x - at) <= NEAR;
}

void
heddle_canvas_drag_wrap (HeddleCanvas *self, double x)
{
  g_autofree char *key = g_strdup_printf ("wrap-%u", self->drag_serial);
  double left, top, width, height, wrap;

  heddle_canvas_get_extent (self, &left, &top, &width, &height);
  wrap = MAX (LEAST, round ((x - self->pan_x) / self->zoom - left));
  heddle_canvas_hold_view (self); /* or the edge would run from the pointer */
  if (wrap != heddle_figure_get_wrap (self->editor))
    heddle_figure_set_wrap (self->editor, wrap, key);
}

void
heddle_canvas_draw_wrap (HeddleCanvas *self, GtkSnapshot *snapshot)
{
  static const double dashes[] = { 3, 5 };
  const int height = gtk_widget_get_height (GTK_WIDGET (self));
  graphene_rect_t area;
  cairo_t *cr = NULL;
  double x;

  if (!edge (self, &x))
    return;
  graphene_rect_init (&area, x - 6, 0, 12, height);
  cr = gtk_snapshot_append_cairo (snapshot, &area);
  cairo_set_source_rgba (cr, .208, .518, .894, self->drag == HEDDLE_DRAG_WRAP ? 1 : .55);
  cairo_set_line_width (cr, 1);
  cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
  cairo_move_to (cr, round (x) + .5, 0);
  cairo_line_to (cr, round (x) + .5, height);
  cairo_stroke (cr);
  /* This is a grip to take. */
  cairo_rectangle (cr, round (x) - 2, height / 2. - 14, 5, 28);
  cairo_fill (cr);
  cairo_destroy (cr);
}
