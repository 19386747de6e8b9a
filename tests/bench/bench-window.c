/* SPDX-License-Identifier: MIT */

/* What it is like to work on a large diagram in the real window: how long it takes to open, and what each frame and each stroke of a key
 * costs, as ratios to a frame of 60 Hz. A frame is all that the main loop does from an event to the end of the painting. Where other
 * programs want the processors too, its own processor time says more than the clock. */

#include <glib/gstdio.h>
#include <malloc.h>

#include "app/canvas/canvas.h"
#include "app/canvas/pick.h"
#include "app/canvas/private.h"
#include "app/canvas/scene.h"
#include "app/canvas/view.h"
#include "app/derivation/proposal.h"
#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/editor/flat.h"
#include "app/editor/preview.h"
#include "app/equations/equation-bar.h"
#include "app/window/window.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/ncd/write.h"
#include "large.h"
#include "tests/app/robot.h"
#include "tests/app/watchdog.h"

#define FRAME_MS (1e3 / 60)
#define N_FRAMES 120
#define N_STROKES 40

static int
compare (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* What came of one kind of thing. */
typedef struct
{
  GArray *wall, *cpu; /* of double, ms */
} Costs;

static Costs
costs_new (void)
{
  return (Costs){ g_array_new (FALSE, FALSE, sizeof (double)), g_array_new (FALSE, FALSE, sizeof (double)) };
}

static void
add_cost (Costs *costs, WatchdogTurn cost)
{
  g_array_append_val (costs->wall, cost.wall);
  g_array_append_val (costs->cpu, cost.cpu);
}

static double
rank (GArray *sorted, double share)
{
  return g_array_index (sorted, double, MIN (sorted->len - 1, (guint) (share * sorted->len)));
}

static void
report (const char *what, Costs *costs)
{
  guint over = 0;

  g_array_sort (costs->wall, compare);
  g_array_sort (costs->cpu, compare);
  for (guint i = 0; i < costs->cpu->len; i++)
    over += g_array_index (costs->cpu, double, i) > FRAME_MS;
  g_print ("  %-36s p50 %7.2f  p95 %7.2f  most %7.2f ms  %5.2f of a frame, %3u of %3u longer than one; by "
           "the clock p50 "
           "%7.2f p95 %7.2f\n",
      what, rank (costs->cpu, .5), rank (costs->cpu, .95), rank (costs->cpu, 1),
      rank (costs->cpu, .95) / FRAME_MS, over, costs->cpu->len, rank (costs->wall, .5),
      rank (costs->wall, .95));
  g_array_unref (costs->wall);
  g_array_unref (costs->cpu);
}

static gboolean
note_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static WatchdogTurn
sum_of (const GArray *turns)
{
  WatchdogTurn sum = { 0 };

  for (guint i = 0; i < turns->len; i++)
    {
      sum.wall += g_array_index (turns, WatchdogTurn, i).wall;
      sum.cpu += g_array_index (turns, WatchdogTurn, i).cpu;
    }
  return sum;
}

static WatchdogTurn
longest_of (const GArray *turns)
{
  WatchdogTurn most = { 0 };

  for (guint i = 0; i < turns->len; i++)
    {
      most.wall = MAX (most.wall, g_array_index (turns, WatchdogTurn, i).wall);
      most.cpu = MAX (most.cpu, g_array_index (turns, WatchdogTurn, i).cpu);
    }
  return most;
}

static WatchdogTurn
longest_turn (void)
{
  g_autoptr (GArray) turns = watchdog_take ();

  return longest_of (turns);
}

/* What the next frame takes, with all that was asked for before it. */
static void
wait_for_frame (GtkWidget *widget)
{
  gboolean updated = FALSE;

  gtk_widget_add_tick_callback (widget, note_frame, &updated, NULL);
  while (!updated)
    g_main_context_iteration (NULL, TRUE);
}

static WatchdogTurn
take_frame (GtkWidget *widget)
{
  g_autoptr (GArray) turns = NULL;

  wait_for_frame (widget);
  turns = watchdog_take ();
  return sum_of (turns);
}

static void
rest (double seconds)
{
  const gint64 end = g_get_monotonic_time () + seconds * G_USEC_PER_SEC;

  while (g_get_monotonic_time () < end)
    robot_step ();
  g_array_unref (watchdog_take ());
}

/* Until no thread has anything to do for a while, and what was freed meanwhile has gone back: beside other work that takes longer than on an idle
 * machine. */
static void
rest_until_idle (void)
{
  for (guint i = 0; i < 30; i++)
    {
      const clock_t before = clock ();

      rest (2);
      if (clock () - before >= CLOCKS_PER_SEC / 10)
        continue;
      rest (2);
      return;
    }
  g_print ("  still busy after a minute\n");
}

static double
memory_mib (void)
{
  g_autofree char *text = NULL;
  long pages = 0, resident = 0;

  if (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    sscanf (text, "%ld %ld", &pages, &resident);
  return resident * 4096. / (1 << 20);
}

/* What is resident, and what of it the program has allocated. */
static void
tell_memory (const char *when)
{
#ifdef __GLIBC__
  const struct mallinfo2 heap = mallinfo2 ();

  g_print ("  %s: %.0f MiB, %.0f of them allocated\n", when, memory_mib (),
      (heap.uordblks + heap.hblkhd) / (double) (1 << 20));
#else
  g_print ("  %s: %.0f MiB\n", when, memory_mib ());
#endif
}

/* --- what a person does --- */

static void
pan (HeddleWindow *window, const char *where)
{
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  g_autofree char *what = g_strdup_printf ("panning, %s", where);
  Costs costs = costs_new ();

  for (guint i = 0; i < N_FRAMES; i++)
    {
      heddle_canvas_pan_by (canvas, i < N_FRAMES / 2 ? -31 : 31, i % 60 < 30 ? 9 : -9);
      add_cost (&costs, take_frame (GTK_WIDGET (canvas)));
    }
  report (what, &costs);
}

static void
zoom (HeddleWindow *window)
{
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  Costs costs = costs_new ();

  for (guint i = 0; i < N_FRAMES; i++)
    {
      heddle_canvas_zoom_at (
          canvas, heddle_canvas_get_zoom (canvas) * (i < N_FRAMES / 2 ? .955 : 1 / .955), 400, 200);
      add_cost (&costs, take_frame (GTK_WIDGET (canvas)));
    }
  report ("zooming out and in", &costs);
}

/* The longest of the frames after a step of the zoom. */
static void
settle_zoom (HeddleWindow *window)
{
  GtkWidget *canvas = GTK_WIDGET (heddle_window_get_canvas (window));
  Costs costs = costs_new ();

  for (guint i = 0; i < 10; i++)
    {
      WatchdogTurn most = { 0 };

      heddle_canvas_set_zoom (HEDDLE_CANVAS (canvas), i % 2 ? .3 : .5);
      for (guint k = 0; k < 20; k++)
        {
          const WatchdogTurn one = take_frame (canvas);

          most = (WatchdogTurn){ MAX (most.wall, one.wall), MAX (most.cpu, one.cpu) };
        }
      add_cost (&costs, most);
    }
  report ("settling after a step of the zoom", &costs);
}

static gboolean
find_seen (HeddleWindow *window, double *x, double *y)
{
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (heddle_window_get_editor (window));

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      graphene_rect_t bounds;
      HeddleHit hit;

      if (!heddle_canvas_object_bounds (canvas, operation->id, &bounds))
        continue;
      heddle_canvas_to_widget (
          canvas, bounds.origin.x + bounds.size.width / 2, bounds.origin.y + bounds.size.height / 2, x, y);
      hit = heddle_canvas_pick (canvas, *x, *y);
      if (*x > 40 && *y > 20 && *x < 600 && *y < gtk_widget_get_height (GTK_WIDGET (canvas)) - 50
          && hit.operation == operation->id)
        return TRUE;
    }
  return FALSE;
}

static void
drag (HeddleWindow *window)
{
  GtkWidget *canvas = GTK_WIDGET (heddle_window_get_canvas (window));
  Costs costs = costs_new ();
  double x, y;

  if (!find_seen (window, &x, &y))
    {
      g_print ("  no operation can be dragged here\n");
      return;
    }
  robot_move (canvas, x, y);
  robot_press ();
  rest (.2);
  for (guint i = 1; i < N_FRAMES; i++)
    {
      robot_point (canvas, x + i, y + i % 40);
      add_cost (&costs, take_frame (canvas));
    }
  g_array_unref (watchdog_take ());
  robot_release ();
  rest (0);
  robot_settle (canvas);
  report ("dragging an operation", &costs);
  costs = costs_new ();
  add_cost (&costs, longest_turn ());
  report ("letting go, the longest turn", &costs);
  rest (2);
}

static void
type (HeddleWindow *window)
{
  GtkWidget *bar = GTK_WIDGET (heddle_window_get_equation_bar (window));
  GtkTextBuffer *buffer = heddle_equation_bar_get_buffer (HEDDLE_EQUATION_BAR (bar));
  Costs costs = costs_new ();
  const char *text = "\nR[b,m] = relu(X_{0}[b,m])", *next = text;
  GtkTextIter end;

  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_place_cursor (buffer, &end);
  gtk_widget_grab_focus (bar);
  rest (1);
  for (guint i = 0; i < N_STROKES; i++)
    {
      WatchdogTurn stroke, most;

      watchdog_begin ();
      gtk_text_buffer_insert_at_cursor (buffer, (char[]){ *next, '\0' }, 1);
      stroke = watchdog_end ();
      next = next[1] != '\0' ? next + 1 : text + strlen (text) - 1;
      if (*next == ')' && next[1] == '\0' && i > strlen (text))
        next = text;
      for (guint k = 0; k < (i % 8 == 7 ? 60 : 4); k++) /* now and then a pause, in which it is read */
        robot_settle (bar);
      most = longest_turn ();
      add_cost (&costs, (WatchdogTurn){ MAX (stroke.wall, most.wall), MAX (stroke.cpu, most.cpu) });
    }
  report ("typing, the longest turn a stroke", &costs);
  rest (1);
}

/* The first axis that arrays have, but not more than that; NULL: there is none. */
static const char *
seldom_used_axis (const HeddleDiagram *diagram, guint most)
{
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      guint n = 0;

      for (guint k = 0; k < diagram->values->len; k++)
        n += heddle_ids_contain (((HeddleValue *) g_ptr_array_index (diagram->values, k))->axes, axis->id);
      if (n > 0 && n <= most)
        return axis->id;
    }
  return NULL;
}

