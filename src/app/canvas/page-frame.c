/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/canvas/page-frame.h"
#include "app/canvas/private.h"
#include "app/canvas/scene.h"
#include "app/canvas/view.h"
#include "files/picture/venue.h"

#define POINTS_PER_INCH 72.
/* A rest that is narrower than so many inches counts as none. */
#define LEAST .005
#define PAD 8 /* px beside the words */

/* Gives the figure and the frame, in px of the scene; FALSE means that none is shown. */
static gboolean
find (HeddleCanvas *self, graphene_rect_t *frame, double *drawn)
{
  double x, y, width, height;

  if (self->venue == NULL || self->scene == NULL || self->editor == NULL)
    return FALSE;
  heddle_canvas_get_extent (self, &x, &y, &width, &height);
  graphene_rect_init (frame, x, y, heddle_venue_get_room (self->venue), height);
  *drawn = width;
  return width > 0;
}

char *
heddle_canvas_describe_page_frame (HeddleCanvas *self)
{
  graphene_rect_t frame;
  double drawn, inches, own;

  g_return_val_if_fail (HEDDLE_IS_CANVAS (self), NULL);

  heddle_canvas_ensure_scene (self);
  if (!find (self, &frame, &drawn))
    return NULL;
  inches = heddle_venue_get_width (self->venue) / POINTS_PER_INCH;
  own = heddle_venue_measure (drawn) / POINTS_PER_INCH;
  if (own < inches + LEAST)
    return g_strdup_printf (_ ("%s: %.2f in of %.2f in left"), heddle_venue_get_title (self->venue),
        MAX (inches - own, 0), inches);
  return g_strdup_printf (_ ("%s: %.2f in too wide for %.2f in, printed at %.0f %%"),
      heddle_venue_get_title (self->venue), own - inches, inches, 100 * inches / own);
}

static void
draw_edges (HeddleCanvas *self, GtkSnapshot *snapshot, const graphene_rect_t *page, gboolean too_wide)
{
  static const double dashes[] = { 6, 4 };
  graphene_rect_t area = *page;
  cairo_t *cr = NULL;

  graphene_rect_inset (&area, -2, -2);
  cr = gtk_snapshot_append_cairo (snapshot, &area);
  if (too_wide)
    cairo_set_source_rgba (cr, .878, .106, .141, .8);
  else
    cairo_set_source_rgba (cr, .208, .518, .894, .7);
  cairo_set_line_width (cr, 1);
  cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
  cairo_rectangle (
      cr, floor (page->origin.x) + .5, floor (page->origin.y) + .5, page->size.width, page->size.height);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

/* On the frame's upper edge, and in view as long as the frame is. */
static void
draw_words (HeddleCanvas *self, GtkSnapshot *snapshot, const graphene_rect_t *page)
{
  g_autofree char *text = heddle_canvas_describe_page_frame (self);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  const GdkRGBA paper = self->dark ? (GdkRGBA){ .22, .22, .22, 1 } : (GdkRGBA){ 1, 1, 1, 1 };
  const GdkRGBA ink = self->dark ? (GdkRGBA){ 1, 1, 1, .9 } : (GdkRGBA){ 0, 0, 0, .8 };
  GskRoundedRect card;
  graphene_rect_t area;
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  graphene_rect_init (
      &area, MAX (page->origin.x, 6), MAX (page->origin.y - height - 10, 6), width + 2 * PAD, height + 4);
  gsk_rounded_rect_init_from_rect (&card, &area, 6);
  gtk_snapshot_push_rounded_clip (snapshot, &card);
  gtk_snapshot_append_color (snapshot, &paper, &area);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (area.origin.x + PAD, area.origin.y + 2));
  gtk_snapshot_append_layout (snapshot, layout, &ink);
  gtk_snapshot_restore (snapshot);
}

void
heddle_canvas_draw_page_frame (HeddleCanvas *self, GtkSnapshot *snapshot)
{
  graphene_rect_t frame, page;
  double drawn, x, y;

  if (!find (self, &frame, &drawn))
    return;
  heddle_canvas_to_widget (self, frame.origin.x, frame.origin.y, &x, &y);
  graphene_rect_init (&page, x, y, frame.size.width * self->zoom, frame.size.height * self->zoom);
  draw_edges (self, snapshot, &page, drawn > frame.size.width);
  draw_words (self, snapshot, &page);
}

void
heddle_canvas_set_page_frame (HeddleCanvas *self, const char *venue)
{
  g_return_if_fail (HEDDLE_IS_CANVAS (self));
  g_return_if_fail (venue != NULL);

  self->venue = heddle_venue_get_width (venue) > 0 ? g_intern_string (venue) : NULL;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
