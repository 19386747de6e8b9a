/* SPDX-License-Identifier: MIT */

/* Moving, falling into line, tidying, the map, and carrying a part out of the window, by the pointer in a real window. */

#include <glib/gstdio.h>

#include "app/canvas/canvas.h"
#include "app/canvas/minimap.h"
#include "app/canvas/page-frame.h"
#include "app/canvas/pick.h"
#include "app/canvas/private.h"
#include "app/canvas/scene.h"
#include "app/canvas/scene-index.h"
#include "app/canvas/view.h"
#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/edits/edits.h"
#include "app/edits/move.h"
#include "app/export/dialog.h"
#include "app/window/window.h"
#include "derive/machine/find.h"
#include "diagram/document/document.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "desk.h"
#include "robot.h"

#define ATTENTION "examples/attention.ncd"
#define WIDE "examples/multi-head-attention.ncd"

static HeddleWindow *
open_at_100 (void)
{
  HeddleWindow *window = robot_open (ATTENTION);

  heddle_canvas_set_zoom (heddle_window_get_canvas (window), 1);
  robot_settle (desk_canvas_of (window));
  return window;
}

/* What stands for an operation, px of the scene. */
static graphene_rect_t
bounds_of (HeddleWindow *window, const char *id)
{
  graphene_rect_t bounds;

  g_assert_true (heddle_canvas_object_bounds (heddle_window_get_canvas (window), id, &bounds));
  return bounds;
}

/* --- a hand that holds something --- */

typedef struct
{
  HeddleWindow *window;
  double x, y; /* where it took it */
} Hand;

static Hand
take (HeddleWindow *window, const char *id)
{
  Hand hand = { window };

  robot_operation_point (window, id, &hand.x, &hand.y);
  robot_click (desk_canvas_of (window), 5, 5); /* and no two presses are a double click */
  robot_move (desk_canvas_of (window), hand.x, hand.y);
  robot_press ();
  robot_settle (desk_canvas_of (window));
  return hand;
}

static void
carry (const Hand *hand, double dx, double dy)
{
  const guint n_steps = 16;

  for (guint i = 1; i <= n_steps; i++)
    robot_move (desk_canvas_of (hand->window), hand->x + dx * i / n_steps, hand->y + dy * i / n_steps);
}

static void
let_go (const Hand *hand)
{
  robot_release ();
  robot_settle (desk_canvas_of (hand->window));
}

/* --- moving --- */

/* Farther than the operation is large, so that what was behind it comes under the place where it was taken. */
static void
test_far (void)
{
  HeddleWindow *window = open_at_100 ();
  const char *id = desk_producer_id (window, "S");
  Hand hand = take (window, id);
  double dx, dy;

  robot_hold (GDK_KEY_Control_L, TRUE); /* not into line with anything */
  carry (&hand, 130, 90);
  g_assert_null (
      heddle_document_get_undo_name (desk_document_of (window))); /* nothing is done before it is let go */
  let_go (&hand);
  robot_hold (GDK_KEY_Control_L, FALSE);
  desk_get_nudge (window, id, &dx, &dy);
  g_assert_cmpfloat_with_epsilon (dx, 130, 1);
  g_assert_cmpfloat_with_epsilon (dy, 90, 1);
  g_assert_cmpstr (heddle_document_get_undo_name (desk_document_of (window)), ==, "Move");
  robot_key (desk_canvas_of (window), GDK_KEY_z, GDK_CONTROL_MASK);
  g_assert_null (heddle_document_get_undo_name (desk_document_of (window)));
  robot_close (window);
}

static void
test_escape (void)
{
  HeddleWindow *window = open_at_100 ();
  const char *id = desk_producer_id (window, "S");
  const graphene_rect_t before = bounds_of (window, id);
  Hand hand = take (window, id);
  graphene_rect_t now;

  carry (&hand, 60, 45);
  now = bounds_of (window, id);
  g_assert_cmpfloat (now.origin.x - before.origin.x, >, 40); /* it is drawn where it is held */
  robot_key (desk_canvas_of (window), GDK_KEY_Escape, 0);
  let_go (&hand);
  now = bounds_of (window, id);
  g_assert_true (graphene_rect_equal (&now, &before));
  g_assert_null (heddle_document_get_undo_name (desk_document_of (window)));
  g_assert_false (heddle_document_get_modified (desk_document_of (window)));
  robot_close (window);
}

