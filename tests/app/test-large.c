/* SPDX-License-Identifier: MIT */

/* Of a diagram that takes longer than a frame to lay out and to draw: what other threads make of it, and what is kept of it, is what
 * would be made of it anew. */

#include "app/canvas/canvas.h"
#include "app/canvas/scene.h"
#include "app/canvas/minimap-picture.h"
#include "app/canvas/minimap.h"
#include "app/canvas/move.h"
#include "app/canvas/sheet.h"
#include "app/canvas/view.h"
#include "app/derivation/proposal.h"
#include "app/derivation/steps.h"
#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/editor/flat.h"
#include "app/editor/preview.h"
#include "app/editor/selection.h"
#include "app/edits/move.h"
#include "app/window/window.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/report/forecast.h"
#include "derive/report/steps.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/compose.h"
#include "figure/scene/scene.h"
#include "large-window.h"
#include "app/editor/private.h"

/* --- scenes --- */

static void
tell_path (GString *text, const HeddleItem *item)
{
  for (guint i = 0; item->path != NULL && i < item->path->len; i++)
    {
      const HeddleSegment *s = &g_array_index (item->path, HeddleSegment, i);

      g_string_append_printf (text, " %d(%g %g", s->kind, s->x1, s->y1);
      if (s->kind == HEDDLE_SEGMENT_CURVE)
        g_string_append_printf (text, " %g %g %g %g", s->x2, s->y2, s->x3, s->y3);
      g_string_append_c (text, ')');
    }
}

static char *
tell_scene (HeddleScene *scene)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);

      g_string_append_printf (text, "%d %d %s %s %s \"%s\" %g %g %g %g %g", item->kind, item->part,
          item->object, item->axis, item->value, item->text, item->x, item->y, item->width, item->height,
          item->line_width);
      g_string_append_printf (text, " %g %g %g", item->fill_color.r, item->fill_color.g, item->fill_color.b);
      tell_path (text, item);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

static char *
tell_fresh_scene (HeddleCanvas *canvas)
{
  HeddleFigure figure;
  HeddleSchedule *schedule = NULL;
  HeddleScene *scene = NULL;
  char *text;

  heddle_canvas_get_figure (canvas, &figure, &schedule);
  scene = heddle_figure_compose (heddle_editor_get_snapshot (canvas->editor), &figure);
  text = tell_scene (scene);
  heddle_scene_unref (scene);
  g_clear_pointer (&schedule, heddle_schedule_free);
  return text;
}

static void
assert_scene_is_fresh (HeddleCanvas *canvas)
{
  g_autofree char *shown = tell_scene (heddle_canvas_get_scene (canvas)), *fresh = tell_fresh_scene (canvas);

  g_assert_cmpstr (shown, ==, fresh);
}

/* --- tests --- */

static void
on_painted (GdkFrameClock *clock, gpointer data)
{
  HeddleWindow *window = data;

  /* No frame shows an empty canvas first. */
  g_assert_nonnull (heddle_window_get_canvas (window)->scene);
}

static void
test_open (void)
{
  char *path = write_file ();
  HeddleWindow *window = robot_present_path (path);
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  gulong handler;
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));

  /* A worker is at it since the document came. */
  g_assert_true (canvas->scene != NULL || heddle_canvas_is_composing (canvas));
  handler = g_signal_connect (clock, "after-paint", G_CALLBACK (on_painted), window);
  robot_settle (GTK_WIDGET (window));
  g_signal_handler_disconnect (clock, handler);
  assert_scene_is_fresh (canvas);
  robot_close (window);
  remove_file (path);
}

/* What is begun for one document is not shown of another. */
static void
test_open_and_change (void)
{
  char *path = write_file ();
  HeddleWindow *window = robot_present_path (path);
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  HeddleDiagram *diagram = heddle_editor_get_diagram (editor_of (window));
  const HeddleOperation *last = g_ptr_array_index (diagram->operations, diagram->operations->len - 1);

  heddle_editor_select (editor_of (window), last->id);
  heddle_edits_delete_selection (editor_of (window));
  wait_for_all (window);
  assert_scene_is_fresh (canvas);
  robot_close (window);
  remove_file (path);
}

