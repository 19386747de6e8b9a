/* SPDX-License-Identifier: MIT */

#include "monkey.h"

#include <gtk/gtkunixprint.h>

#include "app/canvas/canvas.h"
#include "app/canvas/pick.h"
#include "app/canvas/scene.h"
#include "app/canvas/view.h"
#include "app/editor/editor.h"
#include "app/window/open.h"
#include "app/window/window.h"
#include "diagram/graph/diagram.h"
#include "app/window/private.h"
#include "derive/machine/find.h"

struct _Monkey
{
  GRand *random;
  char *path;
  HeddleWindow *window; /* the one at work in; NULL: closed itself */
  char *last;
  guint answering; /* timer */
};

static guint
choose (Monkey *self, guint n)
{
  return g_rand_int_range (self->random, 0, MAX (n, 1));
}

static void
say (Monkey *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_free (self->last);
  self->last = g_strdup_vprintf (format, arguments);
  va_end (arguments);
}

/* --- where --- */

static void
forget_window (gpointer data, GObject *window)
{
  ((Monkey *) data)->window = NULL;
}

static void
take_window (Monkey *self, HeddleWindow *window)
{
  if (self->window != NULL)
    g_object_weak_unref (G_OBJECT (self->window), forget_window, self);
  self->window = window;
  g_object_weak_ref (G_OBJECT (window), forget_window, self);
}

static GPtrArray *
list_windows (GType type)
{
  GPtrArray *windows = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *all = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      GtkWidget *window = g_list_model_get_item (all, i);

      if (g_type_is_a (G_OBJECT_TYPE (window), type) && gtk_widget_get_mapped (window))
        g_ptr_array_add (windows, window);
      else
        g_object_unref (window);
    }
  return windows;
}

/* Where to save and whether to lose work are a person's to say; what would leave this machine or its display is left alone. */
static gboolean
is_question (GtkWidget *window)
{
  return GTK_IS_FILE_CHOOSER (window) || ADW_IS_MESSAGE_DIALOG (window) || GTK_IS_PRINT_UNIX_DIALOG (window)
         || GTK_IS_APP_CHOOSER_DIALOG (window);
}

/* Printing waits in a main loop of its own: this is called by a timer. */
static gboolean
answer_questions (gpointer unused)
{
  g_autoptr (GPtrArray) windows = list_windows (GTK_TYPE_WINDOW);

  for (guint i = 0; i < windows->len; i++)
    if (is_question (windows->pdata[i]))
      gtk_window_close (windows->pdata[i]);
  return G_SOURCE_CONTINUE;
}

static void
come_back (Monkey *self)
{
  g_autoptr (GPtrArray) windows = list_windows (HEDDLE_TYPE_WINDOW);

  if (self->window == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self->window)))
    take_window (self, windows->len > 0 ? windows->pdata[0] : robot_open_path (self->path));
  if (heddle_window_get_editor (self->window) == NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_path (self->path);

      heddle_window_show_or_open (self->window, file);
    }
}

/* A point of something on the canvas, or any at all. */
static void
choose_on_canvas (Monkey *self, double *x, double *y)
{
  HeddleCanvas *canvas = heddle_window_get_canvas (self->window);
  HeddleEditor *editor = heddle_window_get_editor (self->window);
  const HeddleDiagram *diagram = editor != NULL ? heddle_editor_get_diagram (editor) : NULL;
  const double width = gtk_widget_get_width (GTK_WIDGET (canvas)),
               height = gtk_widget_get_height (GTK_WIDGET (canvas));
  graphene_rect_t bounds;
  const char *id = NULL;

  *x = choose (self, width);
  *y = choose (self, height);
  if (diagram == NULL || choose (self, 4) == 0)
    return;
  if (choose (self, 2) == 0 && diagram->operations->len > 0)
    id = ((HeddleOperation *) diagram->operations->pdata[choose (self, diagram->operations->len)])->id;
  else if (diagram->values->len > 0)
    id = ((HeddleValue *) diagram->values->pdata[choose (self, diagram->values->len)])->id;
  if (id == NULL || heddle_canvas_get_scene (canvas) == NULL
      || !heddle_canvas_object_bounds (canvas, id, &bounds))
    return;
  heddle_canvas_to_widget (canvas,
      bounds.origin.x + g_rand_double_range (self->random, -.05, 1.05) * bounds.size.width,
      bounds.origin.y + g_rand_double_range (self->random, -.05, 1.05) * bounds.size.height, x, y);
  *x = CLAMP (*x, 0, width - 1);
  *y = CLAMP (*y, 0, height - 1);
}

static void
go_somewhere (Monkey *self)
{
  g_autoptr (GPtrArray) windows = list_windows (GTK_TYPE_WINDOW);
  GtkWidget *widget = GTK_WIDGET (heddle_window_get_canvas (self->window));
  double x, y;

  if (choose (self, 5) < 3)
    choose_on_canvas (self, &x, &y);
  else
    {
      widget = windows->pdata[choose (self, windows->len)];
      x = choose (self, gtk_widget_get_width (widget));
      y = choose (self, gtk_widget_get_height (widget));
    }
  if (gtk_widget_get_mapped (widget))
    robot_point (widget, x, y);
}