/* Whether its top, middle or bottom is at the same height as that of another operation. */
static gboolean
is_in_line (HeddleWindow *window, const char *id)
{
  const graphene_rect_t own = bounds_of (window, id);
  const GPtrArray *operations = desk_diagram_of (window)->operations;

  for (guint i = 0; i < operations->len; i++)
    for (guint part = 0; part < 3; part++)
      {
        const HeddleOperation *operation = g_ptr_array_index (operations, i);
        const graphene_rect_t other = bounds_of (window, operation->id);

        if (operation->id != id
            && ABS (own.origin.y + own.size.height * part / 2 - other.origin.y - other.size.height * part / 2)
                   < .01)
          return TRUE;
      }
  return FALSE;
}

/* A px or two from being in line with another it comes into line; with Control it stays where it is put. */
static void
test_snap (void)
{
  double went[2];

  for (guint freely = 0; freely < 2; freely++)
    {
      HeddleWindow *window = open_at_100 ();
      const char *id = desk_producer_id (window, "S");
      const graphene_rect_t own = bounds_of (window, id),
                            other = bounds_of (window, desk_producer_id (window, "O"));
      const double by = round (other.origin.y + other.size.height / 2 - own.origin.y - own.size.height / 2)
                        - .8; /* between two lines in which others are */
      Hand hand = take (window, id);
      double dx, dy;

      carry (&hand, 0, 70); /* away first, however near it is */
      robot_hold (GDK_KEY_Control_L, freely);
      robot_move (desk_canvas_of (window), hand.x, hand.y + by - 1);
      robot_move (desk_canvas_of (window), hand.x, hand.y + by);
      let_go (&hand);
      robot_hold (GDK_KEY_Control_L, FALSE);
      desk_get_nudge (window, id, &dx, &dy);
      g_test_message ("put %g lower, went %g", by, dy);
      if (freely)
        g_assert_cmpfloat_with_epsilon (dy, by, .6);
      else
        g_assert_true (is_in_line (window, id));
      went[freely] = dy;
      robot_close (window);
    }
  g_assert_cmpfloat (ABS (went[1] - went[0]), >, .9); /* it was drawn to something */
  g_assert_cmpfloat (ABS (went[1] - went[0]), <=, 5);
}

/* Whether each wire has room where it goes up or down. */
static gboolean
are_wires_whole (HeddleWindow *window)
{
  const HeddleScene *scene = heddle_window_get_canvas (window)->scene;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      double x = -G_MAXDOUBLE, y = 0;

      for (guint j = 0; item->part == HEDDLE_PART_WIRE && item->stroke && j < item->path->len; j++)
        {
          const HeddleSegment *segment = &g_array_index (item->path, HeddleSegment, j);
          const gboolean curves = segment->kind == HEDDLE_SEGMENT_CURVE;
          const double to_x = curves ? segment->x3 : segment->x1, to_y = curves ? segment->y3 : segment->y1;

          if (curves && ABS (to_x - x) < MIN (ABS (to_y - y), 20) - .01)
            {
              g_test_message ("the wire of %s goes from %g, %g to %g, %g", item->value, x, y, to_x, to_y);
              return FALSE;
            }
          x = to_x;
          y = to_y;
        }
    }
  return TRUE;
}

/* Wherever a box is put its wires come along, what follows makes way, and beside the canvas it goes back. */
static void
test_wires_come_along (void)
{
  const double to[][2] = { { 0, -60 }, { 0, 60 }, { 150, 0 }, { -90, 0 }, { -60, 70 }, { 180, -50 } };

  for (guint i = 0; i < G_N_ELEMENTS (to); i++)
    for (guint of = 0; of < 2; of++)
      {
        HeddleWindow *window = open_at_100 ();
        const char *id = desk_producer_id (window, of == 0 ? "O" : "S");
        const graphene_rect_t before = bounds_of (window, id);
        Hand hand = take (window, id);
        graphene_rect_t now;

        carry (&hand, to[i][0], to[i][1]);
        g_assert_true (are_wires_whole (window));
        let_go (&hand);
        now = bounds_of (window, id);
        g_test_message ("%s by %g, %g went %g, %g", id, to[i][0], to[i][1], now.origin.x - before.origin.x,
            now.origin.y - before.origin.y);
        g_assert_true (are_wires_whole (window));
        g_assert_cmpfloat (now.origin.x, >=, before.origin.x - .01);
        g_assert_cmpfloat_with_epsilon (now.origin.y - before.origin.y, to[i][1], 6);
        robot_close (window);
      }
}