/* While a label is tried the scene before stays until a worker has the next, with what each kernel costs. */
static void
test_try_label (void)
{
  char *path = write_file ();
  HeddleWindow *window = robot_open_path (path);
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  HeddleEditor *editor = editor_of (window);
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (editor);
  const HeddleAxis *axis = g_ptr_array_index (diagram->axes, 2);
  g_autoptr (HeddleProposal) proposal = NULL;
  HeddleScene *before = NULL;

  wait_for_all (window);
  before = heddle_canvas_get_scene (canvas);
  proposal = heddle_proposal_new (editor, axis->id, "smem", HEDDLE_LABEL_GROUP, 16);
  g_assert_nonnull (proposal->schedule);
  heddle_editor_set_preview_schedule (editor, g_steal_pointer (&proposal->schedule));
  g_assert_true (heddle_canvas_get_scene (canvas) == before);
  wait_for_all (window);
  g_assert_true (heddle_canvas_get_scene (canvas) != before);
  assert_scene_is_fresh (canvas);
  /* The derivation is let go while the scene of it is being made. */
  heddle_canvas_invalidate (canvas);
  robot_until (canvas->composer != NULL);
  heddle_editor_set_preview_schedule (editor, NULL);
  wait_for_all (window);
  assert_scene_is_fresh (canvas);
  robot_close (window);
  remove_file (path);
}

/* What would take most of a frame is left to a worker, though it would be derived at once after an edit. */
static void
test_try_in_worker (void)
{
  char *path = write_file ();
  HeddleWindow *window = robot_open_path (path);
  HeddleEditor *editor = editor_of (window);
  const HeddleSchedule *schedule = NULL;

  wait_for_all (window);
  schedule = heddle_editor_get_schedule (editor);
  editor->derive_milliseconds = 10;
  g_assert_true (heddle_editor_is_quick (editor));
  heddle_editor_set_preview_schedule (editor,
      schedule != NULL ? heddle_schedule_copy (schedule) : heddle_schedule_new (editor->flat_diagram->id));
  g_assert_nonnull (editor->previewing);
  wait_for_all (window);
  g_assert_nonnull (heddle_editor_get_preview_derivation (editor));
  robot_close (window);
  remove_file (path);
}

/* --- prices --- */

static void
assert_price_is_fresh (HeddleEditor *editor, const HeddleForecast *told, const HeddleSchedule *schedule)
{
  HeddleDeriveOptions options;
  g_autoptr (HeddleDerivation) fresh = NULL;
  HeddleForecast forecast;

  heddle_editor_get_derive_options (editor, &options);
  fresh = heddle_derive (
      editor->flat_diagram, schedule, heddle_editor_get_flat_sizes (editor), &options, NULL, NULL);
  g_assert_nonnull (fresh);
  forecast = heddle_forecast (fresh, options.machine);
  g_assert_cmpuint (told->n_kernels, ==, forecast.n_kernels);
  g_assert_cmpfloat_with_epsilon (told->seconds, forecast.seconds, 1e-9 * forecast.seconds);
  g_assert_cmpfloat (told->bytes, ==, forecast.bytes);
  g_assert_cmpfloat (told->flops, ==, forecast.flops);
}

/* A label that is tried after an edit shares kernels with what was derived after it. */
static void
test_price_after_edit (void)
{
  char *path = write_file ();
  HeddleWindow *window = robot_open_path (path);
  HeddleEditor *editor = editor_of (window);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleOperation *last = g_ptr_array_index (diagram->operations, diagram->operations->len - 1);
  HeddleForecast told;

  wait_for_all (window);
  heddle_editor_select (editor, last->id);
  heddle_edits_delete_selection (editor);
  wait_for_all (window);
  heddle_editor_set_preview_schedule (editor, label_axis (editor, 2));
  wait_for_all (window);
  told = heddle_editor_forecast (editor, heddle_editor_get_preview_derivation (editor));
  assert_price_is_fresh (editor, &told, heddle_editor_get_preview_schedule (editor));
  robot_close (window);
  remove_file (path);
}

/* The first operations in two kernels. */
static HeddleSchedule *
fuse_first (const HeddleDiagram *diagram)
{
  HeddleSchedule *schedule = heddle_schedule_new (diagram->id);
  HeddleRegion *region = NULL;

  for (guint i = 0; i < 4; i++)
    {
      if (i % 2 == 0)
        region = heddle_schedule_add_region (schedule);
      heddle_ids_append (
          region->operations, ((HeddleOperation *) g_ptr_array_index (diagram->operations, i))->id);
    }
  return schedule;
}

static gboolean
on_priced (gpointer priced)
{
  *(gboolean *) priced = TRUE;
  return G_SOURCE_REMOVE;
}

