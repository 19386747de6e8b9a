/* SPDX-License-Identifier: MIT */

#include "desk.h"

#include <glib/gstdio.h>

#include "app/documents/page.h"
#include "app/documents/session.h"
#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/window/pages.h"
#include "app/window/private.h"
#include "app/window/window.h"
#include "derive/machine/find.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/presentation.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/base/save.h"
#include "files/equations/write.h"
#include "files/exchange/load.h"

HeddleSession *
desk_session_of (HeddleWindow *window)
{
  return heddle_page_get_session (heddle_window_get_page (window));
}

HeddleDocument *
desk_document_of (HeddleWindow *window)
{
  return heddle_session_get_document (desk_session_of (window));
}

GtkWidget *
desk_canvas_of (HeddleWindow *window)
{
  return GTK_WIDGET (heddle_window_get_canvas (window));
}

HeddleEditor *
desk_editor_of (HeddleWindow *window)
{
  return heddle_window_get_editor (window);
}

HeddleDiagram *
desk_diagram_of (HeddleWindow *window)
{
  return heddle_editor_get_diagram (desk_editor_of (window));
}

char *
desk_equations_of (HeddleWindow *window)
{
  return g_strchomp (heddle_equations_write (desk_diagram_of (window)));
}

const char *
desk_undo_name (HeddleWindow *window)
{
  return heddle_document_get_undo_name (heddle_editor_get_document (desk_editor_of (window)));
}

const char *
desk_axis_id (HeddleWindow *window, const char *name)
{
  const HeddleAxis *axis = heddle_diagram_find_axis (desk_diagram_of (window), name);

  g_assert_nonnull (axis);
  return axis->id;
}

const char *
desk_value_id (HeddleWindow *window, const char *name)
{
  const HeddleValue *value = heddle_diagram_find_value (desk_diagram_of (window), name);

  g_assert_nonnull (value);
  return value->id;
}

const char *
desk_producer_id (HeddleWindow *window, const char *value)
{
  return heddle_diagram_get_producer (desk_diagram_of (window), desk_value_id (window, value))->id;
}

const char *
desk_result_of_selected (HeddleWindow *window)
{
  const char *selected = heddle_editor_get_selected (desk_editor_of (window));

  return heddle_diagram_get_operation (desk_diagram_of (window), selected)->result;
}

void
desk_get_nudge (HeddleWindow *window, const char *id, double *dx, double *dy)
{
  HeddlePresentation *presentation = heddle_snapshot_find_presentation (
      heddle_editor_get_snapshot (desk_editor_of (window)), desk_diagram_of (window));

  *dx = *dy = 0;
  if (presentation != NULL)
    heddle_presentation_get_nudge (presentation, id, dx, dy);
}

gboolean
desk_has_operation (HeddleWindow *window, const char *kind)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (heddle_window_get_editor (window));

  for (guint i = 0; i < diagram->operations->len; i++)
    if (g_str_equal (((HeddleOperation *) g_ptr_array_index (diagram->operations, i))->kind->id, kind))
      return TRUE;
  return FALSE;
}

char *
desk_temporary (const char *name)
{
  g_autofree char *folder = g_dir_make_tmp ("heddle-documents-XXXXXX", NULL);

  return g_build_filename (folder, name, NULL);
}

void
desk_copy_example (const char *name, const char *path)
{
  g_autofree char *source = g_build_filename (heddle_data_directory (), "examples", name, NULL);
  g_autofree char *data = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (source, &data, &length, NULL));
  g_assert_true (heddle_file_save (path, data, length, NULL));
}

HeddleSnapshot *
desk_load (const char *path)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);

  return heddle_file_load (path, problems, NULL);
}

void
desk_remove_with_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

GtkWidget *
desk_find_button (GtkWidget *root, const char *label)
{
  const char *own = GTK_IS_BUTTON (root) ? gtk_button_get_label (GTK_BUTTON (root)) : NULL;

  if (g_strcmp0 (own, label) == 0 && gtk_widget_get_mapped (root))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = desk_find_button (child, label);

      if (found != NULL)
        return found;
    }
  return NULL;
}

