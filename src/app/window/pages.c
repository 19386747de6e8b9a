/* SPDX-License-Identifier: MIT */

/* Tabs decide which page the panes show, and keep the others. */

#include <glib/gi18n.h>

#include "app/canvas/canvas.h"
#include "app/canvas/view.h"
#include "app/documents/draft.h"
#include "app/editor/editor.h"
#include "app/editor/target.h"
#include "app/edits/definitions.h"
#include "app/equations/equation-bar.h"
#include "app/widgets/tooltip.h"
#include "app/window/pages.h"
#include "app/window/private.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"

/* px of a tab beside its title: its button, its mark, and what is around them. */
#define AROUND_TITLE 84
/* Letters that are left of the longest title in the narrowest tab. */
#define LEAST_TITLE 6

HeddlePage *
heddle_window_get_page (HeddleWindow *self)
{
  return self->page;
}

static char *
text_of (HeddleWindow *self)
{
  GtkTextBuffer *buffer = heddle_equation_bar_get_buffer (HEDDLE_EQUATION_BAR (self->equation_bar));
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
}

/* Whatever does not match the diagram is work that no document holds. */
static void
keep_text (HeddleWindow *self)
{
  g_autofree char *text = NULL;

  if (self->page == NULL)
    return;
  if (!heddle_equation_bar_matches (HEDDLE_EQUATION_BAR (self->equation_bar)))
    text = text_of (self);
  heddle_page_set_text (self->page, text);
}

/* A long text is not copied at each stroke. */
static void
note_text (HeddleWindow *self)
{
  if (self->page == NULL)
    return;
  if (heddle_equation_bar_matches (HEDDLE_EQUATION_BAR (self->equation_bar)))
    heddle_page_set_text (self->page, NULL);
  else
    heddle_page_expect_text (self->page);
}

#define OLD_DRAWING_OPACITY 0.4

/* The drawing is older than a text that means nothing. */
static void
dim_old_drawing (HeddleWindow *self)
{
  const gboolean matches = heddle_equation_bar_matches (HEDDLE_EQUATION_BAR (self->equation_bar));

  gtk_widget_set_opacity (self->canvas, matches ? 1 : OLD_DRAWING_OPACITY);
}

static HeddleDraft *
draft_of (HeddlePage *page)
{
  return heddle_session_get_draft (heddle_page_get_session (page));
}

void
heddle_window_flush (HeddleWindow *self)
{
  heddle_equation_bar_flush (HEDDLE_EQUATION_BAR (self->equation_bar));
  keep_text (self);
}

static void
on_page_changed (HeddleWindow *self)
{
  heddle_window_update_title (self);
  g_signal_emit_by_name (self, "notices-changed");
}

static void
forget_page (HeddleWindow *self)
{
  HeddleCanvasView view;

  if (self->page == NULL)
    return;
  heddle_window_flush (self);
  heddle_canvas_get_view (HEDDLE_CANVAS (self->canvas), &view);
  heddle_page_set_view (self->page, &view);
  g_signal_handlers_disconnect_by_data (draft_of (self->page), self);
  g_signal_handlers_disconnect_by_data (self->page, self);
  g_clear_object (&self->page);
}