static void
test_beside_the_canvas (void)
{
  HeddleWindow *window = open_at_100 ();
  const char *id = desk_producer_id (window, "O");
  const graphene_rect_t before = bounds_of (window, id);
  Hand hand = take (window, id);
  graphene_rect_t now;

  carry (&hand, 0, 100);
  robot_move (desk_canvas_of (window), hand.x, gtk_widget_get_height (desk_canvas_of (window)) + 30);
  let_go (&hand);
  now = bounds_of (window, id);
  g_assert_true (graphene_rect_equal (&now, &before));
  g_assert_null (heddle_document_get_undo_name (desk_document_of (window)));
  robot_close (window);
}

/* What is moved together comes along once. */
static void
test_together (void)
{
  HeddleWindow *window = open_at_100 ();
  const char *ids[] = { desk_producer_id (window, "S"), desk_producer_id (window, "O") };
  const graphene_rect_t before[] = { bounds_of (window, ids[0]), bounds_of (window, ids[1]) };

  heddle_editor_select (desk_editor_of (window), ids[0]);
  heddle_editor_toggle_selected (desk_editor_of (window), ids[1]);
  heddle_edits_nudge_selection (desk_editor_of (window), 40, 0, NULL);
  robot_settle (desk_canvas_of (window));
  for (guint i = 0; i < 2; i++)
    {
      const graphene_rect_t now = bounds_of (window, ids[i]);

      g_assert_cmpfloat_with_epsilon (now.origin.x - before[i].origin.x, 40, 1);
    }
  robot_close (window);
}

/* --- tidying --- */

static void
test_tidy (void)
{
  for (guint still = 0; still < 2; still++)
    {
      HeddleWindow *window = open_at_100 ();
      const char *id = desk_producer_id (window, "S");
      const graphene_rect_t before = bounds_of (window, id);
      graphene_rect_t now;
      double dx, dy;

      g_object_set (gtk_settings_get_default (), "gtk-enable-animations", !still, NULL);
      heddle_editor_select (desk_editor_of (window), id);
      heddle_edits_nudge_selection (desk_editor_of (window), 40, 30, NULL);
      heddle_editor_select (desk_editor_of (window), NULL);
      g_action_group_activate_action (G_ACTION_GROUP (window), "tidy", NULL);
      desk_get_nudge (window, id, &dx, &dy);
      g_assert_true (dx == 0 && dy == 0); /* the document is tidy at once */
      g_assert_cmpstr (heddle_document_get_undo_name (desk_document_of (window)), ==, "Tidy");
      now = bounds_of (window, id);
      g_assert_cmpint (graphene_rect_equal (&now, &before), ==, still); /* the drawing is on its way */
      robot_until ((now = bounds_of (window, id), graphene_rect_equal (&now, &before)));
      heddle_document_undo (desk_document_of (window));
      desk_get_nudge (window, id, &dx, &dy);
      g_assert_true (dx == 40 && dy == 30);
      robot_close (window);
    }
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE, NULL);
}

/* --- in words --- */

/* The card with the words for what is under the pointer lies where nothing is drawn. */
static void
test_hover_card (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  g_autoptr (GArray) covered = NULL;
  const HeddleValue *key = heddle_diagram_find_value (desk_diagram_of (window), "K");
  GtkWidget *card = NULL;
  graphene_rect_t place;
  double x, y, right, bottom;

  robot_wire_point (window, key->id, heddle_ids_index (key->axes, 0), &x, &y);
  robot_move (desk_canvas_of (window), x, y);
  robot_until ((card = robot_find (desk_canvas_of (window), GTK_TYPE_LABEL, "hover-card", NULL)) != NULL
               && gtk_widget_get_mapped (card));
  robot_settle (card);
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (card)), "K  f16[x=4096, k=128]"));
  g_assert_true (gtk_widget_compute_bounds (card, desk_canvas_of (window), &place));
  g_assert_false (graphene_rect_contains_point (&place, &GRAPHENE_POINT_INIT (x, y)));
  heddle_canvas_to_scene (
      canvas, place.origin.x + place.size.width, place.origin.y + place.size.height, &right, &bottom);
  heddle_canvas_to_scene (canvas, place.origin.x, place.origin.y, &x, &y);
  covered = heddle_scene_index_find (canvas->index, &GRAPHENE_RECT_INIT (x, y, right - x, bottom - y));
  g_assert_cmpuint (covered->len, ==, 0);
  robot_press (); /* whoever does something does not read */
  robot_until (!gtk_widget_get_mapped (card));
  robot_release ();
  robot_close (window);
}

