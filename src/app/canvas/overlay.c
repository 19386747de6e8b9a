/* SPDX-License-Identifier: MIT */

/* The canvas draws some things of its own: the bands below the wires that are selected, pointed at or could
 * take what is held, and above them the warmth of what takes time, outlines of selected operations, of a
 * refusal, of problems, and the rubber band. */

#include "app/canvas/overlay.h"
#include "app/canvas/page-frame.h"
#include "app/canvas/private.h"
#include "app/canvas/scene.h"
#include "app/canvas/snap.h"
#include "app/canvas/wrap.h"
#include "app/editor/editor.h"
#include "app/editor/flat.h"
#include "app/editor/kernel-times.h"
#include "app/editor/preview.h"
#include "app/editor/selection.h"
#include "derive/legality/refusal.h"
#include "diagram/base/problem.h"
#include "diagram/graph/diagram.h"

#define BAND_WIDTH 8.
/* Less than this part of the warmest is not seen. */
#define LEAST_WARMTH .01

static const GdkRGBA accent = { .208, .518, .894, 1 };
static const GdkRGBA legal = { .149, .635, .412, 1 };

static GdkRGBA
error_color (HeddleCanvas *self)
{
  return self->dark ? (GdkRGBA){ 1, .482, .388, 1 } : (GdkRGBA){ .753, .11, .157, 1 };
}

static gboolean
is_wire_of (const HeddleItem *item, const char *value, const char *axis)
{
  return item->part == HEDDLE_PART_WIRE && item->kind == HEDDLE_ITEM_PATH && item->path != NULL
         && (value == NULL || item->value == value) && (axis == NULL || item->axis == axis)
         && (value != NULL || axis != NULL);
}

static void
trace (const HeddleItem *item, cairo_t *cr)
{
  for (guint i = 0; i < item->path->len; i++)
    {
      const HeddleSegment *s = &g_array_index (item->path, HeddleSegment, i);

      switch (s->kind)
        {
        case HEDDLE_SEGMENT_MOVE:
          cairo_move_to (cr, s->x1, s->y1);
          break;
        case HEDDLE_SEGMENT_LINE:
          cairo_line_to (cr, s->x1, s->y1);
          break;
        case HEDDLE_SEGMENT_CURVE:
          cairo_curve_to (cr, s->x1, s->y1, s->x2, s->y2, s->x3, s->y3);
          break;
        case HEDDLE_SEGMENT_CLOSE:
        default:
          cairo_close_path (cr);
          break;
        }
    }
}

/* Returns a Cairo context over the view, in the scene's coordinates; @snapshot is already translated by the
 * pan. */
static cairo_t *
begin (HeddleCanvas *self, GtkSnapshot *snapshot)
{
  GtkWidget *widget = GTK_WIDGET (self);
  graphene_rect_t area = GRAPHENE_RECT_INIT (
      -self->pan_x, -self->pan_y, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &area);

  cairo_scale (cr, self->zoom, self->zoom);
  return cr;
}

typedef gboolean (*WireFilter) (HeddleCanvas *self, const HeddleItem *item);

/* Draws one stroke of all wires, so that the band gets no darker where two meet. */
static void
draw_band (HeddleCanvas *self, GtkSnapshot *snapshot, WireFilter filter, const GdkRGBA *color, double alpha)
{
  cairo_t *cr = begin (self, snapshot);

  for (guint i = 0; i < self->visible->len; i++)
    {
      const HeddleItem *item = heddle_scene_get_item (self->scene, g_array_index (self->visible, guint, i));

      if (is_wire_of (item, item->value, item->axis) && filter (self, item))
        trace (item, cr);
    }
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, alpha);
  cairo_set_line_width (cr, BAND_WIDTH);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static gboolean
is_selected_wire (HeddleCanvas *self, const HeddleItem *item)
{
  return (item->axis != NULL && heddle_editor_is_selected (self->editor, item->axis))
         || (item->value != NULL && heddle_editor_is_selected (self->editor, item->value));
}

static gboolean
is_hovered_wire (HeddleCanvas *self, const HeddleItem *item)
{
  if (self->hover.kind == HEDDLE_HIT_VALUE_LABEL)
    return item->value == self->hover.value;
  return self->hover.kind != HEDDLE_HIT_OPERATION && item->axis == self->hover.axis
         && (self->hover.value == NULL || item->value == self->hover.value) && !is_selected_wire (self, item);
}

static gboolean
is_possible_target (HeddleCanvas *self, const HeddleItem *item)
{
  return heddle_ids_contain (self->drop_values, item->value);
}

static gboolean
is_aimed_at (HeddleCanvas *self, const HeddleItem *item)
{
  return item->value == self->drop.value && item->axis == self->drop.axis;
}

