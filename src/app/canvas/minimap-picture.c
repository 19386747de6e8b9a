/* SPDX-License-Identifier: MIT */

#include "app/canvas/minimap-picture.h"
#include "app/canvas/scene-index.h"
#include "app/widgets/background-task.h"

/* The least width and height of a mark, in px: smaller ones are drawn as large as this. */
#define LEAST_MARK 1.6

static void
mark_item (const HeddleMapOrder *order, cairo_t *cr, const HeddleItem *item)
{
  double x, y, width, height;

  heddle_item_get_bounds (item, &x, &y, &width, &height);
  x *= order->scale;
  y *= order->scale;
  cairo_rectangle (cr, x, y, MAX (width * order->scale, LEAST_MARK), MAX (height * order->scale, LEAST_MARK));
}

/* Draws boxes and glyphs as marks over wires as lines: more cannot be seen. */
static void
draw_part (const HeddleMapOrder *order, cairo_t *cr, gboolean wires, double alpha)
{
  const double grey = order->dark ? 1 : 0;

  for (guint i = 0; i < heddle_scene_get_n_items (order->scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (order->scene, i);
      const gboolean wire = item->part == HEDDLE_PART_WIRE;
      const gboolean box = item->part == HEDDLE_PART_BOX || item->part == HEDDLE_PART_GLYPH;

      if (wires ? wire : box)
        mark_item (order, cr, item);
    }
  cairo_set_source_rgba (cr, grey, grey, grey, alpha);
  cairo_fill (cr);
}

GdkTexture *
heddle_map_draw (const HeddleMapOrder *order)
{
  cairo_surface_t *surface = cairo_image_surface_create (
      CAIRO_FORMAT_ARGB32, order->width * order->factor, order->height * order->factor);
  const int rows = cairo_image_surface_get_height (surface),
            stride = cairo_image_surface_get_stride (surface);
  g_autoptr (GBytes) pixels = NULL;
  GdkTexture *picture = NULL;
  cairo_t *cr = cairo_create (surface);

  cairo_scale (cr, order->factor, order->factor);
  cairo_translate (
      cr, HEDDLE_MAP_MARGIN - order->x * order->scale, HEDDLE_MAP_MARGIN - order->y * order->scale);
  draw_part (order, cr, TRUE, .16);
  draw_part (order, cr, FALSE, .5);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  pixels = g_bytes_new (cairo_image_surface_get_data (surface), (gsize) rows * stride);
  picture = gdk_memory_texture_new (
      cairo_image_surface_get_width (surface), rows, GDK_MEMORY_DEFAULT, pixels, stride);
  cairo_surface_destroy (surface);
  return picture;
}

static void
order_free (gpointer data)
{
  HeddleMapOrder *self = data;

  heddle_scene_let_go (self->scene, NULL);
  g_free (self);
}

static void
draw_in_thread (GTask *task, gpointer source, gpointer order, GCancellable *cancellable)
{
  if (!g_task_return_error_if_cancelled (task))
    g_task_return_pointer (task, heddle_map_draw (order), g_object_unref);
}

void
heddle_map_draw_async (const HeddleMapOrder *order, gpointer source, GCancellable *cancellable,
    GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, data);
  HeddleMapOrder *copy = g_memdup2 (order, sizeof *order);

  heddle_scene_ref (copy->scene);
  g_task_set_task_data (task, copy, order_free);
  heddle_task_run_in_background (task, draw_in_thread);
}

GdkTexture *
heddle_map_draw_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
