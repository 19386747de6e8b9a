/* SPDX-License-Identifier: MIT */

/* What one frame of the canvas costs while panning: making its snapshot and drawing that with Cairo, as ratios to a frame of 60 Hz, by
 * the number of operations, once with all in view and once at 100 %. */

#include <gtk/gtk.h>

#include "app/canvas/canvas.h"
#include "app/canvas/parts.h"
#include "app/canvas/view.h"
#include "app/editor/editor.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "files/equations/document.h"

#define FRAME_US (1e6 / 60)
#define WIDTH 1200
#define HEIGHT 800

static HeddleEditor *
new_editor (guint n)
{
  g_autoptr (GString) text = g_string_new ("A0 : f32[x=64, y=32]\n");
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (HeddleSnapshot) snapshot = NULL;
  g_autoptr (HeddleDocument) document = NULL;

  for (guint i = 1; i <= n; i++)
    g_string_append_printf (text, "A%u[x,y] = softmax[y](A%u[x,y])\n", i, i - 1);
  snapshot = heddle_equations_read (text->str, -1, "bench", problems);
  document = heddle_document_new_from_snapshot (snapshot);
  return heddle_editor_new (document);
}

static void
settle (void)
{
  gint64 end = g_get_monotonic_time () + G_USEC_PER_SEC;

  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

typedef struct
{
  double snapshot, draw; /* µs */
} Frame;

static Frame
measure (HeddleCanvas *canvas, guint rounds)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  Frame frame = { 0 };

  for (guint i = 0; i < rounds; i++)
    {
      GtkSnapshot *snapshot = gtk_snapshot_new ();
      gint64 start = g_get_monotonic_time (), made;
      GskRenderNode *node;
      cairo_t *cr;

      heddle_canvas_pan_by (canvas, i % 2 ? -7 : 7, i % 2 ? 3 : -3);
      GTK_WIDGET_GET_CLASS (canvas)->snapshot (GTK_WIDGET (canvas), snapshot);
      node = gtk_snapshot_free_to_node (snapshot);
      made = g_get_monotonic_time ();
      cr = cairo_create (surface);
      gsk_render_node_draw (node, cr);
      cairo_destroy (cr);
      frame.snapshot += made - start;
      frame.draw += g_get_monotonic_time () - made;
      gsk_render_node_unref (node);
    }
  cairo_surface_destroy (surface);
  frame.snapshot /= rounds;
  frame.draw /= rounds;
  return frame;
}

static void
report (guint n, const char *view, Frame frame)
{
  g_print ("%8u %12s %10.0f µs %8.2f %10.0f µs %8.2f\n", n, view, frame.snapshot, frame.snapshot / FRAME_US,
      frame.draw, frame.draw / FRAME_US);
}

static void
run (guint n)
{
  g_autoptr (HeddleEditor) editor = new_editor (n);
  GtkWidget *window = gtk_window_new (), *canvas = g_object_new (HEDDLE_TYPE_CANVAS, NULL);

  heddle_canvas_add_parts (HEDDLE_CANVAS (canvas));
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  gtk_window_set_child (GTK_WINDOW (window), canvas);
  heddle_canvas_set_editor (HEDDLE_CANVAS (canvas), editor);
  gtk_window_present (GTK_WINDOW (window));
  settle ();
  heddle_canvas_fit (HEDDLE_CANVAS (canvas));
  settle ();
  report (n, "all", measure (HEDDLE_CANVAS (canvas), 20));
  heddle_canvas_set_zoom (HEDDLE_CANVAS (canvas), 1);
  settle ();
  report (n, "100 %", measure (HEDDLE_CANVAS (canvas), 20));
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  static const guint sizes[] = { 10, 100, 1000, 10000 };

  gtk_init ();
  g_print ("%8s %12s %13s %8s %13s %8s\n", "n", "view", "snapshot", "x frame", "draw", "x frame");
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    run (sizes[i]);
  return 0;
}
