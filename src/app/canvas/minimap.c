/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/canvas/minimap.h"
#include "app/canvas/pick.h"
#include "app/canvas/scene.h"
#include "app/canvas/scene-index.h"
#include "app/canvas/view.h"
#include "app/widgets/heap-trim.h"
#include "figure/scene/scene.h"

#define WIDTH 200
#define HEIGHT 120
#define LEAST_SIZE 28
/* The most of the canvas' width that the map covers. */
#define MOST_SHARE .3
/* The picture of more items is drawn by a worker thread, when the scene has stayed for so long; the one
 * before is shown meanwhile. */
#define MANY_ITEMS 5000
#define QUIET_MS 200

struct _HeddleMinimap
{
  GtkWidget parent_instance;
  HeddleCanvas *canvas;
  gboolean wanted;
  int widest; /* in px */
  GdkTexture *picture; /* or NULL: none yet; pixels, for it is shown again at each frame */
  HeddleScene *scene; /* what it is of, or will be; NULL: of nothing */
  gconstpointer editor; /* whose it is, only to be compared */
  guint waiting; /* the source that begins to draw it */
  GCancellable *drawing; /* a worker is at it */
};

enum
{
  PROP_WANTED = 1,
  N_PROPERTIES
};

G_DEFINE_FINAL_TYPE (HeddleMinimap, heddle_minimap, GTK_TYPE_WIDGET)

static void
stop_drawing (HeddleMinimap *self)
{
  g_clear_handle_id (&self->waiting, g_source_remove);
  if (self->drawing != NULL)
    g_cancellable_cancel (self->drawing);
  g_clear_object (&self->drawing);
}

static void
drop_picture (HeddleMinimap *self)
{
  stop_drawing (self);
  g_clear_object (&self->picture);
  heddle_scene_let_go (g_steal_pointer (&self->scene), NULL);
}

/* Gives the extent of the map, in px of the scene; FALSE means that there is nothing to map. */
static gboolean
get_extent (HeddleMinimap *self, double *x, double *y, double *width, double *height)
{
  if (self->canvas == NULL || self->canvas->scene == NULL)
    return FALSE;
  heddle_canvas_get_extent (self->canvas, x, y, width, height);
  return *width > 0 && *height > 0;
}

static double
fitting_scale (const HeddleMinimap *self, double width, double height)
{
  return MIN ((self->widest - 2 * HEDDLE_MAP_MARGIN) / width, (HEIGHT - 2 * HEDDLE_MAP_MARGIN) / height);
}

gboolean
heddle_minimap_get_order (HeddleMinimap *self, HeddleMapOrder *order)
{
  GtkWidget *widget = GTK_WIDGET (self);
  double width, height;

  g_return_val_if_fail (HEDDLE_IS_MINIMAP (self), FALSE);

  if (!get_extent (self, &order->x, &order->y, &width, &height))
    return FALSE;
  order->scene = self->canvas->scene;
  order->width = MAX (1, gtk_widget_get_width (widget));
  order->height = MAX (1, gtk_widget_get_height (widget));
  order->factor = gtk_widget_get_scale_factor (widget);
  order->scale = fitting_scale (self, width, height);
  order->dark = self->canvas->dark;
  return TRUE;
}

GdkTexture *
heddle_minimap_get_picture (HeddleMinimap *self)
{
  g_return_val_if_fail (HEDDLE_IS_MINIMAP (self), NULL);
  return self->picture;
}

static gboolean
is_of_use (HeddleMinimap *self)
{
  double x, y, width, height;

  if (!self->wanted || !get_extent (self, &x, &y, &width, &height))
    return FALSE;
  return width * self->canvas->zoom > gtk_widget_get_width (GTK_WIDGET (self->canvas)) + 1
         || height * self->canvas->zoom > gtk_widget_get_height (GTK_WIDGET (self->canvas)) + 1;
}