/* --- the map --- */

static void
test_minimap (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  GtkWidget *map = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_MINIMAP, NULL, NULL);
  const graphene_rect_t last = bounds_of (window, desk_producer_id (window, "O"));
  double x, y;

  g_assert_false (gtk_widget_get_mapped (map)); /* all is in view */
  heddle_canvas_set_zoom (canvas, 6);
  robot_until (gtk_widget_get_mapped (map));
  robot_settle (map);
  heddle_canvas_pan_by (canvas, 4000, 0);
  robot_click (map, gtk_widget_get_width (map) * .8, gtk_widget_get_height (map) / 2.);
  heddle_canvas_to_widget (canvas, last.origin.x, last.origin.y, &x, &y);
  g_assert_cmpfloat (x, <, gtk_widget_get_width (GTK_WIDGET (canvas)));
  robot_drag (map, 30, 20, map, 12, 20);
  heddle_canvas_to_widget (canvas, last.origin.x, last.origin.y, &x, &y);
  g_assert_cmpfloat (x, >, gtk_widget_get_width (GTK_WIDGET (canvas)));
  g_action_group_activate_action (G_ACTION_GROUP (window), "minimap-visible", NULL);
  robot_until (!gtk_widget_get_mapped (map));
  g_action_group_activate_action (G_ACTION_GROUP (window), "minimap-visible", NULL);
  robot_until (gtk_widget_get_mapped (map));
  heddle_canvas_fit (canvas);
  robot_until (!gtk_widget_get_mapped (map));
  robot_close (window);
}

/* --- out of the window --- */

static void
on_spliced (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  g_output_stream_splice_finish (G_OUTPUT_STREAM (source), result, &error);
  g_assert_no_error (error);
  *(GBytes **) data = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (source));
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) stream = gdk_drop_read_finish (GDK_DROP (source), result, NULL, &error);
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();

  g_assert_no_error (error);
  g_output_stream_splice_async (
      memory, stream, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, G_PRIORITY_DEFAULT, NULL, on_spliced, data);
  gdk_drop_finish (GDK_DROP (source), GDK_ACTION_COPY);
}

typedef struct
{
  const char *mime;
  GBytes *got;
} Taker;

static gboolean
on_drop (GtkDropTargetAsync *target, GdkDrop *drop, double x, double y, Taker *taker)
{
  const char *mimes[] = { taker->mime, NULL };

  gdk_drop_read_async (drop, mimes, G_PRIORITY_DEFAULT, NULL, on_read, &taker->got);
  return TRUE;
}

/* Another program's window takes what it knows. */
static GBytes *
carry_out (const char *mime)
{
  const char *mimes[] = { mime, NULL };
  HeddleWindow *window = robot_open (ATTENTION);
  GtkWidget *other = gtk_window_new (), *place = gtk_label_new ("here");
  GtkDropTargetAsync *target
      = gtk_drop_target_async_new (gdk_content_formats_new (mimes, 1), GDK_ACTION_COPY);
  Taker taker = { mime };
  double x, y;

  gtk_window_set_default_size (GTK_WINDOW (window), 1100, 800);
  g_signal_connect (target, "drop", G_CALLBACK (on_drop), &taker);
  gtk_widget_add_controller (place, GTK_EVENT_CONTROLLER (target));
  gtk_window_set_child (GTK_WINDOW (other), place);
  gtk_window_set_default_size (GTK_WINDOW (other), 200, 150);
  gtk_window_present (GTK_WINDOW (other));
  robot_until (gtk_widget_get_mapped (place));
  robot_place (other, 1600, 900);
  robot_settle (place);
  robot_operation_point (window, desk_producer_id (window, "S"), &x, &y);
  robot_click (desk_canvas_of (window), x, y);
  robot_hold (GDK_KEY_Alt_L, TRUE);
  robot_drag (desk_canvas_of (window), x, y, place, 80, 60);
  robot_hold (GDK_KEY_Alt_L, FALSE);
  robot_until (taker.got != NULL);
  gtk_window_destroy (GTK_WINDOW (other));
  robot_close (window);
  return taker.got;
}

