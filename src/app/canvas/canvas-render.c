/* SPDX-License-Identifier: MIT */

/* The scene on the screen. GTK repaints everything below a scale, so each item's node is drawn at the zoom it is shown at and
 * kept; a pan only translates, and what is out of view is left out. */

#include "app/canvas/canvas-private.h"

#define GRID_PITCH 20.
#define GRID_LEAST_ZOOM 0.4
/* px of the screen: smaller writing is no more than a grey haze, and shadows no more than that. */
#define LEAST_WRITING 3.5
#define SHADOW_LEAST_ZOOM .3
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
  graphene_rect_t bounds = g_array_index (self->index->items, graphene_rect_t, i);

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

/* Level of detail. */
static gboolean
can_be_seen (HeddleCanvas *self, const HeddleItem *item)
{
  if (item->kind == HEDDLE_ITEM_TEXT)
    return item->size * self->zoom >= LEAST_WRITING;
  return item->kind != HEDDLE_ITEM_SHADOW || self->zoom >= SHADOW_LEAST_ZOOM;
}

static void
append_item (HeddleCanvas *self, GtkSnapshot *snapshot, guint i, gboolean carried)
{
  const HeddleItem *item = heddle_scene_get_item (self->scene, i);
  const graphene_rect_t bounds = zoomed_bounds (self, i);

  if (heddle_canvas_is_carried (self, item) == carried && can_be_seen (self, item))
    gtk_snapshot_append_node (snapshot, node_for (self, i, item, &bounds));
}

static void
append_items (HeddleCanvas *self, GtkSnapshot *snapshot)
{
  gboolean under = FALSE;

  for (guint i = 0; i < self->visible->len; i++)
    {
      const guint item = g_array_index (self->visible, guint, i);

      /* Bands lie between the boxes and the first ink on them. */
      if (!under && is_ink (heddle_scene_get_item (self->scene, item)))
        {
          heddle_canvas_draw_under (self, snapshot);
          under = TRUE;
        }
      append_item (self, snapshot, item, FALSE);
    }
}

/* What moves, above all else, where it is now. */
static void
append_carried (HeddleCanvas *self, GtkSnapshot *snapshot)
{
  const double x = round (self->moved_x * self->zoom), y = round (self->moved_y * self->zoom);

  if (self->moved == NULL || self->live != NULL)
    return;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y));
  for (guint i = 0; i < self->visible->len; i++)
    append_item (self, snapshot, g_array_index (self->visible, guint, i), TRUE);
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

void
heddle_canvas_snapshot_scene (HeddleCanvas *self, GtkSnapshot *snapshot)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));

  draw_grid (self, snapshot, width, height);
  if (self->scene == NULL)
    return;
  prepare_nodes (self);
  find_visible (self, width, height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (self->pan_x, self->pan_y));
  append_items (self, snapshot);
  append_carried (self, snapshot);
  gtk_snapshot_restore (snapshot);
}