/* --- what --- */

static void
wait_a_little (Monkey *self)
{
  const gint64 end = g_get_monotonic_time () + (choose (self, 12) == 0 ? 40000 : 4000);

  do
    robot_step ();
  while (g_get_monotonic_time () < end);
}

static void
click (Monkey *self)
{
  static const guint buttons[] = { 1, 1, 1, 1, 1, 3, 2 };
  const guint button = buttons[choose (self, G_N_ELEMENTS (buttons))], n = 1 + (choose (self, 5) == 0);

  say (self, "click %u with %u", n, button);
  go_somewhere (self);
  for (guint i = 0; i < n; i++)
    {
      robot_button (button, TRUE);
      robot_button (button, FALSE);
    }
}

static void
drag (Monkey *self)
{
  static const guint held[] = { 0, 0, 0, GDK_KEY_Shift_L, GDK_KEY_Control_L, GDK_KEY_Alt_L, GDK_KEY_space };
  const guint key = held[choose (self, G_N_ELEMENTS (held))], n_steps = 2 + choose (self, 5);
  const gboolean escape = choose (self, 6) == 0;

  say (self, "drag in %u steps, held %u, escape %d", n_steps, key, escape);
  go_somewhere (self);
  if (key != 0)
    robot_hold (key, TRUE);
  robot_press ();
  for (guint i = 0; i < n_steps; i++)
    {
      wait_a_little (self);
      if (self->window != NULL)
        go_somewhere (self);
    }
  if (escape)
    {
      robot_strike (GDK_KEY_Escape, 0);
      wait_a_little (self);
    }
  robot_release ();
  if (key != 0)
    robot_hold (key, FALSE);
}

static void
turn_wheel (Monkey *self)
{
  static const guint held[] = { 0, 0, GDK_KEY_Control_L, GDK_KEY_Shift_L };
  const guint key = held[choose (self, G_N_ELEMENTS (held))], button = 4 + choose (self, 4),
              n = 1 + choose (self, 4);

  say (self, "wheel %u times %u", button, n);
  go_somewhere (self);
  if (key != 0)
    robot_hold (key, TRUE);
  for (guint i = 0; i < n; i++)
    {
      robot_button (button, TRUE);
      robot_button (button, FALSE);
    }
  if (key != 0)
    robot_hold (key, FALSE);
}

/* Any key that does something; most of the chords of the menus are among them. */
static void
strike_key (Monkey *self)
{
  static const guint keys[] = { GDK_KEY_Delete, GDK_KEY_BackSpace, GDK_KEY_Escape, GDK_KEY_Escape,
    GDK_KEY_Return, GDK_KEY_Return, GDK_KEY_Tab, GDK_KEY_Tab, GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_Up,
    GDK_KEY_Down, GDK_KEY_Home, GDK_KEY_End, GDK_KEY_Page_Up, GDK_KEY_Page_Down, GDK_KEY_space, GDK_KEY_F2,
    GDK_KEY_F9, GDK_KEY_F10, GDK_KEY_Menu, GDK_KEY_bracketleft, GDK_KEY_bracketright, GDK_KEY_comma,
    GDK_KEY_plus, GDK_KEY_minus, GDK_KEY_0, GDK_KEY_1 };
  const guint letter = choose (self, 26), which = choose (self, 2 * G_N_ELEMENTS (keys));
  const guint key = which < G_N_ELEMENTS (keys) ? keys[which] : GDK_KEY_a + letter;
  static const GdkModifierType chords[] = { 0, 0, 0, GDK_CONTROL_MASK, GDK_CONTROL_MASK, GDK_SHIFT_MASK,
    GDK_ALT_MASK, GDK_CONTROL_MASK | GDK_SHIFT_MASK };
  const GdkModifierType chord = chords[choose (self, G_N_ELEMENTS (chords))];

  say (self, "key %s, modifiers %u", gdk_keyval_name (key), chord);
  robot_strike (key, chord);
}

static void
write_words (Monkey *self)
{
  static const char *const words[] = { "softmax", "relu", "x", "64", "128", "4k", "0", "=", "[y,k]", "\n",
    "R[y] = max Q[y,k]\n", "Z[y,x] = A[y,x] + 1", "def", "O[y,k] = ", "exp", "2*p", "-1", "b : 16", "Q", "t1",
    "#", "(", "contract", "x/0", "9999999999999999999", "f16", " " };
  const char *word = words[choose (self, G_N_ELEMENTS (words))];

  say (self, "write “%s”", word);
  if (choose (self, 3) == 0)
    gtk_widget_grab_focus (GTK_WIDGET (heddle_window_get_equation_bar (self->window)));
  for (; *word != '\0'; word++)
    robot_strike (*word == '\n' ? GDK_KEY_Return : gdk_unicode_to_keyval (*word), 0);
}