static void
test_carry_out (void)
{
  g_autoptr (GBytes) svg = carry_out ("image/svg+xml"), png = carry_out ("image/png");
  g_autofree char *text = g_strndup (g_bytes_get_data (svg, NULL), g_bytes_get_size (svg));

  g_assert_nonnull (strstr (text, "<svg"));
  g_assert_nonnull (strstr (text, "</svg>"));
  g_assert_cmpuint (g_bytes_get_size (png), >, 100);
  g_assert_cmpmem (g_bytes_get_data (png, NULL), 4, "\x89PNG", 4);
}

static void
drag_between (HeddleWindow *from, HeddleWindow *to, double x, double y)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (desk_editor_of (from));
  const HeddleValue *value = heddle_diagram_find_value (diagram, "K");
  double from_x, from_y;

  robot_wire_point (from, value->id, heddle_ids_index (value->axes, 0), &from_x, &from_y);
  robot_drag (desk_canvas_of (from), from_x, from_y, desk_canvas_of (to), x, y);
  robot_settle (desk_canvas_of (to));
}

/* A wire that is carried into another window is no wire of the diagram there: neither beside all else, nor on a wire. */
static void
test_carry_across (void)
{
  HeddleWindow *from = robot_open (ATTENTION), *to = robot_open ("examples/residual-mlp.ncd");
  const HeddleDiagram *diagram = heddle_editor_get_diagram (desk_editor_of (to));
  const HeddleValue *input = g_ptr_array_index (diagram->values, 0);
  const guint n = diagram->operations->len;
  double x, y;

  gtk_window_set_default_size (GTK_WINDOW (from), 900, 1000);
  gtk_window_set_default_size (GTK_WINDOW (to), 900, 1000);
  robot_until (
      gtk_widget_get_width (GTK_WIDGET (from)) <= 900 && gtk_widget_get_width (GTK_WIDGET (to)) <= 900);
  robot_place (GTK_WIDGET (from), 0, 0);
  robot_place (GTK_WIDGET (to), 980, 0);
  robot_settle (desk_canvas_of (from));
  robot_settle (desk_canvas_of (to));
  g_assert_null (heddle_diagram_get_value (diagram, "v.K"));

  drag_between (from, to, 4, 4);
  g_assert_false (heddle_editor_get_wire (desk_editor_of (to), NULL, NULL));
  robot_wire_point (to, input->id, heddle_ids_index (input->axes, 0), &x, &y);
  drag_between (from, to, x, y);
  g_assert_cmpuint (heddle_editor_get_diagram (desk_editor_of (to))->operations->len, ==, n);
  g_assert_null (heddle_document_get_undo_name (heddle_editor_get_document (desk_editor_of (to))));
  robot_close (to);
  robot_close (from);
}

static GtkWidget *
find_export_dialog (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (HEDDLE_IS_EXPORT_DIALOG (window) && gtk_widget_get_mapped (window))
        return window;
    }
  return NULL;
}

/* What goes away while a button is held is gone, and its document with it. A press beside a modal dialog is the dialog's. */
static void
test_held (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  gpointer canvas = desk_canvas_of (window), document = heddle_editor_get_document (desk_editor_of (window)),
           dialog = NULL;

  g_object_add_weak_pointer (canvas, &canvas);
  g_object_add_weak_pointer (document, &document);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.export", NULL);
  robot_until ((dialog = find_export_dialog ()) != NULL);
  g_object_add_weak_pointer (dialog, &dialog);
  robot_settle (dialog);
  robot_place (dialog, 640, 360);
  robot_settle (dialog);
  robot_move (GTK_WIDGET (window), 20, 300);
  robot_press ();
  robot_settle (dialog);
  robot_strike (GDK_KEY_Escape, 0);
  robot_until (dialog == NULL);
  robot_release ();

  robot_settle (canvas);
  robot_move (canvas, 6, 6);
  robot_press ();
  robot_settle (canvas);
  robot_close (window);
  robot_release ();
  robot_until (canvas == NULL);
  robot_until (document == NULL);
}