void
heddle_canvas_draw_under (HeddleCanvas *self, GtkSnapshot *snapshot)
{
  GdkRGBA error = error_color (self);
  double alpha = self->dark ? .44 : .27;

  if (heddle_editor_get_selection (self->editor)->len > 0)
    draw_band (self, snapshot, is_selected_wire, &accent, alpha);
  if (self->hover.kind != HEDDLE_HIT_NOTHING && self->hover.kind != HEDDLE_HIT_OPERATION && !self->dropping)
    draw_band (self, snapshot, is_hovered_wire, &accent, alpha / 2);
  if (self->dropping && self->drop_values != NULL)
    draw_band (self, snapshot, is_possible_target, &legal, alpha / 1.5);
  if (self->dropping && self->drop.value != NULL)
    draw_band (self, snapshot, is_aimed_at, self->drop_legal ? &legal : &error, .6);
}

/* --- above --- */

static void
rounded (cairo_t *cr, const graphene_rect_t *r, double radius)
{
  double x = r->origin.x, y = r->origin.y, width = r->size.width, height = r->size.height;

  cairo_new_sub_path (cr);
  cairo_arc (cr, x + width - radius, y + radius, radius, -G_PI_2, 0);
  cairo_arc (cr, x + width - radius, y + height - radius, radius, 0, G_PI_2);
  cairo_arc (cr, x + radius, y + height - radius, radius, G_PI_2, G_PI);
  cairo_arc (cr, x + radius, y + radius, radius, G_PI, 3 * G_PI_2);
  cairo_close_path (cr);
}

static gboolean
outline (HeddleCanvas *self, cairo_t *cr, const char *id, const GdkRGBA *color, double distance, double width,
    graphene_rect_t *bounds)
{
  if (!heddle_canvas_object_bounds (self, id, bounds))
    return FALSE;
  graphene_rect_inset (bounds, -distance, -distance);
  rounded (cr, bounds, 2.5);
  gdk_cairo_set_source_rgba (cr, color);
  cairo_set_line_width (cr, width);
  cairo_stroke (cr);
  return TRUE;
}

/* The round "!" at the corner of what is wrong. */
static void
draw_badge (HeddleCanvas *self, cairo_t *cr, double x, double y, const GdkRGBA *color)
{
  const double radius = 6;

  cairo_new_sub_path (cr);
  cairo_arc (cr, x, y, radius, 0, 2 * G_PI);
  gdk_cairo_set_source_rgba (cr, color);
  cairo_fill (cr);
  if (self->dark)
    cairo_set_source_rgb (cr, .1, .1, .1);
  else
    cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_rectangle (cr, x - .9, y - 3.6, 1.8, 4.4);
  cairo_rectangle (cr, x - .9, y + 1.8, 1.8, 1.8);
  cairo_fill (cr);
}

/* Draws what takes time, the warmer the longer. */
static void
draw_warmth (HeddleCanvas *self, cairo_t *cr)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);

  for (guint i = 0; heddle_editor_is_warm (self->editor) && i < diagram->operations->len; i++)
    {
      const char *id = ((const HeddleOperation *) diagram->operations->pdata[i])->id;
      const double warmth = heddle_editor_get_warmth (self->editor, id);
      graphene_rect_t bounds;

      if (warmth < LEAST_WARMTH || !heddle_canvas_object_bounds (self, id, &bounds))
        continue;
      graphene_rect_inset (&bounds, -4, -4);
      rounded (cr, &bounds, 5);
      cairo_set_source_rgba (cr, .93, .55 * (1 - warmth) + .2, .05, .1 + .32 * warmth);
      cairo_fill (cr);
    }
}

static void
draw_selected_operations (HeddleCanvas *self, cairo_t *cr)
{
  GArray *selection = heddle_editor_get_selection (self->editor);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  graphene_rect_t bounds;
  const gboolean carried = self->moved != NULL && self->live == NULL;

  cairo_save (cr);
  if (carried)
    cairo_translate (cr, self->moved_x, self->moved_y);
  for (guint i = 0; i < selection->len; i++)
    if (heddle_diagram_get_operation (diagram, heddle_ids_index (selection, i)) != NULL
        || heddle_editor_find_ornament (self->editor, heddle_ids_index (selection, i), NULL) != NULL)
      outline (self, cr, heddle_ids_index (selection, i), &accent, 3, 2, &bounds);
  cairo_restore (cr);
}

static void
draw_problems (HeddleCanvas *self, cairo_t *cr)
{
  GPtrArray *problems = heddle_editor_get_problems (self->editor);
  GdkRGBA error = error_color (self);
  graphene_rect_t bounds;

  for (guint i = 0; i < problems->len; i++)
    {
      const HeddleProblem *problem = g_ptr_array_index (problems, i);

      if (problem->object_id != NULL && heddle_editor_is_mistake (self->editor, problem)
          && outline (self, cr, problem->object_id, &error, 4, 1.2, &bounds))
        draw_badge (self, cr, bounds.origin.x + bounds.size.width, bounds.origin.y, &error);
    }
}