/* The equations follow the editor; then comes what was typed before the page was left. */
static void
show_page (HeddleWindow *self, HeddlePage *page)
{
  GtkTextBuffer *buffer = heddle_equation_bar_get_buffer (HEDDLE_EQUATION_BAR (self->equation_bar));
  g_autofree char *text = page != NULL ? g_strdup (heddle_page_get_text (page)) : NULL;
  HeddleCanvasView view;

  forget_page (self);
  heddle_window_set_editor (self, page != NULL ? heddle_page_get_editor (page) : NULL);
  self->page = page != NULL ? g_object_ref (page) : NULL;
  if (page != NULL)
    {
      g_signal_connect_object (page, "changed", G_CALLBACK (on_page_changed), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (
          draft_of (page), "text-wanted", G_CALLBACK (keep_text), self, G_CONNECT_SWAPPED);
      if (heddle_page_get_view (page, &view))
        heddle_canvas_set_view (HEDDLE_CANVAS (self->canvas), &view);
      if (text != NULL)
        gtk_text_buffer_set_text (buffer, text, -1);
    }
  on_page_changed (self);
}

static void
on_selected (HeddleWindow *self)
{
  AdwTabPage *tab = adw_tab_view_get_selected_page (ADW_TAB_VIEW (self->tab_view));
  HeddlePage *page = tab != NULL ? HEDDLE_PAGE (adw_tab_page_get_child (tab)) : NULL;

  if (page != self->page)
    show_page (self, page);
}

/* libadwaita lets titles fade that are too long for a tab, as if something were wrong with them: they end in an ellipsis. @title is taken. */
static char *
fit_title (HeddleWindow *self, char *title)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (self->tab_bar, title);
  const int n = MAX (adw_tab_view_get_n_pages (ADW_TAB_VIEW (self->tab_view)), 1);
  int window = gtk_widget_get_width (GTK_WIDGET (self)), height, width;
  glong left = g_utf8_strlen (title, -1);

  if (window == 0)
    gtk_window_get_default_size (GTK_WINDOW (self), &window, &height);
  for (pango_layout_get_pixel_size (layout, &width, NULL);
       left > LEAST_TITLE && width > window / n - AROUND_TITLE; left--)
    {
      g_autofree char *start = g_utf8_substring (title, 0, left - 1);
      g_autofree char *shorter = g_strconcat (g_strchomp (start), "…", NULL);

      pango_layout_set_text (layout, shorter, -1);
      pango_layout_get_pixel_size (layout, &width, NULL);
    }
  g_free (title);
  return g_strdup (pango_layout_get_text (layout));
}

static void
label_tab (HeddlePage *page, AdwTabPage *tab)
{
  GtkWidget *window = gtk_widget_get_ancestor (GTK_WIDGET (page), HEDDLE_TYPE_WINDOW);
  g_autofree char *full = heddle_page_dup_title (page);
  g_autofree char *title
      = window != NULL ? fit_title (HEDDLE_WINDOW (window), g_strdup (full)) : g_strdup (full);
  g_autoptr (GIcon) icon = g_themed_icon_new ("media-record-symbolic");
  const gboolean unsaved = heddle_session_is_unsaved (heddle_page_get_session (page));

  adw_tab_page_set_title (tab, title);
  adw_tab_page_set_tooltip (tab, full);
  adw_tab_page_set_indicator_icon (tab, unsaved ? icon : NULL);
  adw_tab_page_set_indicator_tooltip (tab, unsaved ? _ ("Not saved yet") : "");
}

/* There is more room for each, or less. */
static void
label_tabs (HeddleWindow *self)
{
  AdwTabView *view = ADW_TAB_VIEW (self->tab_view);

  for (int i = 0; view != NULL && i < adw_tab_view_get_n_pages (view); i++)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (view, i);

      label_tab (HEDDLE_PAGE (adw_tab_page_get_child (tab)), tab);
    }
}

static void
on_attached (AdwTabView *view, AdwTabPage *tab, int position, HeddleWindow *self)
{
  HeddlePage *page = HEDDLE_PAGE (adw_tab_page_get_child (tab));

  g_signal_connect_object (page, "changed", G_CALLBACK (label_tab), tab, 0);
  label_tabs (self);
}

/* A tab that goes to another window is shown there by that window. */
static void
on_detached (AdwTabView *view, AdwTabPage *tab, int position, HeddleWindow *self)
{
  HeddlePage *page = HEDDLE_PAGE (adw_tab_page_get_child (tab));

  g_signal_handlers_disconnect_by_data (page, tab);
  if (page == self->page)
    show_page (self, NULL);
  if (!gtk_widget_in_destruction (GTK_WIDGET (self)))
    label_tabs (self);
  if (!adw_tab_view_get_is_transferring_page (view))
    heddle_page_let_go (
        page); /* GTK 4.8 may hold a tab that goes under the pointer, with its page, for good */
  if (adw_tab_view_get_n_pages (view) == 0 && adw_tab_view_get_is_transferring_page (view))
    heddle_window_close_soon (self); /* libadwaita 1.2 goes on with the view, and does not hold it */
}

