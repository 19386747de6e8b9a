/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/canvas/minimap.h"
#include "app/canvas/parts.h"
#include "app/canvas/view.h"
#include "app/derivation/pane.h"
#include "app/documents/page.h"
#include "app/documents/session.h"
#include "app/editor/preview.h"
#include "app/edits/definitions.h"
#include "app/panes/examples.h"
#include "app/panes/inspector.h"
#include "app/panes/outline.h"
#include "app/panes/palette.h"
#include "app/panes/quick-insert.h"
#include "app/panes/start-page.h"
#include "app/widgets/settings.h"
#include "app/widgets/tooltip.h"
#include "app/window/find-bar.h"
#include "app/window/menu.h"
#include "app/window/panes.h"
#include "app/window/private.h"
#include "app/window/window.h"
#include "app/widgets/lost-focus.h"
#include "diagram/document/document.h"

#define TITLE_CHARS 12 /* of a title at least: the buttons give way first */

G_DEFINE_FINAL_TYPE (HeddleWindow, heddle_window, ADW_TYPE_APPLICATION_WINDOW)

static void
on_message (HeddleEditor *editor, const char *text, HeddleWindow *self)
{
  g_signal_emit_by_name (self, "message", text);
}

/* Emits "state-changed". */
static void
emit_state_changed (HeddleWindow *self)
{
  g_signal_emit_by_name (self, "state-changed");
}

static char *
folder_of (GFile *file)
{
  g_autoptr (GFile) parent = g_file_get_parent (file);
  g_autofree char *path = parent != NULL ? g_file_get_path (parent) : NULL;
  const char *home = g_get_home_dir ();

  if (path != NULL && g_str_has_prefix (path, home))
    return g_strconcat ("~", path + strlen (home), NULL);
  return g_steal_pointer (&path);
}

/* Of a long title some letters stay whatever else there is; a short one takes no more than it is long, so that the dot stands beside it. */
static void
keep_room (GtkLabel *label, const char *title)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (label), title);
  const gboolean is_short = g_utf8_strlen (title, -1) <= TITLE_CHARS;
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  gtk_label_set_width_chars (label, is_short ? -1 : TITLE_CHARS);
  gtk_widget_set_size_request (GTK_WIDGET (label), is_short ? width + 1 : -1, -1);
}

void
heddle_window_update_title (HeddleWindow *self)
{
  HeddlePage *page = self->page;
  g_autofree char *title = page != NULL ? heddle_page_dup_title (page) : g_strdup (_ ("Heddle"));
  GFile *file = self->editor != NULL ? heddle_editor_get_file (self->editor) : NULL;
  g_autofree char *folder = file != NULL ? folder_of (file) : NULL;

  gtk_label_set_text (GTK_LABEL (self->title), title);
  keep_room (GTK_LABEL (self->title), title);
  gtk_label_set_text (GTK_LABEL (self->subtitle), folder != NULL ? folder : "");
  gtk_widget_set_visible (self->subtitle, folder != NULL);
  gtk_widget_set_visible (
      self->unsaved_dot, page != NULL && heddle_session_is_unsaved (heddle_page_get_session (page)));
  gtk_window_set_title (GTK_WINDOW (self), title);
}

static void
on_history_changed (HeddleWindow *self)
{
  heddle_window_update_title (self);
  emit_state_changed (self);
}

static void
forget_editor (HeddleWindow *self)
{
  if (self->editor == NULL)
    return;
  g_signal_handlers_disconnect_by_data (heddle_editor_get_document (self->editor), self);
  g_signal_handlers_disconnect_by_data (self->editor, self);
  g_clear_object (&self->editor);
}

static void
fold_equations (GdkFrameClock *clock, HeddleWindow *self)
{
  g_signal_handlers_disconnect_by_func (clock, fold_equations, self);
  if (self->editor != NULL && heddle_editor_get_preview_schedule (self->editor) != NULL)
    heddle_equation_bar_set_collapsed (HEDDLE_EQUATION_BAR (self->equation_bar), TRUE);
}

/* While a schedule is tried the diagram and its table need the room. All of the window is placed anew then: what is tried is shown first, and
 * the room is made in the frame after. */
static void
on_preview_changed (HeddleWindow *self)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (self));

  if (heddle_editor_get_preview_schedule (self->editor) == NULL || clock == NULL)
    return;
  g_signal_handlers_disconnect_by_func (clock, fold_equations, self);
  g_signal_connect_object (clock, "after-paint", G_CALLBACK (fold_equations), self, 0);
}

