/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/documents/draft.h"
#include "app/documents/page.h"
#include "app/editor/derive.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"

struct _HeddlePage
{
  GtkWidget parent_instance;
  HeddleSession *session;
  HeddleEditor *editor;
  char *text;
  HeddleCanvasView view;
  gboolean has_view, given_up;
  gboolean expecting; /* the text is older than what is typed */
};

G_DEFINE_FINAL_TYPE (HeddlePage, heddle_page, GTK_TYPE_WIDGET)

static guint changed_signal;

/* Returns the key of how many pages show a session. */
static GQuark
count_quark (void)
{
  return g_quark_from_static_string ("heddle-pages");
}

static int
count_pages (HeddleSession *session, int change)
{
  int n = GPOINTER_TO_INT (g_object_get_qdata (G_OBJECT (session), count_quark ())) + change;

  g_object_set_qdata (G_OBJECT (session), count_quark (), GINT_TO_POINTER (n));
  return n;
}

static void
emit_changed (HeddlePage *self)
{
  g_signal_emit (self, changed_signal, 0);
}

/* The editor tells the panes what the document is called. */
static void
on_session_changed (HeddlePage *self)
{
  heddle_editor_set_file (self->editor, heddle_session_get_file (self->session));
  heddle_editor_set_suggested_name (self->editor, heddle_session_get_title (self->session));
  emit_changed (self);
}

void
heddle_page_let_go (HeddlePage *self)
{
  g_return_if_fail (HEDDLE_IS_PAGE (self));

  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (heddle_session_get_document (self->session), self);
      g_signal_handlers_disconnect_by_data (self->editor, self);
      count_pages (self->session, -1);
    }
  if (self->editor != NULL)
    heddle_editor_abandon_deriving (self->editor);
  g_clear_object (&self->session);
  g_clear_object (&self->editor);
  g_clear_pointer (&self->text, g_free);
}

static void
heddle_page_dispose (GObject *object)
{
  heddle_page_let_go (HEDDLE_PAGE (object));
  G_OBJECT_CLASS (heddle_page_parent_class)->dispose (object);
}

static void
heddle_page_class_init (HeddlePageClass *class)
{
  G_OBJECT_CLASS (class)->dispose = heddle_page_dispose;
  changed_signal
      = g_signal_new ("changed", HEDDLE_TYPE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
heddle_page_init (HeddlePage *self)
{
}

GtkWidget *
heddle_page_new (HeddleSession *session)
{
  HeddlePage *self = g_object_new (HEDDLE_TYPE_PAGE, NULL);
  HeddleDocument *document = heddle_session_get_document (session);

  self->session = g_object_ref (session);
  self->editor = heddle_editor_new (document);
  count_pages (session, 1);
  g_signal_connect_swapped (session, "changed", G_CALLBACK (on_session_changed), self);
  g_signal_connect_swapped (document, "notify::modified", G_CALLBACK (emit_changed), self);
  g_signal_connect_swapped (self->editor, "changed", G_CALLBACK (emit_changed), self);
  on_session_changed (self);
  return GTK_WIDGET (self);
}

HeddleSession *
heddle_page_get_session (HeddlePage *self)
{
  g_return_val_if_fail (HEDDLE_IS_PAGE (self), NULL);
  return self->session;
}

HeddleEditor *
heddle_page_get_editor (HeddlePage *self)
{
  g_return_val_if_fail (HEDDLE_IS_PAGE (self), NULL);
  return self->editor;
}

char *
heddle_page_dup_title (HeddlePage *self)
{
  const HeddleSnapshot *snapshot = NULL;
  const HeddleDiagram *diagram = NULL;
  g_autofree char *title = NULL;

  g_return_val_if_fail (HEDDLE_IS_PAGE (self), NULL);

  title = heddle_editor_dup_title (self->editor);
  snapshot = heddle_editor_get_snapshot (self->editor);
  diagram = heddle_editor_get_diagram (self->editor);
  if (diagram == NULL || diagram == heddle_snapshot_get_diagram (snapshot, NULL))
    return g_steal_pointer (&title);
  /* Translators: a file and the diagram of it that is shown. */
  return g_strdup_printf (_ ("%s: %s"), title, diagram->name);
}

void
heddle_page_set_text (HeddlePage *self, const char *text)
{
  const HeddleDiagram *diagram = NULL;

  g_return_if_fail (HEDDLE_IS_PAGE (self));

  if (!self->expecting && g_strcmp0 (self->text, text) == 0)
    return;
  self->expecting = FALSE;
  g_free (self->text);
  self->text = g_strdup (text);
  diagram = heddle_editor_get_diagram (self->editor);
  heddle_session_set_text (self->session, diagram != NULL && text != NULL ? diagram->name : NULL, text);
}

void
heddle_page_expect_text (HeddlePage *self)
{
  g_return_if_fail (HEDDLE_IS_PAGE (self));

  self->expecting = TRUE;
  heddle_session_expect_text (self->session);
}

const char *
heddle_page_get_text (HeddlePage *self)
{
  g_return_val_if_fail (HEDDLE_IS_PAGE (self), NULL);
  return self->text;
}

void
heddle_page_set_view (HeddlePage *self, const HeddleCanvasView *view)
{
  g_return_if_fail (HEDDLE_IS_PAGE (self));

  self->view = *view;
  self->has_view = TRUE;
}

gboolean
heddle_page_get_view (HeddlePage *self, HeddleCanvasView *view)
{
  g_return_val_if_fail (HEDDLE_IS_PAGE (self), FALSE);

  *view = self->view;
  return self->has_view;
}

void
heddle_page_give_up (HeddlePage *self)
{
  g_return_if_fail (HEDDLE_IS_PAGE (self));

  self->given_up = TRUE;
  heddle_draft_drop (heddle_session_get_draft (self->session));
}

gboolean
heddle_page_needs_asking (HeddlePage *self)
{
  g_return_val_if_fail (HEDDLE_IS_PAGE (self), FALSE);
  return !self->given_up && heddle_session_is_unsaved (self->session) && count_pages (self->session, 0) == 1;
}