static void
find_tab_boxes (GtkWidget *widget, GPtrArray *boxes)
{
  if (g_str_equal (G_OBJECT_TYPE_NAME (widget), "AdwTabBox"))
    {
      g_ptr_array_add (boxes, widget);
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    find_tab_boxes (child, boxes);
}

static void
set_targets (GListModel *children, gboolean are_targets)
{
  for (guint i = 0; i < g_list_model_get_n_items (children); i++)
    {
      g_autoptr (GtkWidget) child = g_list_model_get_item (children, i);

      gtk_widget_set_can_target (child, are_targets);
    }
}

static void
on_gap (GListModel *children, guint position, guint n_removed, guint n_added, AdwTabView *view)
{
  if (n_added > 0 && adw_tab_view_get_is_transferring_page (view))
    set_targets (children, FALSE);
}

/* The pointer of a tab that is carried is over the bar, never over a tab or a gap in it. A gap goes while GTK 4.8 tells those that the pointer
 * left, which it finds by their parents afterwards, and crashes over what has none any more. */
static void
keep_pointer_off_gaps (HeddleWindow *self)
{
  g_autoptr (GPtrArray) boxes = g_ptr_array_new ();

  find_tab_boxes (self->tab_bar, boxes);
  self->tabs_in_bars = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < boxes->len; i++)
    {
      GListModel *children = gtk_widget_observe_children (g_ptr_array_index (boxes, i));

      g_ptr_array_add (self->tabs_in_bars, children);
      g_signal_connect_object (children, "items-changed", G_CALLBACK (on_gap), self->tab_view, 0);
    }
}

/* A tab that is carried leaves gaps in the bars. libadwaita 1.2 counts those that are only closing as tabs, and drops it behind the last one,
 * where it is in no window: while one is carried they close at once. */
static void
on_transferring (AdwTabView *view, GParamSpec *property, HeddleWindow *self)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (view));
  const gboolean carried = adw_tab_view_get_is_transferring_page (view);

  for (guint i = 0; i < self->tabs_in_bars->len; i++)
    set_targets (g_ptr_array_index (self->tabs_in_bars, i), !carried);
  if (carried)
    g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
  else
    gtk_settings_reset_property (settings, "gtk-enable-animations");
}

static AdwTabView *
on_create_window (AdwTabView *view, HeddleWindow *self)
{
  GtkWidget *window = heddle_window_make_another (self);

  gtk_window_present (GTK_WINDOW (window));
  return ADW_TAB_VIEW (HEDDLE_WINDOW (window)->tab_view);
}

void
heddle_window_add_session (HeddleWindow *self, HeddleSession *session)
{
  GtkWidget *page = heddle_page_new (session);
  const char *diagram = NULL, *text = NULL;
  AdwTabPage *tab = NULL;

  keep_text (self); /* it may be another page of what is shown */
  text = heddle_session_get_text (session, &diagram);
  if (text != NULL)
    {
      heddle_editor_show_diagram (heddle_page_get_editor (HEDDLE_PAGE (page)), diagram);
      heddle_page_set_text (HEDDLE_PAGE (page), text);
    }
  tab = adw_tab_view_append (ADW_TAB_VIEW (self->tab_view), page);
  adw_tab_view_set_selected_page (ADW_TAB_VIEW (self->tab_view), tab);
  on_selected (self);
}

void
heddle_window_open_definition_in_tab (HeddleWindow *self)
{
  const HeddleOperation *call = heddle_definitions_selected_call (self->editor);
  const HeddleDiagram *callee = call != NULL ? heddle_definitions_get_callee (self->editor, call) : NULL;
  HeddleEditor *editor = NULL;

  if (callee == NULL)
    return;
  heddle_window_add_session (self, heddle_page_get_session (self->page));
  editor = self->editor;
  callee = heddle_snapshot_get_diagram_by_id (heddle_editor_get_snapshot (editor), callee->id);
  if (callee != NULL)
    heddle_editor_open_diagram (editor, callee);
}

void
heddle_window_next_tab (HeddleWindow *self)
{
  adw_tab_view_select_next_page (ADW_TAB_VIEW (self->tab_view));
}

void
heddle_window_previous_tab (HeddleWindow *self)
{
  adw_tab_view_select_previous_page (ADW_TAB_VIEW (self->tab_view));
}

gboolean
heddle_window_show_file (HeddleWindow *self, GFile *file)
{
  AdwTabView *view = NULL;

  g_return_val_if_fail (HEDDLE_IS_WINDOW (self), FALSE);

  view = ADW_TAB_VIEW (self->tab_view);
  for (int i = 0; i < adw_tab_view_get_n_pages (view); i++)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (view, i);
      HeddlePage *page = HEDDLE_PAGE (adw_tab_page_get_child (tab));
      GFile *other = heddle_session_get_file (heddle_page_get_session (page));

      if (other == NULL || !g_file_equal (other, file))
        continue;
      adw_tab_view_set_selected_page (view, tab);
      return TRUE;
    }
  return FALSE;
}