static void
watch_editor (HeddleWindow *self)
{
  static const char *const signals[] = { "notify::can-undo", "notify::can-redo", "notify::undo-name",
    "notify::redo-name", "notify::modified" };
  HeddleDocument *document = heddle_editor_get_document (self->editor);

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_object (document, signals[i], G_CALLBACK (on_history_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->editor, "message", G_CALLBACK (on_message), self, 0);
  g_signal_connect_object (
      self->editor, "preview-changed", G_CALLBACK (on_preview_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (
      self->editor, "selection-changed", G_CALLBACK (emit_state_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->editor, "changed", G_CALLBACK (emit_state_changed), self, G_CONNECT_SWAPPED);
}

void
heddle_window_set_editor (HeddleWindow *self, HeddleEditor *editor)
{
  forget_editor (self);
  gtk_popover_popdown (GTK_POPOVER (self->quick_insert));
  g_set_object (&self->editor, editor);
  if (editor != NULL)
    watch_editor (self);
  heddle_canvas_set_editor (HEDDLE_CANVAS (self->canvas), editor);
  heddle_find_bar_set_editor (HEDDLE_FIND_BAR (self->find_bar), editor, HEDDLE_CANVAS (self->canvas));
  heddle_palette_set_editor (HEDDLE_PALETTE (self->palette), editor);
  heddle_outline_set_editor (HEDDLE_OUTLINE (self->outline), editor);
  heddle_inspector_set_editor (HEDDLE_INSPECTOR (self->inspector), editor);
  heddle_equation_bar_set_editor (HEDDLE_EQUATION_BAR (self->equation_bar), editor);
  gtk_scrolled_window_set_child (
      GTK_SCROLLED_WINDOW (self->drawer), editor != NULL ? heddle_derivation_pane_new (self->editor) : NULL);
  if (editor != NULL)
    heddle_window_place_panes (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), editor != NULL ? "editor" : "start");
  if (editor != NULL)
    gtk_widget_grab_focus (self->canvas);
  on_history_changed (self);
}

gboolean
heddle_window_is_empty (HeddleWindow *self)
{
  g_return_val_if_fail (HEDDLE_IS_WINDOW (self), FALSE);
  return self->editor == NULL;
}

HeddleEditor *
heddle_window_get_editor (HeddleWindow *self)
{
  g_return_val_if_fail (HEDDLE_IS_WINDOW (self), NULL);
  return self->editor;
}

HeddleCanvas *
heddle_window_get_canvas (HeddleWindow *self)
{
  g_return_val_if_fail (HEDDLE_IS_WINDOW (self), NULL);
  return HEDDLE_CANVAS (self->canvas);
}

HeddleEquationBar *
heddle_window_get_equation_bar (HeddleWindow *self)
{
  g_return_val_if_fail (HEDDLE_IS_WINDOW (self), NULL);
  return HEDDLE_EQUATION_BAR (self->equation_bar);
}

static void
on_example_chosen (HeddleStartPage *page, const char *path, HeddleWindow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.open-example", "s", path);
}

static void
on_reveal (HeddleOutline *outline, const char *id, HeddleWindow *self)
{
  heddle_canvas_reveal (HEDDLE_CANVAS (self->canvas), g_intern_string (id));
}

/* The hint never lies over the drawing, nor beside what an empty canvas says. */
void
heddle_window_update_hint (HeddleWindow *self)
{
  gboolean crowded;

  g_object_get (self->canvas, "crowded", &crowded, NULL);
  gtk_widget_set_visible (self->hint, !crowded && !gtk_widget_get_visible (self->empty_state));
}

static gboolean
show_zoom (gpointer data)
{
  HeddleWindow *self = data;
  g_autofree char *text = heddle_describe_isolated (
      g_strdup_printf (_ ("%.0f %%"), 100 * heddle_canvas_get_zoom (HEDDLE_CANVAS (self->canvas))));

  self->zoom_refresh = 0;
  gtk_button_set_label (GTK_BUTTON (self->zoom_button), text);
  heddle_window_update_hint (self);
  return G_SOURCE_REMOVE;
}

/* The canvas fits its drawing while it is being allocated, when no label may change. */
static void
on_zoom_changed (HeddleWindow *self)
{
  if (self->zoom_refresh == 0)
    self->zoom_refresh = g_idle_add (show_zoom, self);
}

static void
heddle_window_dispose (GObject *object)
{
  HeddleWindow *self = HEDDLE_WINDOW (object);

  /* What follows a widget's property is an action that holds the widget, and GTK 4.8 leaves the widgets below one that goes tied to the
   * window's actions: it all would hold itself. */
  gtk_widget_insert_action_group (GTK_WIDGET (self), "win", NULL);
  heddle_window_unbind_panes (self);
  g_clear_object (&self->tour);
  g_signal_emit_by_name (self, "closing");
  /* GTK holds on to what was focused or pointed at last; the document goes all the same. */
  if (self->canvas != NULL)
    heddle_window_set_editor (self, NULL);
  g_clear_handle_id (&self->zoom_refresh, g_source_remove);
  g_clear_object (&self->chooser);
  g_clear_object (&self->history_menu);
  g_clear_pointer (&self->left_drafts, g_ptr_array_unref);
  g_clear_pointer (&self->saved_first, g_hash_table_unref);
  g_clear_pointer (&self->exports, g_ptr_array_unref);
  g_clear_pointer (&self->tabs_in_bars, g_ptr_array_unref);
  gtk_widget_dispose_template (GTK_WIDGET (self), HEDDLE_TYPE_WINDOW);
  G_OBJECT_CLASS (heddle_window_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *class)
{
  gtk_widget_class_bind_template_child (class, HeddleWindow, toasts);
  gtk_widget_class_bind_template_child (class, HeddleWindow, unsaved_dot);
  gtk_widget_class_bind_template_child (class, HeddleWindow, title);
  gtk_widget_class_bind_template_child (class, HeddleWindow, subtitle);
  gtk_widget_class_bind_template_child (class, HeddleWindow, back_button);
  gtk_widget_class_bind_template_child (class, HeddleWindow, breadcrumbs);
  gtk_widget_class_bind_template_child (class, HeddleWindow, undo_button);
  gtk_widget_class_bind_template_child (class, HeddleWindow, redo_button);
  gtk_widget_class_bind_template_child (class, HeddleWindow, menu_button);
  gtk_widget_class_bind_template_child (class, HeddleWindow, view_button);
  gtk_widget_class_bind_template_child (class, HeddleWindow, notices);
  gtk_widget_class_bind_template_child (class, HeddleWindow, tab_bar);
  gtk_widget_class_bind_template_child (class, HeddleWindow, tab_view);
  gtk_widget_class_bind_template_child (class, HeddleWindow, pages);
  gtk_widget_class_bind_template_child (class, HeddleWindow, start_page);
  gtk_widget_class_bind_template_child (class, HeddleWindow, paned);
  gtk_widget_class_bind_template_child (class, HeddleWindow, equation_paned);
  gtk_widget_class_bind_template_child (class, HeddleWindow, inspector_flap);
  gtk_widget_class_bind_template_child (class, HeddleWindow, palette_flap);
  gtk_widget_class_bind_template_child (class, HeddleWindow, inspector);
  gtk_widget_class_bind_template_child (class, HeddleWindow, palette);
  gtk_widget_class_bind_template_child (class, HeddleWindow, outline);
  gtk_widget_class_bind_template_child (class, HeddleWindow, sidebar_switcher);
  gtk_widget_class_bind_template_child (class, HeddleWindow, sidebar_stack);
  gtk_widget_class_bind_template_child (class, HeddleWindow, canvas);
  gtk_widget_class_bind_template_child (class, HeddleWindow, minimap);
  gtk_widget_class_bind_template_child (class, HeddleWindow, hint);
  gtk_widget_class_bind_template_child (class, HeddleWindow, empty_state);
  gtk_widget_class_bind_template_child (class, HeddleWindow, find_bar);
  gtk_widget_class_bind_template_child (class, HeddleWindow, zoom_button);
  gtk_widget_class_bind_template_child (class, HeddleWindow, equation_bar);
  gtk_widget_class_bind_template_child (class, HeddleWindow, drawer);
  gtk_widget_class_bind_template_child (class, HeddleWindow, examples_menu);
  gtk_widget_class_bind_template_child (class, HeddleWindow, recent_menu);
}

static void
heddle_window_class_init (HeddleWindowClass *class)
{
  static const char *const signals[] = { "state-changed", "notices-changed", "closing" };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = heddle_window_dispose;
  g_type_ensure (HEDDLE_TYPE_CANVAS);
  g_type_ensure (HEDDLE_TYPE_EQUATION_BAR);
  g_type_ensure (HEDDLE_TYPE_FIND_BAR);
  g_type_ensure (HEDDLE_TYPE_INSPECTOR);
  g_type_ensure (HEDDLE_TYPE_MINIMAP);
  g_type_ensure (HEDDLE_TYPE_OUTLINE);
  g_type_ensure (HEDDLE_TYPE_PALETTE);
  g_type_ensure (HEDDLE_TYPE_START_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/heddle/Heddle/window.ui");
  bind_children (widget_class);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_new (signals[i], HEDDLE_TYPE_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new (
      "message", HEDDLE_TYPE_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  heddle_lost_focus_guard (GTK_WINDOW_CLASS (class));
}

static void
restore_size (HeddleWindow *self)
{
  GSettings *settings = heddle_settings_get ();

  if (settings == NULL)
    return;
  g_settings_bind (settings, "window-width", self, "default-width", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "window-height", self, "default-height", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "window-maximized", self, "maximized", G_SETTINGS_BIND_DEFAULT);
  heddle_window_bind_panes (self, settings);
  g_settings_bind (settings, "minimap-visible", self->minimap, "wanted", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "drawer-visible", self->drawer, "visible", G_SETTINGS_BIND_DEFAULT);
}

/* A menu for each group: 69 in one would not fit on a screen. */
static void
fill_examples_menu (HeddleWindow *self)
{
  g_autoptr (GPtrArray) paths = heddle_examples_list ();
  g_autoptr (GMenu) group = NULL;
  const char *name = NULL;

  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = g_ptr_array_index (paths, i);
      g_autofree char *title = heddle_example_title (path);
      g_autoptr (GMenuItem) item = g_menu_item_new (title, NULL);

      if (g_strcmp0 (name, heddle_example_group (path)) != 0)
        {
          name = heddle_example_group (path);
          g_clear_object (&group);
          group = g_menu_new ();
          g_menu_append_submenu (self->examples_menu, name, G_MENU_MODEL (group));
        }
      g_menu_item_set_action_and_target (item, "win.open-example", "s", path);
      g_menu_append_item (group, item);
    }
}

static void
heddle_window_init (HeddleWindow *self)
{
  g_autoptr (GMenuModel) menu = NULL;
  g_autoptr (GMenuModel) view = heddle_window_new_view_menu ();

  gtk_widget_init_template (GTK_WIDGET (self));
  heddle_canvas_add_parts (HEDDLE_CANVAS (self->canvas));
  menu = heddle_window_new_menu (self);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->menu_button), menu);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->view_button), view);
  self->quick_insert = heddle_quick_insert_new ();
  gtk_widget_set_parent (self->quick_insert, self->canvas);
  heddle_minimap_set_canvas (HEDDLE_MINIMAP (self->minimap), HEDDLE_CANVAS (self->canvas));
  g_signal_connect (self->start_page, "example-chosen", G_CALLBACK (on_example_chosen), self);
  g_signal_connect (self->outline, "reveal", G_CALLBACK (on_reveal), self);
  g_signal_connect_swapped (self->canvas, "notify::zoom", G_CALLBACK (on_zoom_changed), self);
  g_signal_connect_swapped (self->canvas, "notify::crowded", G_CALLBACK (on_zoom_changed), self);
}

void
heddle_window_begin (HeddleWindow *self)
{
  restore_size (self);
  heddle_window_watch_text_scale (self);
  fill_examples_menu (self);
  heddle_tooltip_complete (GTK_WIDGET (self));
  on_history_changed (self);
}

void
heddle_window_set_maker (HeddleWindow *self, HeddleWindowMaker make)
{
  self->make_another = make;
}

GtkWidget *
heddle_window_make_another (HeddleWindow *self)
{
  return self->make_another (gtk_window_get_application (GTK_WINDOW (self)));
}

static gboolean
close_window (gpointer data)
{
  gtk_window_close (GTK_WINDOW (data));
  return G_SOURCE_REMOVE;
}

void
heddle_window_close_soon (HeddleWindow *self)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, close_window, g_object_ref (self), g_object_unref);
}