static gboolean
is_left_alone (const char *name)
{
  /* The last three start what takes minutes or does not end with this process. */
  static const char *const names[] = { "new-window", "open-uri", "discard-drafts", "verify", "run", "audit" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (name, names[i]))
      return TRUE;
  return FALSE;
}

static void
activate (Monkey *self)
{
  GActionGroup *group = G_ACTION_GROUP (self->window);
  g_auto (GStrv) names = g_action_group_list_actions (group);
  const char *name = names[choose (self, g_strv_length (names))];
  const GVariantType *type = g_action_group_get_action_parameter_type (group, name);

  say (self, "action %s", name);
  if (is_left_alone (name) || type != NULL || !g_action_group_get_action_enabled (group, name))
    return;
  g_action_group_activate_action (group, name, NULL);
}

static void
go_through_history (Monkey *self)
{
  const guint n = 1 + choose (self, 6);

  say (self, "undo and redo %u times", n);
  for (guint i = 0; i < n && self->window != NULL; i++)
    {
      robot_strike (GDK_KEY_z, choose (self, 2) ? GDK_CONTROL_MASK : GDK_CONTROL_MASK | GDK_SHIFT_MASK);
      wait_a_little (self);
    }
}

static void
save (Monkey *self)
{
  say (self, "save");
  robot_strike (GDK_KEY_s, GDK_CONTROL_MASK);
}

static void
resize (Monkey *self)
{
  say (self, "resize");
  gtk_window_set_default_size (
      GTK_WINDOW (self->window), 360 + choose (self, 1500), 300 + choose (self, 800));
}

/* Another document beside it, and out of the way again what was saved. */
static void
open_another (Monkey *self)
{
  static const char *const names[]
      = { "softmax", "layer-norm", "residual-mlp", "multi-head-attention", "convolution", "self-attention" };
  g_autofree char *name = g_strconcat (names[choose (self, G_N_ELEMENTS (names))], ".ncd", NULL);
  g_autofree char *path = g_build_filename (heddle_data_directory (), "examples", name, NULL);

  say (self, "open %s", name);
  if (adw_tab_view_get_n_pages (ADW_TAB_VIEW (self->window->tab_view)) < 4)
    heddle_window_open_example (self->window, path);
  else
    g_action_group_activate_action (G_ACTION_GROUP (self->window), "close-tab", NULL);
}

static const struct
{
  guint weight;
  void (*act) (Monkey *self);
} acts[] = { { 30, click }, { 14, drag }, { 6, turn_wheel }, { 26, strike_key }, { 8, write_words },
  { 12, activate }, { 8, go_through_history }, { 2, save }, { 1, resize }, { 1, open_another } };

void
monkey_act (Monkey *self)
{
  guint total = 0, which = 0;

  come_back (self);
  for (guint i = 0; i < G_N_ELEMENTS (acts); i++)
    total += acts[i].weight;
  total = choose (self, total);
  while (total >= acts[which].weight)
    total -= acts[which++].weight;
  acts[which].act (self);
  wait_a_little (self);
}

const char *
monkey_get_last (Monkey *self)
{
  return self->last != NULL ? self->last : "nothing";
}

/* Ctrl+Shift+D opens it in every program: it is for those who write programs, and its faults are not ours. */
static void
forbid_inspector (void)
{
  g_autoptr (GSettings) settings = g_settings_new ("org.gtk.gtk4.Settings.Debug");

  g_settings_set_boolean (settings, "enable-inspector-keybinding", FALSE);
}

Monkey *
monkey_new (guint32 seed, const char *path)
{
  Monkey *self = g_new0 (Monkey, 1);

  forbid_inspector ();
  self->random = g_rand_new_with_seed (seed);
  self->path = g_strdup (path);
  self->answering = g_timeout_add (20, answer_questions, NULL);
  come_back (self);
  return self;
}

/* What was struck last may only open a window now, or a question that waits in a main loop of its own. */
static void
close_all (void)
{
  for (;;)
    {
      g_autoptr (GPtrArray) windows = NULL;

      while (g_main_context_pending (NULL))
        g_main_context_iteration (NULL, FALSE);
      windows = list_windows (HEDDLE_TYPE_WINDOW);
      if (windows->len == 0)
        return;
      g_ptr_array_set_free_func (windows, NULL);
      for (guint i = 0; i < windows->len; i++)
        {
          g_object_unref (windows->pdata[i]);
          robot_close (windows->pdata[i]);
        }
    }
}

void
monkey_free (Monkey *self)
{
  if (self->window != NULL)
    g_object_weak_unref (G_OBJECT (self->window), forget_window, self);
  close_all ();
  /* Work in other threads ends when it is next asked whether it is cancelled: on a busy machine that is not soon. Whoever runs this says
   * how long is too long. */
  while (witness_get_n_documents () > 0)
    robot_step ();
  g_source_remove (self->answering);
  g_rand_free (self->random);
  g_free (self->path);
  g_free (self->last);
  g_free (self);
}
