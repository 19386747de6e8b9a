/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/editor/selection.h"
#include "app/panes/inspector-axis.h"
#include "app/panes/inspector-figure.h"
#include "app/panes/inspector-pages.h"
#include "app/panes/inspector-renew.h"
#include "app/panes/inspector-rows.h"
#include "app/panes/inspector.h"
#include "diagram/graph/diagram.h"

struct _HeddleInspector
{
  GtkBox parent_instance;
  HeddleEditor *editor;
  GtkWidget *scrolled, *page;
  const char *shown; /* the id that the page is of; NULL: none */
  guint refresh; /* idle source */
  gboolean anew; /* it is for more than what follows from the derivation */
  char *key; /* of the page, if it is the diagram's: all that it says; else NULL */
};

G_DEFINE_FINAL_TYPE (HeddleInspector, heddle_inspector, GTK_TYPE_BOX)

static void
show_several (GtkWidget *box, guint n)
{
  g_autofree char *title = g_strdup_printf (ngettext ("%u Thing Selected", "%u Things Selected", n), n);

  heddle_inspector_add_heading (box, NULL, title, _ ("They move and are deleted together"));
}

/* Who is at a line of the page finds it in the next one. */
static gboolean
has_focus (HeddleInspector *self)
{
  g_autoptr (GArray) focus = self->page != NULL ? heddle_inspector_find_focus (self->page) : NULL;

  return focus != NULL;
}

static void
show (HeddleInspector *self, GtkWidget *box)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  const char *id = heddle_editor_get_selected (self->editor);
  guint n = heddle_editor_get_selection (self->editor)->len;

  if (diagram == NULL)
    return;
  if (n > 1)
    show_several (box, n);
  else if (id == NULL)
    heddle_inspector_show_diagram (box, self->editor, diagram, has_focus (self));
  else if (heddle_diagram_get_axis (diagram, id) != NULL)
    heddle_inspector_show_axis (box, self->editor, heddle_diagram_get_axis (diagram, id));
  else if (heddle_diagram_get_operation (diagram, id) != NULL)
    heddle_inspector_show_operation (box, self->editor, heddle_diagram_get_operation (diagram, id));
  else if (heddle_diagram_get_value (diagram, id) != NULL)
    heddle_inspector_show_value (box, self->editor, heddle_diagram_get_value (diagram, id));
  else
    heddle_inspector_show_ornament (box, self->editor, id);
}

static GtkWidget *
new_page (HeddleInspector *self)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  g_object_set (page, "margin-top", 12, "margin-bottom", 12, "margin-start", 12, "margin-end", 12, NULL);
  if (self->editor != NULL)
    show (self, page);
  return g_object_ref_sink (page);
}

static const char *
selected_id (HeddleInspector *self)
{
  return self->editor != NULL ? heddle_editor_get_selected (self->editor) : NULL;
}

/* Who is at a line of the page stays there. */
static void
replace_page (HeddleInspector *self, GtkWidget *page)
{
  const char *id = selected_id (self);
  g_autoptr (GArray) focus
      = self->page != NULL && id == self->shown ? heddle_inspector_find_focus (self->page) : NULL;

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), page);
  self->page = page;
  self->shown = id;
  if (focus != NULL)
    heddle_inspector_give_focus (page, focus);
}

/* The page of a large diagram, which has hundreds of lines, is not made again where it would say the same. */
static gboolean
says_the_same (HeddleInspector *self)
{
  const gboolean whole = self->editor != NULL && heddle_editor_get_selection (self->editor)->len == 0;
  char *key = whole ? heddle_inspector_dup_diagram_key (self->editor) : NULL;
  const gboolean same = key != NULL && g_strcmp0 (key, self->key) == 0;

  g_free (self->key);
  self->key = key;
  return same;
}

static gboolean
on_refresh (gpointer data)
{
  HeddleInspector *self = data;
  g_autoptr (GtkWidget) page = NULL;
  const gboolean anew = self->anew || self->shown != selected_id (self);

  self->refresh = 0;
  self->anew = FALSE;
  if (says_the_same (self))
    return G_SOURCE_REMOVE;
  page = new_page (self);
  if (anew || !heddle_inspector_take_words (self->page, page))
    replace_page (self, page);
  return G_SOURCE_REMOVE;
}

static void
queue (HeddleInspector *self)
{
  if (self->refresh == 0)
    self->refresh = g_idle_add_full (G_PRIORITY_HIGH_IDLE, on_refresh, self, NULL);
}

/* Once for several signals, and never while a row that changed something is still on the stack. */
static void
queue_refresh (HeddleInspector *self)
{
  self->anew = TRUE;
  queue (self);
}

/* Labels and what is carried from step to step are an axis' own; all else stays as it is while prices come in. */
static void
queue_words (HeddleInspector *self)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);

  if (diagram != NULL && heddle_diagram_get_axis (diagram, selected_id (self)) != NULL)
    queue (self);
}

void
heddle_inspector_set_editor (HeddleInspector *self, HeddleEditor *editor)
{
  g_return_if_fail (HEDDLE_IS_INSPECTOR (self));

  if (self->editor != NULL)
    g_signal_handlers_disconnect_by_data (self->editor, self);
  g_set_object (&self->editor, editor);
  if (editor == NULL)
    return;
  g_signal_connect_object (editor, "changed", G_CALLBACK (queue_refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (editor, "selection-changed", G_CALLBACK (queue_refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (editor, "derivation-changed", G_CALLBACK (queue_words), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (editor, "preview-changed", G_CALLBACK (queue_words), self, G_CONNECT_SWAPPED);
  queue_refresh (self);
}

static void
heddle_inspector_dispose (GObject *object)
{
  HeddleInspector *self = HEDDLE_INSPECTOR (object);

  g_clear_handle_id (&self->refresh, g_source_remove);
  g_clear_pointer (&self->key, g_free);
  heddle_inspector_set_editor (self, NULL);
  G_OBJECT_CLASS (heddle_inspector_parent_class)->dispose (object);
}

static void
heddle_inspector_class_init (HeddleInspectorClass *class)
{
  G_OBJECT_CLASS (class)->dispose = heddle_inspector_dispose;
}

static void
heddle_inspector_init (HeddleInspector *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self), "inspector");
  self->scrolled = gtk_scrolled_window_new ();
  g_object_set (
      self->scrolled, "hexpand", TRUE, "vexpand", TRUE, "hscrollbar-policy", GTK_POLICY_NEVER, NULL);
  gtk_box_append (GTK_BOX (self), self->scrolled);
  g_signal_connect_object (
      adw_style_manager_get_default (), "notify::dark", G_CALLBACK (queue_refresh), self, G_CONNECT_SWAPPED);
}
