/* SPDX-License-Identifier: MIT */

/* The scene on the screen. GTK repaints everything below a scale, so each item's node is drawn at the zoom it is shown at and
 * kept; a pan only translates, and what is out of view is left out. */

#include "app/canvas/canvas-private.h"

#define GRID_PITCH 20.
#define GRID_LEAST_ZOOM 0.4
/* Antialiasing and rounding may reach a little beyond an item's own bounds. */
#define SLACK 2.

static void
clear_node (gpointer node)
{
  if (node != NULL)
    gsk_render_node_unref (node);
}

void
heddle_canvas_drop_nodes (HeddleCanvas *self)
{
  g_clear_pointer (&self->nodes, g_ptr_array_unref);
}

static void
prepare_nodes (HeddleCanvas *self)
{
  if (self->nodes != NULL && self->node_zoom == self->zoom)
    return;
  heddle_canvas_drop_nodes (self);
  self->nodes = g_ptr_array_new_with_free_func (clear_node);
  g_ptr_array_set_size (self->nodes, heddle_scene_get_n_items (self->scene));
  self->node_zoom = self->zoom;
}

/* Where an item lies, zoomed but not panned. */
static graphene_rect_t
zoomed_bounds (HeddleCanvas *self, guint i)
{
  graphene_rect_t bounds = g_array_index (self->item_bounds, graphene_rect_t, i);

  graphene_rect_scale (&bounds, self->zoom, self->zoom, &bounds);
  graphene_rect_inset (&bounds, -SLACK, -SLACK);
  graphene_rect_round_extents (&bounds, &bounds);
  return bounds;
}

static GskRenderNode *
node_for (HeddleCanvas *self, guint i, const HeddleItem *item, const graphene_rect_t *bounds)
{
  GskRenderNode *node = g_ptr_array_index (self->nodes, i);
  cairo_t *cr = NULL;

  if (node != NULL)
    return node;
  node = gsk_cairo_node_new (bounds);
  cr = gsk_cairo_node_get_draw_context (node);
  cairo_scale (cr, self->zoom, self->zoom);
  heddle_item_draw (item, cr);
  cairo_destroy (cr);
  self->nodes->pdata[i] = node;
  return node;
}

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

static gboolean
is_ink (const HeddleItem *item)
{
  return item->part == HEDDLE_PART_WIRE || item->part == HEDDLE_PART_GLYPH
         || item->part == HEDDLE_PART_AXIS_LABEL || item->part == HEDDLE_PART_VALUE_LABEL
         || item->part == HEDDLE_PART_TAG;
}

static void
append_items (HeddleCanvas *self, GtkSnapshot *snapshot, const graphene_rect_t *view)
{
  gboolean under = FALSE;

  for (guint i = 0; i < heddle_scene_get_n_items (self->scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (self->scene, i);
      graphene_rect_t bounds = zoomed_bounds (self, i);

      /* Bands lie between the boxes and the first ink on them. */
      if (!under && is_ink (item))
        {
          heddle_canvas_draw_under (self, snapshot);
          under = TRUE;
        }
      if (graphene_rect_intersection (view, &bounds, NULL))
        gtk_snapshot_append_node (snapshot, node_for (self, i, item, &bounds));
    }
}

void
heddle_canvas_snapshot_scene (HeddleCanvas *self, GtkSnapshot *snapshot)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  graphene_rect_t view = GRAPHENE_RECT_INIT (-self->pan_x, -self->pan_y, width, height);

  draw_grid (self, snapshot, width, height);
  if (self->scene == NULL)
    return;
  prepare_nodes (self);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (self->pan_x, self->pan_y));
  append_items (self, snapshot, &view);
  gtk_snapshot_restore (snapshot);
}
