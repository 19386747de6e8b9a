/* SPDX-License-Identifier: MIT */

#include "robot.h"

#include <X11/XKBlib.h>
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/extensions/XTest.h>
#include <gdk/x11/gdkx.h>

#include "app/application/application.h"
#include "app/canvas/canvas.h"
#include "app/canvas/scene.h"
#include "app/canvas/view.h"
#include "app/widgets/settings.h"
#include "app/window/open.h"
#include "app/window/parts.h"
#include "app/window/window.h"
#include "derive/machine/find.h"
#include "figure/scene/scene.h"
#include "faults.h"

static HeddleApplication *application;
static Display *display;

static void
set_property (Window window, const char *name, Atom type, gulong value)
{
  XChangeProperty (display, window, XInternAtom (display, name, False), type, 32, PropModeReplace,
      (const unsigned char *) &value, 1);
}

/* There is a window manager as on any desktop, which lets every window stay where it is. Where there is none, GDK 4.8 moves windows itself
 * when their title is dragged, and goes on when they have been destroyed meanwhile. */
static void
stand_in_for_window_manager (void)
{
  Window self = XCreateSimpleWindow (display, DefaultRootWindow (display), -9, -9, 1, 1, 0, 0, 0);

  set_property (self, "_NET_SUPPORTING_WM_CHECK", XA_WINDOW, self);
  set_property (DefaultRootWindow (display), "_NET_SUPPORTING_WM_CHECK", XA_WINDOW, self);
  set_property (DefaultRootWindow (display), "_NET_SUPPORTED", XA_ATOM,
      XInternAtom (display, "_NET_WM_MOVERESIZE", False));
  XSync (display, False);
}

/* All of them, as somebody has them who knows the editor: test-room sees to what a fresh window shows. */
static void
open_panes (void)
{
  static const char *const wishes[]
      = { "inspector-visible", "derivation-open", "palette-while-deriving", "equations-while-deriving" };

  for (guint i = 0; i < G_N_ELEMENTS (wishes); i++)
    g_settings_set_boolean (heddle_settings_get (), wishes[i], TRUE);
}

void
robot_start (void)
{
  g_autoptr (GError) error = NULL;

  if (application != NULL)
    return;
  faults_watch (FALSE);
  application = heddle_application_new (G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, &error);
  g_assert_no_error (error);
  g_application_set_default (G_APPLICATION (application));
  open_panes ();
  display = XOpenDisplay (NULL);
  g_assert_nonnull (display);
  stand_in_for_window_manager ();
}

void
robot_step (void)
{
  if (!g_main_context_iteration (NULL, FALSE))
    g_usleep (1000);
}

static gboolean
count_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  guint *left = data;

  if (*left > 0)
    (*left)--;
  return *left > 0;
}

void
robot_settle (GtkWidget *widget)
{
  guint left = 2;

  XSync (display, False);
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
  gtk_widget_add_tick_callback (widget, count_frame, &left, NULL);
  robot_until (left == 0);
}

/* @file: NULL: none */
static HeddleWindow *
present_window (GFile *file)
{
  HeddleWindow *window = NULL;

  robot_start ();
  window = HEDDLE_WINDOW (heddle_window_new (GTK_APPLICATION (application)));
  gtk_window_set_default_size (GTK_WINDOW (window), 1600, 1000);
  g_assert_true (file == NULL || heddle_window_open_file (window, file));
  gtk_window_present (GTK_WINDOW (window));
  robot_until (gtk_widget_get_mapped (GTK_WIDGET (window)));
  return window;
}

static HeddleWindow *
open_window (GFile *file)
{
  HeddleWindow *window = present_window (file);

  robot_settle (GTK_WIDGET (window));
  return window;
}

HeddleWindow *
robot_present_path (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return present_window (file);
}

HeddleWindow *
robot_open_path (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return open_window (file);
}

HeddleWindow *
robot_open_nothing (void)
{
  return open_window (NULL);
}

HeddleWindow *
robot_open (const char *file)
{
  g_autofree char *path = g_build_filename (heddle_data_directory (), file, NULL);

  return robot_open_path (path);
}

void
robot_close (HeddleWindow *window)
{
  gpointer alive = window;

  g_object_add_weak_pointer (G_OBJECT (window), &alive);
  gtk_window_destroy (GTK_WINDOW (window));
  robot_until (alive == NULL); /* nothing holds on to a closed window */
}