/* A worker puts together what each step leaves to be done on its own. */
static void
test_price_steps (void)
{
  char *path = write_file ();
  HeddleWindow *window = robot_open_path (path);
  HeddleEditor *editor = editor_of (window);
  gboolean priced = FALSE;
  HeddleSteps *steps = heddle_steps_new (editor, on_priced, &priced);
  HeddleSchedule *schedule = NULL, *alone = NULL, *first = NULL;
  GPtrArray *found = NULL;

  wait_for_all (window);
  schedule = fuse_first (editor->flat_diagram);
  alone = heddle_derivation_to_schedule (heddle_editor_get_derivation (editor, NULL), editor->flat_diagram);
  found = heddle_steps_find (steps, schedule, alone);
  g_assert_cmpuint (found->len, ==, 2);
  g_assert_true (((HeddleStep *) g_ptr_array_index (found, 0))->pending);
  g_ptr_array_unref (found);
  robot_until (priced);
  found = heddle_steps_find (steps, schedule, alone);
  first = heddle_steps_get_schedule (steps, schedule, alone, 1);
  g_assert_false (((HeddleStep *) g_ptr_array_index (found, 0))->pending);
  assert_price_is_fresh (editor, &((HeddleStep *) g_ptr_array_index (found, 0))->forecast, first);
  g_ptr_array_unref (found);
  heddle_steps_free (steps);
  heddle_schedule_free (first);
  heddle_schedule_free (schedule);
  heddle_schedule_free (alone);
  robot_close (window);
  remove_file (path);
}

/* --- what is kept as pixels --- */

/* The canvas as it is shown now. */
static cairo_surface_t *
take_picture (HeddleCanvas *canvas)
{
  GtkWidget *widget = GTK_WIDGET (canvas);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  cairo_surface_t *surface = cairo_image_surface_create (
      CAIRO_FORMAT_ARGB32, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  cairo_t *cr = cairo_create (surface);
  GskRenderNode *node = NULL;

  GTK_WIDGET_GET_CLASS (canvas)->snapshot (widget, snapshot);
  node = gtk_snapshot_free_to_node (snapshot);
  gsk_render_node_draw (node, cr);
  gsk_render_node_unref (node);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static gsize
count_ink (cairo_surface_t *surface)
{
  const gsize n = (gsize) cairo_image_surface_get_stride (surface) * cairo_image_surface_get_height (surface);
  const guchar *pixels = cairo_image_surface_get_data (surface);
  gsize ink = 0;

  for (gsize i = 0; i < n; i++)
    ink += pixels[i] != 0;
  return ink;
}

static void
assert_pictures_equal (cairo_surface_t *a, cairo_surface_t *b)
{
  const gsize n = (gsize) cairo_image_surface_get_stride (a) * cairo_image_surface_get_height (a);

  g_assert_cmpuint (count_ink (a), >, 1000); /* something is there */
  g_assert_cmpmem (cairo_image_surface_get_data (a), n, cairo_image_surface_get_data (b), n);
}

/* What is shown is what would be drawn if nothing were kept. */
static void
assert_picture_is_fresh (HeddleCanvas *canvas)
{
  cairo_surface_t *shown = take_picture (canvas), *fresh = NULL;

  heddle_canvas_drop_sheets (canvas);
  fresh = take_picture (canvas);
  assert_pictures_equal (shown, fresh);
  cairo_surface_destroy (shown);
  cairo_surface_destroy (fresh);
}

static void
take_and_drop (HeddleCanvas *canvas)
{
  cairo_surface_destroy (take_picture (canvas));
}

/* Strips that come into view, also across both edges at once, after each zoom. */
static void
test_pan (void)
{
  static const double zooms[] = { .07, .4, 1, 2.3 };
  static const int steps[][2]
      = { { -31, 9 }, { -200, -9 }, { 77, 130 }, { 3000, 0 }, { -2900, -100 }, { 0, 63 } };
  char *path = write_file ();
  HeddleWindow *window = robot_open_path (path);
  HeddleCanvas *canvas = heddle_window_get_canvas (window);

  wait_for_all (window);
  for (guint z = 0; z < G_N_ELEMENTS (zooms); z++)
    {
      heddle_canvas_zoom_at (canvas, zooms[z], 90, 80);
      for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
        {
          take_and_drop (canvas);
          heddle_canvas_pan_by (canvas, steps[i][0], steps[i][1]);
        }
      assert_picture_is_fresh (canvas);
    }
  robot_close (window);
  remove_file (path);
}

/* What moves leaves no trace where it was, and is there again when it is put back. */
static void
test_lift (void)
{
  char *path = write_file ();
  HeddleWindow *window = robot_open_path (path);
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor_of (window));
  const HeddleOperation *first = g_ptr_array_index (diagram->operations, 0);
  cairo_surface_t *before = NULL, *moved = NULL, *after = NULL;

  wait_for_all (window);
  heddle_editor_select (editor_of (window), first->id);
  before = take_picture (canvas);
  heddle_canvas_move_begin (canvas);
  heddle_canvas_move_to (canvas, 37, 41, TRUE);
  moved = take_picture (canvas);
  g_assert_cmpint (
      memcmp (cairo_image_surface_get_data (before), cairo_image_surface_get_data (moved),
          (gsize) cairo_image_surface_get_stride (before) * cairo_image_surface_get_height (before)),
      !=, 0);
  assert_picture_is_fresh (canvas);
  heddle_canvas_move_cancel (canvas);
  after = take_picture (canvas);
  assert_pictures_equal (before, after);
  cairo_surface_destroy (before);
  cairo_surface_destroy (moved);
  cairo_surface_destroy (after);
  robot_close (window);
  remove_file (path);
}

/* An edit leaves nothing of the picture before. */
static void
test_draw_edited (void)
{
  char *path = write_file ();
  HeddleWindow *window = robot_open_path (path);
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor_of (window));
  const HeddleOperation *first = g_ptr_array_index (diagram->operations, 0);

  wait_for_all (window);
  heddle_editor_select (editor_of (window), first->id);
  take_and_drop (canvas);
  heddle_edits_nudge_selection (editor_of (window), 30, 50, NULL);
  wait_for_all (window);
  assert_picture_is_fresh (canvas);
  robot_close (window);
  remove_file (path);
}