/* What is tried is kept: the longest turn until all has followed. */
static void
drop_label (HeddleWindow *window)
{
  HeddleEditor *editor = heddle_window_get_editor (window);
  Costs costs = costs_new ();
  WatchdogTurn drop, most;

  watchdog_begin ();
  heddle_editor_commit_preview (editor, "Group");
  drop = watchdog_end ();
  g_array_unref (watchdog_take ());
  for (guint i = 0; i < 60; i++)
    robot_settle (GTK_WIDGET (window));
  while (heddle_editor_is_deriving (editor))
    robot_step ();
  for (guint i = 0; i < 60; i++)
    robot_settle (GTK_WIDGET (window));
  most = longest_turn ();
  add_cost (&costs, (WatchdogTurn){ MAX (drop.wall, most.wall), MAX (drop.cpu, most.cpu) });
  report ("letting the label go, the longest turn", &costs);
  heddle_document_undo (heddle_editor_get_document (editor));
}

/* Frames of carrying an axis of @most arrays over a level: what the main loop has to do for the price of it, and with it. */
static void
reprice (HeddleWindow *window, guint n_frames, guint most)
{
  HeddleEditor *editor = heddle_window_get_editor (window);
  const char *axis = seldom_used_axis (heddle_editor_get_flat_diagram (editor), most);
  Costs costs = { NULL }, frames = { NULL }, turns = { NULL };

  if (axis == NULL)
    return;
  costs = costs_new ();
  frames = costs_new ();
  turns = costs_new ();
  while (heddle_editor_is_deriving (editor))
    robot_step ();
  rest (1);
  for (guint i = 0; i < n_frames; i++)
    {
      WatchdogTurn price;
      g_autoptr (HeddleProposal) proposal = NULL;
      g_autoptr (GArray) taken = NULL;

      watchdog_begin ();
      proposal = heddle_proposal_new (editor, axis, "smem", HEDDLE_LABEL_GROUP, 16 << i % 5);
      if (proposal->schedule != NULL)
        heddle_editor_set_preview_schedule (editor, g_steal_pointer (&proposal->schedule));
      price = watchdog_end ();
      wait_for_frame (GTK_WIDGET (window));
      taken = watchdog_take (); /* from the price on, which is a part of the first */
      add_cost (&costs, price);
      add_cost (&frames, sum_of (taken));
      add_cost (&turns, longest_of (taken));
    }
  drop_label (window);
  report ("repricing a label that is tried", &costs);
  report ("the frame with it", &frames);
  report ("the longest turn of that frame", &turns);
}