void
desk_answer (HeddleWindow *window, const char *words)
{
  const guint n = desk_diagram_of (window)->values->len;
  GtkWidget *canvas = desk_canvas_of (window);

  robot_until (gtk_widget_get_mapped (window->quick_insert));
  robot_type (canvas, words);
  robot_key (canvas, GDK_KEY_Return, 0);
  robot_until (desk_diagram_of (window)->values->len > n);
  robot_until (!gtk_widget_get_mapped (window->quick_insert));
  robot_settle (canvas);
}

void
desk_ask_for (HeddleWindow *window, const char *words)
{
  robot_key (desk_canvas_of (window), GDK_KEY_slash, 0);
  desk_answer (window, words);
}

void
desk_name_result (HeddleWindow *window, const char *name)
{
  GtkWidget *canvas = desk_canvas_of (window);

  robot_key (canvas, GDK_KEY_F2, 0);
  robot_until (robot_find (canvas, GTK_TYPE_ENTRY, "label-entry", NULL) != NULL);
  robot_type (canvas, name);
  robot_key (canvas, GDK_KEY_Return, 0);
  robot_until (heddle_diagram_find_value (desk_diagram_of (window), name) != NULL);
  robot_settle (canvas);
}

/* By the wheel if a person does it. */
GtkWidget *
desk_show_tile (HeddleWindow *window, const char *title)
{
  GtkWidget *tile = robot_find (GTK_WIDGET (window), GTK_TYPE_BUTTON, "palette-tile", title);
  GtkWidget *scrolled = gtk_widget_get_ancestor (tile, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *across = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  double x, y;

  gtk_widget_translate_coordinates (tile, scrolled, 0, 0, &x, &y);
  if (y + gtk_widget_get_height (tile) > gtk_widget_get_height (scrolled) || y < 0)
    gtk_adjustment_set_value (across, gtk_adjustment_get_value (across) + y);
  robot_settle (scrolled);
  robot_settle (desk_canvas_of (window));
  return tile;
}

/* In the window or in a dialog of it. */
GtkWidget *
desk_find_anywhere (const char *label)
{
  for (guint i = 0; i < g_list_model_get_n_items (gtk_window_get_toplevels ()); i++)
    {
      g_autoptr (GtkWidget) top = g_list_model_get_item (gtk_window_get_toplevels (), i);
      GtkWidget *found = desk_find_button (top, label);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static GtkWidget *
click (const char *label)
{
  GtkWidget *button = NULL;

  robot_until ((button = desk_find_anywhere (label)) != NULL);
  g_object_ref (button);
  robot_settle (button);
  robot_move (button, gtk_widget_get_width (button) / 2., gtk_widget_get_height (button) / 2.);
  robot_press ();
  robot_release ();
  return button;
}

void
desk_click_button (const char *label)
{
  g_object_unref (click (label));
}

/* What it says is done when it is pressed: it goes with what it answers. */
void
desk_press_button (const char *label)
{
  g_autoptr (GtkWidget) button = click (label);

  robot_until (!gtk_widget_get_mapped (button));
}

/* A change as a person makes one: an operation is clicked and deleted. */
void
desk_delete_softmax (HeddleWindow *window)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (heddle_window_get_editor (window));
  const HeddleValue *value = heddle_diagram_find_value (diagram, "P");
  double x, y;

  robot_operation_point (window, heddle_diagram_get_producer (diagram, value->id)->id, &x, &y);
  robot_click (desk_canvas_of (window), x, y);
  robot_key (desk_canvas_of (window), GDK_KEY_Delete, 0);
  g_assert_false (desk_has_operation (window, "softmax"));
}

HeddleWindow *
desk_open_copy (char **path)
{
  *path = desk_temporary ("attention.ncd");
  desk_copy_example ("attention.ncd", *path);
  return robot_open_path (*path);
}