/* The menu of what is out of sight opens in the middle of what is seen. */
static void
test_menu_of_unseen (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  GtkWidget *canvas = desk_canvas_of (window);
  HeddleCanvasView view;
  GdkRectangle place;

  heddle_editor_select (desk_editor_of (window), desk_producer_id (window, "P"));
  heddle_canvas_get_view (HEDDLE_CANVAS (canvas), &view);
  view.fitting = FALSE;
  view.pan_x += 9000;
  heddle_canvas_set_view (HEDDLE_CANVAS (canvas), &view);
  robot_settle (canvas);
  gtk_widget_grab_focus (canvas);
  robot_key (canvas, GDK_KEY_Menu, 0);
  g_assert_true (gtk_popover_get_pointing_to (GTK_POPOVER (HEDDLE_CANVAS (canvas)->menu), &place));
  g_assert_cmpint (place.x, ==, gtk_widget_get_width (canvas) / 2);
  robot_key (canvas, GDK_KEY_Escape, 0);
  robot_close (window);
}

/* --- what is in view --- */

static gboolean
is_in_view (HeddleWindow *window, const graphene_rect_t *place)
{
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  double left, top, right, bottom;

  heddle_canvas_to_widget (canvas, place->origin.x, place->origin.y, &left, &top);
  heddle_canvas_to_widget (
      canvas, place->origin.x + place->size.width, place->origin.y + place->size.height, &right, &bottom);
  return left >= 0 && top >= 0 && right <= gtk_widget_get_width (GTK_WIDGET (canvas))
         && bottom <= gtk_widget_get_height (GTK_WIDGET (canvas));
}

static gboolean
is_all_in_view (HeddleWindow *window)
{
  double x, y, width, height;

  heddle_canvas_get_scene (heddle_window_get_canvas (window));
  heddle_canvas_get_extent (heddle_window_get_canvas (window), &x, &y, &width, &height);
  return is_in_view (window, &GRAPHENE_RECT_INIT (x, y, width, height));
}

/* Whoever looks at the beginning from near sees what is made at the end. */
static void
test_made_in_view (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  graphene_rect_t place = bounds_of (window, desk_producer_id (window, "O"));

  heddle_canvas_zoom_at (canvas, 4, 0, 0);
  robot_settle (GTK_WIDGET (canvas));
  g_assert_false (is_in_view (window, &place));
  desk_ask_for (window, "gelu");
  place = bounds_of (window, heddle_editor_get_selected (desk_editor_of (window)));
  g_assert_true (is_in_view (window, &place));
  robot_close (window);
}

/* While something is dragged nothing moves under the pointer; a drawing that then reaches out of the view is fitted again. */
static void
test_fitted_again (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  const double zoom = heddle_canvas_get_zoom (canvas);
  Hand hand = take (window, desk_producer_id (window, "P"));

  carry (&hand, gtk_widget_get_width (GTK_WIDGET (canvas)) - 40 - hand.x, 0);
  g_assert_cmpfloat (heddle_canvas_get_zoom (canvas), ==, zoom);
  g_assert_false (is_all_in_view (window));
  let_go (&hand);
  g_assert_cmpfloat (heddle_canvas_get_zoom (canvas), <, zoom);
  g_assert_true (is_all_in_view (window));
  robot_close (window);
}

/* --- the page of a venue --- */