static gboolean
shown_bounds (HeddleCanvas *self, const char *flat, graphene_rect_t *bounds)
{
  const char *id = heddle_editor_get_shown_operation (self->editor, flat);

  return id != NULL && heddle_canvas_object_bounds (self, id, bounds);
}

/* The box that forbids is outlined; the accent dashes surround what the remedy would fuse. */
static void
draw_refusal (HeddleCanvas *self, cairo_t *cr, const HeddleRefusal *refusal)
{
  static const double dashes[] = { 4, 2.4 };
  const char *operation = heddle_editor_get_shown_operation (self->editor, refusal->operation);
  GdkRGBA error = error_color (self);
  graphene_rect_t all, bounds;
  gboolean found = FALSE;

  for (guint i = 0; refusal->remedy_operations != NULL && i < refusal->remedy_operations->len; i++)
    if (shown_bounds (self, heddle_ids_index (refusal->remedy_operations, i), &bounds))
      {
        if (found)
          graphene_rect_union (&all, &bounds, &all);
        else
          all = bounds;
        found = TRUE;
      }
  if (found)
    {
      graphene_rect_inset (&all, -10, -10);
      rounded (cr, &all, 5);
      gdk_cairo_set_source_rgba (cr, &accent);
      cairo_set_line_width (cr, 1.4);
      cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
      cairo_stroke (cr);
      cairo_set_dash (cr, NULL, 0, 0);
    }
  if (operation != NULL && outline (self, cr, operation, &error, 3, 2.2, &bounds))
    draw_badge (self, cr, bounds.origin.x + bounds.size.width, bounds.origin.y, &error);
}

static void
draw_rubber_band (HeddleCanvas *self, GtkSnapshot *snapshot)
{
  graphene_rect_t band;
  GskRoundedRect border;
  const float widths[] = { 1, 1, 1, 1 };
  GdkRGBA fill = accent;

  graphene_rect_init (&band, self->drag_start_x, self->drag_start_y, self->drag_last_x, self->drag_last_y);
  graphene_rect_normalize (&band);
  fill.alpha = .15;
  gtk_snapshot_append_color (snapshot, &fill, &band);
  gsk_rounded_rect_init_from_rect (&border, &band, 0);
  gtk_snapshot_append_border (snapshot, &border, widths, (const GdkRGBA[]){ accent, accent, accent, accent });
}

/* Why what is held cannot go here, beside the pointer. */
static void
draw_reason (HeddleCanvas *self, GtkSnapshot *snapshot)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), self->drop_reason);
  GdkRGBA paper = self->dark ? (GdkRGBA){ .22, .22, .22, 1 } : (GdkRGBA){ 1, 1, 1, 1 };
  GdkRGBA ink = error_color (self);
  GskRoundedRect card;
  graphene_rect_t area;
  int width, height;
  double x, y;

  pango_layout_set_width (layout, 320 * PANGO_SCALE);
  pango_layout_get_pixel_size (layout, &width, &height);
  x = CLAMP (self->pointer_x + 18, 6, MAX (6, gtk_widget_get_width (GTK_WIDGET (self)) - width - 30));
  y = CLAMP (self->pointer_y + 22, 6, MAX (6, gtk_widget_get_height (GTK_WIDGET (self)) - height - 24));
  graphene_rect_init (&area, x, y, width + 20, height + 12);
  gsk_rounded_rect_init_from_rect (&card, &area, 8);
  gtk_snapshot_append_outset_shadow (snapshot, &card, &(GdkRGBA){ 0, 0, 0, .3 }, 0, 1, 0, 5);
  gtk_snapshot_push_rounded_clip (snapshot, &card);
  gtk_snapshot_append_color (snapshot, &paper, &area);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x + 10, y + 6));
  gtk_snapshot_append_layout (snapshot, layout, &ink);
  gtk_snapshot_restore (snapshot);
}

static void
draw_over (HeddleCanvas *self, GtkSnapshot *snapshot)
{
  cairo_t *cr = NULL;

  if (self->scene == NULL)
    return;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (self->pan_x, self->pan_y));
  cr = begin (self, snapshot);
  draw_warmth (self, cr);
  draw_selected_operations (self, cr);
  draw_problems (self, cr);
  if (heddle_editor_get_refusal (self->editor) != NULL)
    draw_refusal (self, cr, heddle_editor_get_refusal (self->editor));
  heddle_canvas_draw_guides (self, cr);
  cairo_destroy (cr);
  gtk_snapshot_restore (snapshot);

  heddle_canvas_draw_page_frame (self, snapshot);
  heddle_canvas_draw_wrap (self, snapshot);
  if (self->drag == HEDDLE_DRAG_BAND && (self->drag_last_x != 0 || self->drag_last_y != 0))
    draw_rubber_band (self, snapshot);
  if (self->dropping && !self->drop_legal && self->drop_reason != NULL)
    draw_reason (self, snapshot);
}

void
heddle_canvas_overlay_init (HeddleCanvas *self)
{
  g_signal_connect (self, "draw", G_CALLBACK (draw_over), NULL);
}
