/* SPDX-License-Identifier: MIT */

/* Sheets of the scene as pixels. Of thousands of items a node each costs more than drawing them, and GTK draws all nodes below a scale
 * again; so each zoom draws what is in view, once, and a pan shows it elsewhere and draws the strips that come into view. What was drawn in
 * strips is, pixel for pixel, what would be drawn at once. */

#include <math.h>

#include "app/canvas/move.h"
#include "app/canvas/scene-index.h"
#include "app/canvas/sheet.h"
#include "figure/scene/draw.h"
#include "figure/scene/scene.h"

/* Writing smaller than this, in px of the screen, is no more than a grey haze, and shadows are no more than
 * that. */
#define LEAST_WRITING 3.5
#define SHADOW_LEAST_ZOOM .3
/* Antialiasing and rounding may reach a little beyond an item's own bounds. */
#define SLACK 2.
/* So many px around the view are drawn with the strips of a pan, so that not each frame of it draws. */
#define MARGIN 64

static void
sheet_clear (HeddleSheet *self)
{
  g_clear_pointer (&self->node, gsk_render_node_unref);
  g_clear_pointer (&self->pixels, cairo_surface_destroy);
}

void
heddle_canvas_drop_sheets (HeddleCanvas *self)
{
  for (guint i = 0; i < HEDDLE_N_SHEETS; i++)
    sheet_clear (&self->sheets[i]);
  g_clear_pointer (&self->lifted, g_hash_table_unref);
  self->first_ink = 0;
}

/* --- which items --- */

/* Returns whether an item is large enough at this zoom to be seen. */
static gboolean
can_be_seen (HeddleCanvas *self, const HeddleItem *item)
{
  if (item->kind == HEDDLE_ITEM_TEXT)
    return item->size * self->zoom >= LEAST_WRITING;
  return item->kind != HEDDLE_ITEM_SHADOW || self->zoom >= SHADOW_LEAST_ZOOM;
}

static gboolean
is_on_sheet (HeddleCanvas *self, HeddleSheetKind kind, guint i)
{
  const HeddleItem *item = heddle_scene_get_item (self->scene, i);

  if (!can_be_seen (self, item))
    return FALSE;
  if (heddle_canvas_is_carried (self, item))
    return kind == HEDDLE_SHEET_LIFTED;
  return kind == (i < self->first_ink ? HEDDLE_SHEET_PAPER : HEDDLE_SHEET_INK);
}

/* Finds the sheet's items that reach into @area, of guint, ascending. */
static GArray *
find_items (HeddleCanvas *self, HeddleSheetKind kind, const cairo_rectangle_int_t *area)
{
  const double slack = SLACK / self->zoom;
  graphene_rect_t view = GRAPHENE_RECT_INIT (area->x, area->y, area->width, area->height);
  GArray *found = NULL;
  guint n = 0;

  graphene_rect_scale (&view, 1 / self->zoom, 1 / self->zoom, &view);
  graphene_rect_inset (&view, -slack, -slack);
  found = heddle_scene_index_find (self->index, &view);
  for (guint i = 0; i < found->len; i++)
    {
      const guint item = g_array_index (found, guint, i);

      if (is_on_sheet (self, kind, item))
        g_array_index (found, guint, n++) = item;
    }
  g_array_set_size (found, n);
  return found;
}

/* --- drawing --- */

static void
draw_area (HeddleCanvas *self, HeddleSheetKind kind, cairo_t *cr, const cairo_rectangle_int_t *area)
{
  g_autoptr (GArray) items = find_items (self, kind, area);

  if (items->len == 0)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, area->x, area->y, area->width, area->height);
  cairo_clip (cr);
  cairo_scale (cr, self->zoom, self->zoom);
  heddle_scene_draw_items (self->scene, cr, (const guint *) items->data, items->len, self->lettering);
  cairo_restore (cr);
}

/* Copies what was drawn before of @area from there, and returns the rest. */
static cairo_region_t *
copy_drawn (const HeddleSheet *drawn, cairo_t *cr, const cairo_rectangle_int_t *area)
{
  cairo_region_t *rest = cairo_region_create_rectangle (area);
  cairo_region_t *same = cairo_region_copy (rest);

  cairo_region_intersect_rectangle (same, &drawn->area);
  for (int i = 0; i < cairo_region_num_rectangles (same); i++)
    {
      cairo_rectangle_int_t part;

      cairo_region_get_rectangle (same, i, &part);
      cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
      cairo_set_source_surface (cr, drawn->pixels, drawn->area.x, drawn->area.y);
      cairo_rectangle (cr, part.x, part.y, part.width, part.height);
      cairo_fill (cr);
      cairo_set_operator (cr, CAIRO_OPERATOR_OVER);
    }
  cairo_region_subtract (rest, same);
  cairo_region_destroy (same);
  return rest;
}