/* Returns how wide the map may be, so that in a narrow window it leaves most of the diagram in view. */
static int
choose_width (const HeddleMinimap *self)
{
  int canvas = self->canvas != NULL ? gtk_widget_get_width (GTK_WIDGET (self->canvas)) : 0;

  return canvas > 0 ? (int) CLAMP (MOST_SHARE * canvas, 2 * LEAST_SIZE, WIDTH) : WIDTH;
}

static void
on_view_changed (HeddleMinimap *self)
{
  const gboolean shown = is_of_use (self);
  const int widest = choose_width (self);

  if (widest != self->widest)
    {
      self->widest = widest;
      drop_picture (self);
      gtk_widget_queue_resize (GTK_WIDGET (self));
    }

  if (self->canvas == NULL || self->editor != self->canvas->editor
      || (!shown && self->scene != self->canvas->scene))
    drop_picture (self);
  if (shown != gtk_widget_get_visible (GTK_WIDGET (self)))
    gtk_widget_set_visible (GTK_WIDGET (self), shown);
  if (shown && self->scene != self->canvas->scene)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* --- drawing --- */

static void
on_drawn (GObject *source, GAsyncResult *result, gpointer unused)
{
  HeddleMinimap *self = HEDDLE_MINIMAP (source);
  GdkTexture *picture = heddle_map_draw_finish (result);

  heddle_heap_trim_when_idle ();
  if (picture == NULL)
    return; /* overtaken by another */
  g_clear_object (&self->drawing);
  g_clear_object (&self->picture);
  self->picture = picture;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
on_quiet (gpointer data)
{
  HeddleMinimap *self = data;
  HeddleMapOrder order;

  self->waiting = 0;
  if (!heddle_minimap_get_order (self, &order) || order.scene != self->scene)
    return G_SOURCE_REMOVE; /* the next frame asks for another */
  self->drawing = g_cancellable_new ();
  heddle_map_draw_async (&order, self, self->drawing, on_drawn, NULL);
  return G_SOURCE_REMOVE;
}

static void
follow_scene (HeddleMinimap *self, const HeddleMapOrder *order)
{
  stop_drawing (self);
  heddle_scene_let_go (self->scene, NULL);
  self->scene = heddle_scene_ref (order->scene);
  self->editor = self->canvas->editor;
  if (heddle_scene_get_n_items (self->scene) > MANY_ITEMS)
    {
      self->waiting = g_timeout_add (self->picture != NULL ? QUIET_MS : 0, on_quiet, self);
      return;
    }
  g_clear_object (&self->picture);
  self->picture = heddle_map_draw (order);
}

static void
draw_view (HeddleMinimap *self, GtkSnapshot *snapshot, const HeddleMapOrder *order)
{
  static const GdkRGBA ink = { .208, .518, .894, 1 }, wash = { .208, .518, .894, .15 };
  const float widths[] = { 1.5, 1.5, 1.5, 1.5 };
  graphene_rect_t view, all = GRAPHENE_RECT_INIT (1, 1, gtk_widget_get_width (GTK_WIDGET (self)) - 2,
                            gtk_widget_get_height (GTK_WIDGET (self)) - 2);
  GskRoundedRect border;
  double left, top;

  heddle_canvas_to_scene (self->canvas, 0, 0, &left, &top);
  graphene_rect_init (&view, HEDDLE_MAP_MARGIN + (left - order->x) * order->scale,
      HEDDLE_MAP_MARGIN + (top - order->y) * order->scale,
      MAX (4, gtk_widget_get_width (GTK_WIDGET (self->canvas)) / self->canvas->zoom * order->scale),
      MAX (4, gtk_widget_get_height (GTK_WIDGET (self->canvas)) / self->canvas->zoom * order->scale));
  if (!graphene_rect_intersection (&view, &all, &view))
    return;
  gtk_snapshot_append_color (snapshot, &wash, &view);
  gsk_rounded_rect_init_from_rect (&border, &view, 2);
  gtk_snapshot_append_border (snapshot, &border, widths, (const GdkRGBA[]){ ink, ink, ink, ink });
}

static void
heddle_minimap_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  HeddleMinimap *self = HEDDLE_MINIMAP (widget);
  HeddleMapOrder order;

  if (!heddle_minimap_get_order (self, &order))
    return;
  if (self->scene != order.scene)
    follow_scene (self, &order);
  if (self->picture != NULL)
    gtk_snapshot_append_texture (
        snapshot, self->picture, &GRAPHENE_RECT_INIT (0, 0, order.width, order.height));
  draw_view (self, snapshot, &order);
}

static void
heddle_minimap_measure (
    GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *a, int *b)
{
  double x, y, width, height;

  const gboolean across = orientation == GTK_ORIENTATION_HORIZONTAL;

  HeddleMinimap *self = HEDDLE_MINIMAP (widget);

  *minimum = *natural = across ? self->widest : HEIGHT;
  if (!get_extent (self, &x, &y, &width, &height))
    return;
  *natural
      = (int) ceil ((across ? width : height) * fitting_scale (self, width, height) + 2 * HEDDLE_MAP_MARGIN);
  *minimum = *natural = CLAMP (*natural, LEAST_SIZE, across ? self->widest : HEIGHT);
}

/* --- going --- */

static void
go (HeddleMinimap *self, double at_x, double at_y)
{
  HeddleMapOrder order;
  double x, y, width, height, now_x, now_y;

  if (!heddle_minimap_get_order (self, &order) || !get_extent (self, &x, &y, &width, &height))
    return;
  x += CLAMP ((at_x - HEDDLE_MAP_MARGIN) / order.scale, 0, width);
  y += CLAMP ((at_y - HEDDLE_MAP_MARGIN) / order.scale, 0, height);
  heddle_canvas_to_widget (self->canvas, x, y, &now_x, &now_y);
  heddle_canvas_pan_by (self->canvas, gtk_widget_get_width (GTK_WIDGET (self->canvas)) / 2. - now_x,
      gtk_widget_get_height (GTK_WIDGET (self->canvas)) / 2. - now_y);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, HeddleMinimap *self)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  go (self, x, y);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, HeddleMinimap *self)
{
  double x, y;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  go (self, x + dx, y + dy);
}