static void
reprice_example (const char *name)
{
  g_autofree char *file = g_strdup_printf ("examples/%s.ncd", name);
  HeddleWindow *window = robot_open (file);

  g_print ("%s\n", name);
  reprice (window, N_FRAMES / 4, G_MAXUINT);
  robot_close (window);
}

/* --- opening --- */

typedef struct
{
  HeddleWindow *window;
  gboolean drawn;
} FirstPicture;

static void
on_painted (GdkFrameClock *clock, gpointer data)
{
  FirstPicture *first = data;

  first->drawn = heddle_window_get_canvas (first->window)->visible != NULL;
}

/* From the file to the end of the frame that shows the diagram. */
static WatchdogTurn
open_until_drawn (const char *path, HeddleWindow **window)
{
  FirstPicture first = { NULL };
  GdkFrameClock *clock = NULL;
  gulong handler;

  watchdog_begin ();
  *window = first.window = robot_present_path (path);
  clock = gtk_widget_get_frame_clock (GTK_WIDGET (*window));
  handler = g_signal_connect (clock, "after-paint", G_CALLBACK (on_painted), &first);
  while (!first.drawn)
    g_main_context_iteration (NULL, TRUE);
  g_signal_handler_disconnect (clock, handler);
  return watchdog_end ();
}