static void
root_point (GtkWidget *widget, double x, double y, int *root_x, int *root_y)
{
  GtkNative *native = gtk_widget_get_native (widget);
  Window window = gdk_x11_surface_get_xid (gtk_native_get_surface (native));
  double native_x, native_y, shift_x, shift_y;
  Window child;

  g_assert_true (gtk_widget_translate_coordinates (widget, GTK_WIDGET (native), x, y, &native_x, &native_y));
  gtk_native_get_surface_transform (native, &shift_x, &shift_y);
  XTranslateCoordinates (display, window, DefaultRootWindow (display), round (native_x + shift_x),
      round (native_y + shift_y), root_x, root_y, &child);
}

void
robot_point (GtkWidget *widget, double x, double y)
{
  int root_x, root_y;

  root_point (widget, x, y, &root_x, &root_y);
  XTestFakeMotionEvent (display, -1, root_x, root_y, CurrentTime);
  XSync (display, False);
}

void
robot_move (GtkWidget *widget, double x, double y)
{
  robot_point (widget, x, y);
  robot_settle (widget);
}

void
robot_button (guint number, gboolean down)
{
  XTestFakeButtonEvent (display, number, down, CurrentTime);
  XSync (display, False);
}

void
robot_press (void)
{
  robot_button (1, TRUE);
}

void
robot_release (void)
{
  robot_button (1, FALSE);
}

/* Clicks of two tests must not add up to a double click. */
static void
forget_last_click (void)
{
  int time;

  g_object_get (gtk_settings_get_default (), "gtk-double-click-time", &time, NULL);
  g_usleep ((time + 50) * 1000);
}

void
robot_click (GtkWidget *widget, double x, double y)
{
  forget_last_click ();
  robot_move (widget, x, y);
  robot_press ();
  robot_release ();
  robot_settle (widget);
}

void
robot_click_middle (GtkWidget *widget)
{
  g_assert_nonnull (widget);
  robot_click (widget, gtk_widget_get_width (widget) / 2., gtk_widget_get_height (widget) / 2.);
}

void
robot_double_click (GtkWidget *widget, double x, double y)
{
  forget_last_click ();
  robot_move (widget, x, y);
  for (guint i = 0; i < 2; i++)
    {
      robot_press ();
      robot_release ();
    }
  robot_settle (widget);
}

void
robot_drag (GtkWidget *from, double from_x, double from_y, GtkWidget *to, double to_x, double to_y)
{
  const int n_steps = 12;
  int x0, y0, x1, y1;

  forget_last_click ();
  robot_move (from, from_x, from_y);
  root_point (from, from_x, from_y, &x0, &y0);
  root_point (to, to_x, to_y, &x1, &y1);
  robot_press ();
  robot_settle (from);
  for (int i = 1; i <= n_steps; i++)
    {
      XTestFakeMotionEvent (
          display, -1, x0 + (x1 - x0) * i / n_steps, y0 + (y1 - y0) * i / n_steps, CurrentTime);
      robot_settle (from);
    }
  robot_settle (to);
  robot_release ();
  robot_settle (to);
}

static void
key_event (guint keysym, gboolean down)
{
  KeyCode code = XKeysymToKeycode (display, keysym);

  g_assert_cmpint (code, !=, 0);
  XTestFakeKeyEvent (display, code, down, CurrentTime);
}

void
robot_hold (guint keysym, gboolean down)
{
  key_event (keysym, down);
  XSync (display, False);
}

void
robot_place (GtkWidget *window, int x, int y)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));

  XMoveWindow (display, gdk_x11_surface_get_xid (surface), x, y);
  XSync (display, False);
}

/* Whether the key gives this symbol only with Shift, as on the server's keyboard. */
static gboolean
needs_shift (guint keysym)
{
  KeyCode code = XKeysymToKeycode (display, keysym);

  return XkbKeycodeToKeysym (display, code, 0, 0) != keysym
         && XkbKeycodeToKeysym (display, code, 0, 1) == keysym;
}

void
robot_strike (guint keysym, GdkModifierType modifiers)
{
  const struct
  {
    guint keysym;
    gboolean held;
  } keys[] = {
    { GDK_KEY_Control_L, (modifiers & GDK_CONTROL_MASK) != 0 },
    { GDK_KEY_Alt_L, (modifiers & GDK_ALT_MASK) != 0 },
    { GDK_KEY_Shift_L, (modifiers & GDK_SHIFT_MASK) != 0 || needs_shift (keysym) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i].held)
      key_event (keys[i].keysym, True);
  key_event (keysym, True);
  key_event (keysym, False);
  for (guint i = G_N_ELEMENTS (keys); i-- > 0;)
    if (keys[i].held)
      key_event (keys[i].keysym, False);
  XSync (display, False);
}