/* --- class --- */

void
heddle_minimap_set_canvas (HeddleMinimap *self, HeddleCanvas *canvas)
{
  g_return_if_fail (HEDDLE_IS_MINIMAP (self));

  if (self->canvas != NULL)
    g_signal_handlers_disconnect_by_data (self->canvas, self);
  g_set_weak_pointer (&self->canvas, canvas);
  if (canvas != NULL)
    g_signal_connect_object (canvas, "view-changed", G_CALLBACK (on_view_changed), self, G_CONNECT_SWAPPED);
  on_view_changed (self);
}

static void
heddle_minimap_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, HEDDLE_MINIMAP (object)->wanted);
}

static void
heddle_minimap_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HEDDLE_MINIMAP (object)->wanted = g_value_get_boolean (value);
  on_view_changed (HEDDLE_MINIMAP (object));
}

static void
heddle_minimap_dispose (GObject *object)
{
  heddle_minimap_set_canvas (HEDDLE_MINIMAP (object), NULL);
  drop_picture (HEDDLE_MINIMAP (object));
  G_OBJECT_CLASS (heddle_minimap_parent_class)->dispose (object);
}

static void
heddle_minimap_class_init (HeddleMinimapClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->dispose = heddle_minimap_dispose;
  object_class->get_property = heddle_minimap_get_property;
  object_class->set_property = heddle_minimap_set_property;
  widget_class->measure = heddle_minimap_measure;
  widget_class->snapshot = heddle_minimap_snapshot;
  gtk_widget_class_set_css_name (widget_class, "minimap");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  g_object_class_install_property (object_class, PROP_WANTED,
      g_param_spec_boolean ("wanted", NULL, NULL, TRUE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
}

static void
heddle_minimap_init (HeddleMinimap *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->wanted = TRUE;
  self->widest = WIDTH;
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR); /* as the diagram */
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
      _ ("Map of the diagram"), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
      _ ("Click to go there; bracket keys on the diagram move between objects"), -1);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}