static char *
write_file (HeddleDiagram *diagram)
{
  g_autoptr (HeddleSnapshot) snapshot = heddle_snapshot_new ();
  g_autofree char *name = g_strdup_printf ("heddle-bench-%d.ncd", (int) getpid ());
  char *path = g_build_filename (g_get_tmp_dir (), name, NULL);
  g_autofree char *text = NULL;
  gsize length;

  heddle_snapshot_add_diagram (snapshot, diagram);
  text = heddle_ncd_write (snapshot, &length, NULL);
  g_assert_true (g_file_set_contents (path, text, length, NULL));
  return path;
}

/* What a person does after opening, in the order that it is measured in. */
static void
measure_views (HeddleWindow *window)
{
  pan (window, "as it was opened");
  zoom (window);
  settle_zoom (window);
  heddle_canvas_set_zoom (heddle_window_get_canvas (window), 1);
  rest (.5);
  pan (window, "at 100 %");
}

static void
measure_edits (HeddleWindow *window)
{
  drag (window);
  type (window);
  rest_until_idle ();
  tell_memory ("after edits and typing");
}

static void
measure_prices (HeddleWindow *window)
{
  reprice (window, N_FRAMES / 4, 4);
  rest_until_idle ();
  tell_memory ("in the end");
}

/* @part: NULL for all, or one of those of main(). */
static void
measure (const char *name, HeddleDiagram *diagram, const char *part)
{
  const guint n = diagram->operations->len;
  const gboolean work = g_strcmp0 (part, "work") == 0;
  g_autofree char *path = write_file (diagram);
  const double before = memory_mib ();
  HeddleWindow *window = NULL;
  WatchdogTurn opening;

  opening = open_until_drawn (path, &window);
  g_print ("%s of %u operations: opened and drawn in %.0f ms (%.0f by the clock); ", name, n, opening.cpu,
      opening.wall);
  watchdog_begin ();
  robot_settle (GTK_WIDGET (window));
  opening = watchdog_end ();
  g_print ("idle %.0f ms later (%.0f by the clock); ", opening.cpu, opening.wall);
  rest_until_idle ();
  g_print ("%.0f MiB (%.0f before)\n", memory_mib (), before);
  tell_memory ("opened");
  if (part == NULL || g_str_equal (part, "views"))
    measure_views (window);
  if (part == NULL || g_str_equal (part, "edits") || work)
    measure_edits (window);
  if (part == NULL || g_str_equal (part, "prices") || work)
    measure_prices (window);
  robot_close (window);
  rest_until_idle ();
  tell_memory ("closed");
  g_print ("  %u stalls of the main loop so far, of %.0f ms or more\n",
      watchdog_count_stalls (WATCHDOG_STALL_MS), WATCHDOG_STALL_MS);
  g_unlink (path);
}

/* The number of operations and one of the things measured may be given, and of a large diagram one part: open, views, edits, prices, or
 * work, which is edits and then prices. */
int
main (int argc, char **argv)
{
  const guint n = argc > 1 ? atoi (argv[1]) : 10000;
  const char *part = argc > 3 ? argv[3] : NULL;

  robot_start ();
  watchdog_start ();
  if (argc < 3 || g_str_equal (argv[2], "attention"))
    {
      reprice_example ("attention");
      reprice_example ("decoder-transformer");
      reprice_example ("mixtral");
    }
  if (argc < 3 || g_str_equal (argv[2], "network"))
    measure ("a network", large_network (n), part);
  if (argc < 3 || g_str_equal (argv[2], "random"))
    measure ("at random", large_random (n), part);
  return 0;
}