/* How wide the command line writes the figure, in. */
static double
measure_export (const char *file)
{
  g_autofree char *path = g_build_filename (heddle_data_directory (), file, NULL);
  g_autofree char *folder = g_dir_make_tmp ("heddle-canvas-XXXXXX", NULL);
  g_autofree char *picture = g_build_filename (folder, "a.svg", NULL), *text = NULL;
  const char *const argv[] = { g_getenv ("HEDDLE"), "export", path, "-o", picture, "--wrap", "none", NULL };
  double points;
  int status = -1;

  g_assert_true (g_spawn_sync (
      NULL, (char **) argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  g_assert_true (g_file_get_contents (picture, &text, NULL, NULL));
  points = g_ascii_strtod (strstr (text, "width=\"") + strlen ("width=\""), NULL);
  g_unlink (picture);
  g_rmdir (folder);
  return points / 72;
}

static char *
describe_frame (const char *file, const char *venue)
{
  HeddleWindow *window = robot_open (file);
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  char *text = NULL;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.page-frame", "s", venue);
  robot_settle (GTK_WIDGET (canvas));
  text = heddle_canvas_describe_page_frame (canvas);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.page-frame", "s", "");
  g_assert_null (heddle_canvas_describe_page_frame (canvas));
  robot_close (window);
  return text;
}

/* What the frame says is by how much the figure that is written is narrower than the page, or wider. */
static void
test_page_frame (void)
{
  const double own = measure_export (ATTENTION), wide = measure_export (WIDE);
  g_autofree char *fits = describe_frame (ATTENTION, "icml-column");
  g_autofree char *not = describe_frame (WIDE, "icml-column");
  g_autofree char *left = g_strdup_printf ("ICML, column: %.2f in of 3.25 in left", 3.25 - own);
  g_autofree char *too_wide = g_strdup_printf (
      "ICML, column: %.2f in too wide for 3.25 in, printed at %.0f %%", wide - 3.25, 100 * 3.25 / wide);

  g_assert_cmpfloat (own, <, 3.25);
  g_assert_cmpfloat (wide, >, 3.25);
  g_assert_cmpstr (fits, ==, left);
  g_assert_cmpstr (not, ==, too_wide);
}

/* Returns whether the canvas shows these words, which have no spaces. */
static gboolean
shows_words (HeddleCanvas *canvas, const char *words)
{
  const HeddleScene *scene = heddle_canvas_get_scene (canvas);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    if (heddle_scene_get_item (scene, i)->kind == HEDDLE_ITEM_TEXT)
      g_string_append (text, heddle_scene_get_item (scene, i)->text);
  g_string_replace (text, " ", "", 0);
  return strstr (text->str, words) != NULL;
}

/* The legend stands below the diagram when it is asked for, and follows it. */
static void
test_legend (void)
{
  HeddleWindow *window = robot_open (ATTENTION);
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  HeddleEditor *editor = heddle_window_get_editor (window);

  g_assert_false (shows_words (canvas, "Softmaxmakes"));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.legend", NULL);
  robot_settle (GTK_WIDGET (canvas));
  g_assert_true (shows_words (canvas, "Softmaxmakes"));
  g_assert_true (shows_words (canvas, "Twoarraysexist"));
  heddle_editor_select (editor, heddle_diagram_find_value (heddle_editor_get_diagram (editor), "P")->id);
  heddle_edits_delete_selection (editor);
  robot_settle (GTK_WIDGET (canvas));
  g_assert_false (shows_words (canvas, "Softmaxmakes"));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.legend", NULL);
  robot_settle (GTK_WIDGET (canvas));
  g_assert_false (shows_words (canvas, "Twoarraysexist"));
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/canvas/far", test_far);
  g_test_add_func ("/canvas/escape", test_escape);
  g_test_add_func ("/canvas/snap", test_snap);
  g_test_add_func ("/canvas/wires-come-along", test_wires_come_along);
  g_test_add_func ("/canvas/beside-the-canvas", test_beside_the_canvas);
  g_test_add_func ("/canvas/together", test_together);
  g_test_add_func ("/canvas/tidy", test_tidy);
  g_test_add_func ("/canvas/hover-card", test_hover_card);
  g_test_add_func ("/canvas/minimap", test_minimap);
  g_test_add_func ("/canvas/menu-of-unseen", test_menu_of_unseen);
  g_test_add_func ("/canvas/carry-out", test_carry_out);
  g_test_add_func ("/canvas/carry-across", test_carry_across);
  g_test_add_func ("/canvas/held", test_held);
  g_test_add_func ("/canvas/made-in-view", test_made_in_view);
  g_test_add_func ("/canvas/page-frame", test_page_frame);
  g_test_add_func ("/canvas/legend", test_legend);
  g_test_add_func ("/canvas/fitted-again", test_fitted_again);
  return g_test_run ();
}