/* Makes a node that blends the pixels as they are; a texture would be converted at each frame. */
static GskRenderNode *
node_of (cairo_surface_t *pixels, const cairo_rectangle_int_t *area)
{
  GskRenderNode *node
      = gsk_cairo_node_new (&GRAPHENE_RECT_INIT (area->x, area->y, area->width, area->height));
  cairo_t *cr = gsk_cairo_node_get_draw_context (node);

  cairo_set_source_surface (cr, pixels, area->x, area->y);
  cairo_paint (cr);
  cairo_destroy (cr);
  return node;
}

/* Draws a sheet; @drawn (nullable) is what is there of it at this zoom. */
static HeddleSheet
draw_sheet (
    HeddleCanvas *self, HeddleSheetKind kind, const cairo_rectangle_int_t *area, const HeddleSheet *drawn)
{
  HeddleSheet sheet = { .area = *area, .zoom = self->zoom };
  cairo_region_t *rest = NULL;
  cairo_t *cr = NULL;

  sheet.factor = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  sheet.pixels = cairo_image_surface_create (
      CAIRO_FORMAT_ARGB32, area->width * sheet.factor, area->height * sheet.factor);
  cairo_surface_set_device_scale (sheet.pixels, sheet.factor, sheet.factor);
  cr = cairo_create (sheet.pixels);
  cairo_translate (cr, -area->x, -area->y);
  rest = drawn != NULL ? copy_drawn (drawn, cr, area) : cairo_region_create_rectangle (area);
  for (int i = 0; i < cairo_region_num_rectangles (rest); i++)
    {
      cairo_rectangle_int_t part;

      cairo_region_get_rectangle (rest, i, &part);
      draw_area (self, kind, cr, &part);
    }
  cairo_region_destroy (rest);
  cairo_destroy (cr);
  sheet.node = node_of (sheet.pixels, area);
  return sheet;
}

/* --- keeping --- */

static gboolean
contains (const cairo_rectangle_int_t *area, const cairo_rectangle_int_t *view)
{
  return area->x <= view->x && area->y <= view->y && area->x + area->width >= view->x + view->width
         && area->y + area->height >= view->y + view->height;
}

/* Returns whether the item is drawn above the bands of the selection. */
static gboolean
is_ink (const HeddleItem *item)
{
  return item->part == HEDDLE_PART_WIRE || item->part == HEDDLE_PART_GLYPH
         || item->part == HEDDLE_PART_AXIS_LABEL || item->part == HEDDLE_PART_VALUE_LABEL
         || item->part == HEDDLE_PART_TAG;
}

static void
find_first_ink (HeddleCanvas *self)
{
  const guint n = heddle_scene_get_n_items (self->scene);

  while (self->first_ink < n && !is_ink (heddle_scene_get_item (self->scene, self->first_ink)))
    self->first_ink++;
}

/* Redraws sheets when what is lifted leaves them, and when it comes back to them. */
static void
follow_lifted (HeddleCanvas *self)
{
  GHashTable *lifted = self->live == NULL ? self->moved : NULL;

  if (lifted == self->lifted)
    return;
  heddle_canvas_drop_sheets (self);
  self->lifted = lifted != NULL ? g_hash_table_ref (lifted) : NULL;
}

static void
ensure_sheet (HeddleCanvas *self, HeddleSheetKind kind)
{
  HeddleSheet *sheet = &self->sheets[kind], next;
  const gboolean usable = sheet->node != NULL && sheet->zoom == self->zoom
                          && sheet->factor == gtk_widget_get_scale_factor (GTK_WIDGET (self));
  cairo_rectangle_int_t view = { (int) -self->pan_x, (int) -self->pan_y,
    MAX (1, gtk_widget_get_width (GTK_WIDGET (self))), MAX (1, gtk_widget_get_height (GTK_WIDGET (self))) };

  if (usable && contains (&sheet->area, &view))
    return;
  if (usable)
    view = (cairo_rectangle_int_t){ view.x - MARGIN, view.y - MARGIN, view.width + 2 * MARGIN,
      view.height + 2 * MARGIN };
  next = draw_sheet (self, kind, &view, usable ? sheet : NULL);
  sheet_clear (sheet);
  *sheet = next;
}

void
heddle_canvas_append_sheet (HeddleCanvas *self, GtkSnapshot *snapshot, HeddleSheetKind kind)
{
  HeddleSheet *sheet = &self->sheets[kind];

  follow_lifted (self);
  find_first_ink (self);
  if (self->lettering == NULL)
    self->lettering = heddle_lettering_new ();
  ensure_sheet (self, kind);
  gtk_snapshot_append_node (snapshot, sheet->node);
}

static void
on_closing (HeddleCanvas *self)
{
  g_clear_pointer (&self->lettering, heddle_lettering_free);
}

void
heddle_canvas_sheet_init (HeddleCanvas *self)
{
  g_signal_connect (self, "scene-dropped", G_CALLBACK (heddle_canvas_drop_sheets), NULL);
  g_signal_connect (self, "closing", G_CALLBACK (on_closing), NULL);
}