void
heddle_window_reload_machines (HeddleWindow *self)
{
  AdwTabView *view = NULL;

  g_return_if_fail (HEDDLE_IS_WINDOW (self));

  view = ADW_TAB_VIEW (self->tab_view);
  for (int i = 0; i < adw_tab_view_get_n_pages (view); i++)
    heddle_editor_reload_machines (
        heddle_page_get_editor (HEDDLE_PAGE (adw_tab_page_get_child (adw_tab_view_get_nth_page (view, i)))));
}

/* --- what an answer is about --- */

static const char asked_page[] = "heddle-page";

void
heddle_window_ask_about_page (HeddleWindow *self, gpointer dialog)
{
  g_object_set_data_full (G_OBJECT (dialog), asked_page, g_object_ref (self->page), g_object_unref);
}

gboolean
heddle_window_return_to_page (HeddleWindow *self, gpointer dialog)
{
  HeddlePage *page = g_object_get_data (G_OBJECT (dialog), asked_page);
  AdwTabView *view = ADW_TAB_VIEW (self->tab_view);

  for (int i = 0; i < adw_tab_view_get_n_pages (view); i++)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (view, i);

      if (adw_tab_page_get_child (tab) != GTK_WIDGET (page))
        continue;
      adw_tab_view_set_selected_page (view, tab);
      return TRUE;
    }
  self->closing = self->close_after_save = FALSE;
  return FALSE;
}

void
heddle_window_go_on_closing (HeddleWindow *self)
{
  if (self->page != NULL)
    adw_tab_view_close_page (ADW_TAB_VIEW (self->tab_view),
        adw_tab_view_get_page (ADW_TAB_VIEW (self->tab_view), GTK_WIDGET (self->page)));
}

/* --- the window ---------------------------------------------------------------------------------------------- */

/* Where nothing tells of changes to files, coming back to the window is the time to look. */
static void
on_active (HeddleWindow *self)
{
  if (gtk_window_is_active (GTK_WINDOW (self)) && self->page != NULL)
    heddle_session_look (heddle_page_get_session (self->page));
}

/* Lets go of all pages when the window goes; it may be called more than once. */
static void
on_closing (HeddleWindow *self)
{
  AdwTabView *view = ADW_TAB_VIEW (self->tab_view);

  forget_page (self);
  if (view == NULL)
    return;
  g_signal_handlers_disconnect_by_data (view, self);
  for (int i = 0; i < adw_tab_view_get_n_pages (view); i++)
    heddle_page_let_go (HEDDLE_PAGE (adw_tab_page_get_child (adw_tab_view_get_nth_page (view, i))));
}

/* libadwaita 1.2 shows the document of a tab that something rests on which is dragged. When the tab is closed meanwhile, it goes by what is
 * freed: nothing rests on tabs. What is dropped on the bar are tabs, which are looked after apart from this. */
static void
let_nothing_rest (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = g_list_model_get_n_items (controllers); i-- > 0;)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_DROP_CONTROLLER_MOTION (controller))
        gtk_widget_remove_controller (widget, controller);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    let_nothing_rest (child);
}

void
heddle_window_pages_init (HeddleWindow *self)
{
  AdwTabView *view = ADW_TAB_VIEW (self->tab_view);

  let_nothing_rest (self->tab_bar);
  keep_pointer_off_gaps (self);

  /* The view itself is not seen: the window's own actions go from tab to tab. */
  adw_tab_view_set_shortcuts (view, ADW_TAB_VIEW_SHORTCUT_NONE);
  heddle_accessible_name_follow_tabs (ADW_TAB_BAR (self->tab_bar));
  g_signal_connect_object (view, "notify::selected-page", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::default-width", G_CALLBACK (label_tabs), NULL);
  g_signal_connect_object (view, "page-attached", G_CALLBACK (on_attached), self, 0);
  g_signal_connect_object (view, "page-detached", G_CALLBACK (on_detached), self, 0);
  g_signal_connect (view, "notify::is-transferring-page", G_CALLBACK (on_transferring), self);
  g_signal_connect_object (view, "create-window", G_CALLBACK (on_create_window), self, 0);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (on_active), NULL);
  g_signal_connect_object (heddle_equation_bar_get_buffer (HEDDLE_EQUATION_BAR (self->equation_bar)),
      "changed", G_CALLBACK (note_text), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->equation_bar, "read", G_CALLBACK (note_text), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->equation_bar, "read", G_CALLBACK (dim_old_drawing), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "closing", G_CALLBACK (on_closing), NULL);
}
