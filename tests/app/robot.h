/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/window/window.h"

/* A person at the editor: a real window on a real X server, driven by the pointer and the keyboard through XTest. */

/* Starts the application once for the process. */
void robot_start (void);
/* A window with a file of the data directory open ("examples/attention.ncd"), drawn and on top. */
HeddleWindow *robot_open (const char *file);
HeddleWindow *robot_open_path (const char *path);
/* The same, but only on its way to the screen: nothing of it may be drawn yet. */
HeddleWindow *robot_present_path (const char *path);
/* The start page. */
HeddleWindow *robot_open_nothing (void);
/* Destroys it, unsaved or not. */
void robot_close (HeddleWindow *window);

/* Runs the main loop until @condition holds; a condition that does not come true in time fails the test. */
#define robot_until(condition)                                                                               \
  G_STMT_START                                                                                               \
  {                                                                                                          \
    gint64 robot_end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;                                        \
    while (!(condition))                                                                                     \
      {                                                                                                      \
        if (g_get_monotonic_time () > robot_end)                                                             \
          g_error ("%s:%d: did not come true: %s", __FILE__, __LINE__, #condition);                          \
        robot_step ();                                                                                       \
      }                                                                                                      \
  }                                                                                                          \
  G_STMT_END
void robot_step (void);
/* Lets pending events and the next frame of @widget happen. */
void robot_settle (GtkWidget *widget);

/* Coordinates are the widget's own. */
void robot_move (GtkWidget *widget, double x, double y);
/* The same at once, without waiting for what comes of it. */
void robot_point (GtkWidget *widget, double x, double y);
void robot_press (void);
void robot_release (void);
/* Any button of the pointer; 4 and 5 are the wheel. */
void robot_button (guint number, gboolean down);
void robot_click (GtkWidget *widget, double x, double y);
/* Where it is, in its middle. */
void robot_click_middle (GtkWidget *widget);
void robot_double_click (GtkWidget *widget, double x, double y);
/* Presses at one place, moves there in steps, and lets go. */
void robot_drag (GtkWidget *from, double from_x, double from_y, GtkWidget *to, double to_x, double to_y);
/* @keysym as in gdk/gdkkeysyms.h; with Control, Alt and Shift held as asked. The second does not wait for what comes of it. */
void robot_key (GtkWidget *widget, guint keysym, GdkModifierType modifiers);
void robot_strike (guint keysym, GdkModifierType modifiers);
/* Holds a key down, or lets it go. */
void robot_hold (guint keysym, gboolean down);
/* Puts a window there on the screen. */
void robot_place (GtkWidget *window, int x, int y);
/* Types ASCII text. */
void robot_type (GtkWidget *widget, const char *text);

/* The first widget below @root of a type, with a CSS class (NULL: any) and an accessible tooltip (NULL: any). */
GtkWidget *robot_find (GtkWidget *root, GType type, const char *css_class, const char *tooltip);

/* A point on the canvas that is on the wire of @value and @axis; on the name of an array; on the operation's own ink or box. */
void robot_wire_point (HeddleWindow *window, const char *value, const char *axis, double *x, double *y);
void robot_label_point (HeddleWindow *window, const char *value, double *x, double *y);
void robot_operation_point (HeddleWindow *window, const char *operation, double *x, double *y);