void
robot_key (GtkWidget *widget, guint keysym, GdkModifierType modifiers)
{
  robot_strike (keysym, modifiers);
  robot_settle (widget);
}

void
robot_type (GtkWidget *widget, const char *text)
{
  for (; *text != '\0'; text++)
    robot_key (widget, gdk_unicode_to_keyval (*text), 0);
}

static gboolean
fits (GtkWidget *widget, GType type, const char *css_class, const char *tooltip)
{
  return g_type_is_a (G_OBJECT_TYPE (widget), type)
         && (css_class == NULL || gtk_widget_has_css_class (widget, css_class))
         && (tooltip == NULL || g_strcmp0 (gtk_widget_get_tooltip_text (widget), tooltip) == 0);
}

GtkWidget *
robot_find (GtkWidget *root, GType type, const char *css_class, const char *tooltip)
{
  if (fits (root, type, css_class, tooltip))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = robot_find (child, type, css_class, tooltip);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* A point of an item's path where the scene says that it is the topmost thing. */
static gboolean
find_on_path (HeddleScene *scene, const HeddleItem *item, double *x, double *y)
{
  for (guint i = 1; item->path != NULL && i < item->path->len; i++)
    {
      const HeddleSegment *from = &g_array_index (item->path, HeddleSegment, i - 1);
      const HeddleSegment *to = &g_array_index (item->path, HeddleSegment, i);

      const double from_x = from->kind == HEDDLE_SEGMENT_CURVE ? from->x3 : from->x1;
      const double from_y = from->kind == HEDDLE_SEGMENT_CURVE ? from->y3 : from->y1;

      if (to->kind != HEDDLE_SEGMENT_LINE)
        continue;
      for (double t = .5; t < 1; t += .07)
        {
          const HeddleItem *top = NULL;

          *x = from_x + t * (to->x1 - from_x);
          *y = from_y + t * (to->y1 - from_y);
          top = heddle_scene_pick (scene, *x, *y, 2);
          if (top != NULL && top->part == HEDDLE_PART_WIRE && top->axis == item->axis
              && top->value == item->value)
            return TRUE;
        }
    }
  return FALSE;
}

void
robot_wire_point (HeddleWindow *window, const char *value, const char *axis, double *x, double *y)
{
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  HeddleScene *scene = heddle_canvas_get_scene (canvas);
  double scene_x, scene_y;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);

      if (item->part == HEDDLE_PART_WIRE && item->value == value && item->axis == axis
          && find_on_path (scene, item, &scene_x, &scene_y))
        {
          heddle_canvas_to_widget (canvas, scene_x, scene_y, x, y);
          return;
        }
    }
  g_error ("no wire of %s and %s can be clicked", value, axis);
}

void
robot_label_point (HeddleWindow *window, const char *value, double *x, double *y)
{
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  HeddleScene *scene = heddle_canvas_get_scene (canvas);

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      double left, upper, width, height;

      if (item->part != HEDDLE_PART_VALUE_LABEL || item->value != value)
        continue;
      heddle_item_get_bounds (item, &left, &upper, &width, &height);
      heddle_canvas_to_widget (canvas, left + width / 2, upper + height / 2, x, y);
      return;
    }
  g_error ("%s has no name that can be clicked", value);
}

void
robot_operation_point (HeddleWindow *window, const char *operation, double *x, double *y)
{
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  HeddleScene *scene = heddle_canvas_get_scene (canvas);
  g_autoptr (GPtrArray) items = heddle_scene_get_object_items (scene, operation);

  for (guint i = 0; i < items->len; i++)
    {
      const HeddleItem *item = g_ptr_array_index (items, i), *top = NULL;
      double left, upper, width, height;

      heddle_item_get_bounds (item, &left, &upper, &width, &height);
      top = heddle_scene_pick (scene, left + width / 2, upper + height / 2, 2);
      if (top != NULL && top->object == operation)
        {
          heddle_canvas_to_widget (canvas, left + width / 2, upper + height / 2, x, y);
          return;
        }
    }
  g_error ("operation %s cannot be clicked", operation);
}