/* Whether the map shows the scene at hand. */
static gboolean
is_map_fresh (HeddleMinimap *map)
{
  HeddleMapOrder order;
  GdkTexture *shown = heddle_minimap_get_picture (map);
  g_autoptr (GdkTexture) fresh = NULL;
  g_autoptr (GBytes) a = NULL, b = NULL;

  if (shown == NULL || !heddle_minimap_get_order (map, &order))
    return FALSE;
  fresh = heddle_map_draw (&order);
  a = gdk_texture_save_to_tiff_bytes (shown);
  b = gdk_texture_save_to_tiff_bytes (fresh);
  return g_bytes_equal (a, b);
}

static void
on_map_painted (GdkFrameClock *clock, gpointer map)
{
  g_assert_nonnull (heddle_minimap_get_picture (map));
}

/* A worker draws the map of a large diagram: the picture before stays till there is another, and another one comes after an edit, not after
 * the zoom. */
static void
test_map (void)
{
  char *path = write_file ();
  HeddleWindow *window = robot_open_path (path);
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  HeddleMinimap *map = HEDDLE_MINIMAP (robot_find (GTK_WIDGET (window), HEDDLE_TYPE_MINIMAP, NULL, NULL));
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor_of (window));
  const HeddleOperation *first = g_ptr_array_index (diagram->operations, 0);
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  GdkTexture *before = NULL;
  gulong handler;

  wait_for_all (window);
  heddle_canvas_set_zoom (canvas, 1);
  g_assert_cmpuint (heddle_scene_get_n_items (canvas->scene), >, 5000); /* as many as a worker draws */
  robot_until (is_map_fresh (map));
  before = heddle_minimap_get_picture (map);
  heddle_canvas_set_zoom (canvas, 1.5);
  robot_settle (GTK_WIDGET (canvas));
  g_assert_true (heddle_minimap_get_picture (map) == before);
  handler = g_signal_connect (clock, "after-paint", G_CALLBACK (on_map_painted), map);
  heddle_editor_select (editor_of (window), first->id);
  heddle_edits_nudge_selection (editor_of (window), 0, -900, NULL);
  wait_for_all (window);
  robot_until (heddle_minimap_get_picture (map) != before);
  robot_until (is_map_fresh (map));
  g_signal_handler_disconnect (clock, handler);
  robot_close (window);
  remove_file (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/large/open", test_open);
  g_test_add_func ("/large/open-and-change", test_open_and_change);
  g_test_add_func ("/large/try-label", test_try_label);
  g_test_add_func ("/large/try-in-worker", test_try_in_worker);
  g_test_add_func ("/large/price-after-edit", test_price_after_edit);
  g_test_add_func ("/large/price-steps", test_price_steps);
  g_test_add_func ("/large/pan", test_pan);
  g_test_add_func ("/large/lift", test_lift);
  g_test_add_func ("/large/draw-edited", test_draw_edited);
  g_test_add_func ("/large/map", test_map);
  return g_test_run ();
}
