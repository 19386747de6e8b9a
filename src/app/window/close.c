/* SPDX-License-Identifier: MIT */

/* This file closes tabs and windows, and asks about unsaved work. */

#include <glib/gi18n.h>

#include "app/documents/page.h"
#include "app/documents/session.h"
#include "app/widgets/message-dialog.h"
#include "app/window/close.h"
#include "app/window/pages.h"
#include "app/window/private.h"
#include "app/window/save.h"
#include "diagram/document/document.h"

static AdwTabPage *
tab_of (HeddleWindow *self, HeddlePage *page)
{
  return adw_tab_view_get_page (ADW_TAB_VIEW (self->tab_view), GTK_WIDGET (page));
}

static void
on_response (AdwMessageDialog *dialog, const char *response, HeddleWindow *self)
{
  if (!heddle_window_return_to_page (self, dialog))
    return;
  if (g_strcmp0 (response, "discard") == 0)
    {
      heddle_page_give_up (self->page);
      heddle_window_go_on_closing (self);
    }
  else if (g_strcmp0 (response, "save") == 0)
    {
      self->close_after_save = TRUE;
      heddle_window_save (self);
    }
  else
    self->closing = FALSE;
}

/* Text that is no diagram is in no file: saving does not keep it. */
static const char *
explain (HeddlePage *page, gboolean modified)
{
  if (heddle_page_get_text (page) == NULL)
    return _ ("This diagram has unsaved changes, which will be lost.");
  if (modified)
    return _ ("This diagram has unsaved changes. The equations hold text that is not a diagram yet: it "
              "cannot be saved, and is lost when the diagram is closed.");
  return _ ("The equations hold text that is not a diagram yet. It cannot be saved, and is lost when the "
            "diagram is closed.");
}

static void
ask (HeddleWindow *self, HeddlePage *page)
{
  const gboolean modified
      = heddle_document_get_modified (heddle_session_get_document (heddle_page_get_session (page)));
  g_autofree char *title = heddle_page_dup_title (page);
  g_autofree char *heading
      = g_strdup_printf (modified ? _ ("Save Changes to “%s”?") : _ ("Close “%s”?"), title);
  GtkWidget *widget = heddle_message_dialog_new (GTK_WINDOW (self), heading, explain (page, modified));
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);

  adw_message_dialog_add_responses (
      dialog, "cancel", _ ("_Cancel"), "discard", modified ? _ ("_Discard") : _ ("_Close"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "discard", ADW_RESPONSE_DESTRUCTIVE);
  if (modified)
    {
      adw_message_dialog_add_response (dialog, "save", _ ("_Save"));
      adw_message_dialog_set_response_appearance (dialog, "save", ADW_RESPONSE_SUGGESTED);
    }
  adw_message_dialog_set_default_response (dialog, modified ? "save" : "cancel");
  adw_message_dialog_set_close_response (dialog, "cancel");
  heddle_window_ask_about_page (self, dialog);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* --- several at once --- */

static const char asked_rows[] = "heddle-rows", row_page[] = "heddle-page";

static void
on_answer (AdwMessageDialog *dialog, const char *response, HeddleWindow *self)
{
  GPtrArray *rows = g_object_get_data (G_OBJECT (dialog), asked_rows);

  g_clear_pointer (&self->saved_first, g_hash_table_unref);
  self->closing = g_strcmp0 (response, "cancel") != 0;
  if (!self->closing)
    return;
  self->saved_first = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  for (guint i = 0; i < rows->len; i++)
    {
      GtkCheckButton *row = g_ptr_array_index (rows, i);
      const gboolean save = g_strcmp0 (response, "save") == 0 && gtk_check_button_get_active (row);

      g_hash_table_insert (self->saved_first, g_object_ref (g_object_get_data (G_OBJECT (row), row_page)),
          GINT_TO_POINTER (save));
    }
  heddle_window_close_soon (self);
}

/* A box to tick for the document of @page; one whose text is no diagram has nothing that could be saved. */
static GtkWidget *
new_row (HeddlePage *page)
{
  const gboolean modified
      = heddle_document_get_modified (heddle_session_get_document (heddle_page_get_session (page)));
  g_autofree char *title = heddle_page_dup_title (page);
  g_autofree char *text = heddle_page_get_text (page) == NULL
                              ? g_strdup (title)
                              : g_strdup_printf (_ ("%s: text that is not a diagram yet is lost"), title);
  GtkWidget *row = gtk_check_button_new_with_label (text);

  gtk_check_button_set_active (GTK_CHECK_BUTTON (row), modified);
  gtk_widget_set_sensitive (row, modified);
  g_object_set_data_full (G_OBJECT (row), row_page, g_object_ref (page), g_object_unref);
  return row;
}

static void
ask_about_all (HeddleWindow *self, GPtrArray *pages)
{
  g_autofree char *heading = g_strdup_printf (
      ngettext ("Save Changes to %u Diagram?", "Save Changes to %u Diagrams?", pages->len), pages->len);
  GtkWidget *widget = heddle_message_dialog_new (
      GTK_WINDOW (self), heading, _ ("The changes of a diagram that is not ticked are lost."));
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GPtrArray *rows = g_ptr_array_new ();

  for (guint i = 0; i < pages->len; i++)
    {
      g_ptr_array_add (rows, new_row (g_ptr_array_index (pages, i)));
      gtk_box_append (GTK_BOX (box), g_ptr_array_index (rows, i));
    }
  adw_message_dialog_set_extra_child (dialog, box);
  adw_message_dialog_add_responses (
      dialog, "cancel", _ ("_Cancel"), "discard", _ ("_Discard All"), "save", _ ("_Save"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "discard", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (dialog, "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "save");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_object_set_data_full (G_OBJECT (dialog), asked_rows, rows, (GDestroyNotify) g_ptr_array_unref);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_answer), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* What was answered for all is done, the saving first: whoever thinks better of it at a name still has the rest. TRUE: one is being saved. */
static gboolean
do_as_answered (HeddleWindow *self, GPtrArray *pages)
{
  for (guint i = 0; i < pages->len; i++)
    {
      HeddlePage *page = g_ptr_array_index (pages, i);

      if (g_hash_table_lookup (self->saved_first, page) == NULL)
        continue;
      g_hash_table_remove (self->saved_first, page);
      adw_tab_view_set_selected_page (ADW_TAB_VIEW (self->tab_view), tab_of (self, page));
      self->close_after_save = TRUE;
      heddle_window_save (self);
      return TRUE;
    }
  for (guint i = pages->len; i-- > 0;)
    if (g_hash_table_contains (self->saved_first, g_ptr_array_index (pages, i)))
      {
        heddle_page_give_up (g_ptr_array_index (pages, i));
        g_ptr_array_remove_index (pages, i);
      }
  g_clear_pointer (&self->saved_first, g_hash_table_unref);
  return FALSE;
}

static GPtrArray *
find_unsaved (HeddleWindow *self)
{
  AdwTabView *view = ADW_TAB_VIEW (self->tab_view);
  GPtrArray *pages = g_ptr_array_new ();

  for (int i = 0; i < adw_tab_view_get_n_pages (view); i++)
    {
      HeddlePage *page = HEDDLE_PAGE (adw_tab_page_get_child (adw_tab_view_get_nth_page (view, i)));

      if (heddle_page_needs_asking (page))
        g_ptr_array_add (pages, page);
    }
  return pages;
}

/* --- one --- */

/* The person sees what they are asked about. */
static gboolean
ask_if_needed (HeddleWindow *self, HeddlePage *page)
{
  if (!heddle_page_needs_asking (page))
    return FALSE;
  adw_tab_view_set_selected_page (ADW_TAB_VIEW (self->tab_view), tab_of (self, page));
  ask (self, page);
  return TRUE;
}

/* While the pointer is on the tabs, those that stay keep their widths when one is closed, and libadwaita 1.2 takes a tab that no frame has
 * laid out yet for one of no width: they are laid out where they are. A bar that is only just coming has no pointer on it. */
static void
lay_out_tabs (HeddleWindow *self)
{
  GtkAllocation place;
  int width, height;

  gtk_widget_get_allocation (self->tab_bar, &place);
  gtk_widget_measure (self->tab_bar, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (self->tab_bar, GTK_ORIENTATION_VERTICAL, place.width, &height, NULL, NULL, NULL);
  if (gtk_widget_get_mapped (self->tab_bar) && place.width >= width && place.height >= height)
    gtk_widget_size_allocate (self->tab_bar, &place, -1);
}

static gboolean
on_close_page (AdwTabView *view, AdwTabPage *tab, HeddleWindow *self)
{
  HeddlePage *page = HEDDLE_PAGE (adw_tab_page_get_child (tab));

  lay_out_tabs (self);
  if (page == self->page)
    heddle_window_flush (self);
  if (ask_if_needed (self, page))
    adw_tab_view_close_page_finish (view, tab, FALSE);
  else
    {
      adw_tab_view_close_page_finish (view, tab, TRUE);
      if (self->closing)
        heddle_window_close_soon (self);
    }
  return GDK_EVENT_STOP;
}

void
heddle_window_close_page (HeddleWindow *self)
{
  if (self->page == NULL)
    gtk_window_close (GTK_WINDOW (self));
  else
    heddle_window_go_on_closing (self);
}

/* Asks about unsaved work, where there is any; then the window stays for now, and TRUE is returned. */
static gboolean
ask_before_closing (HeddleWindow *self)
{
  g_autoptr (GPtrArray) pages = NULL;

  if (self->page != NULL)
    heddle_window_flush (self);
  pages = find_unsaved (self);
  if (!self->closing)
    g_clear_pointer (&self->saved_first, g_hash_table_unref);
  if (self->saved_first != NULL && do_as_answered (self, pages))
    return TRUE;
  if (pages->len == 0)
    return FALSE;
  self->closing = TRUE;
  if (pages->len > 1)
    ask_about_all (self, pages);
  else
    ask_if_needed (self, g_ptr_array_index (pages, 0));
  return TRUE;
}

void
heddle_window_close_init (HeddleWindow *self)
{
  g_signal_connect (self, "close-request", G_CALLBACK (ask_before_closing), NULL);
  g_signal_connect_object (self->tab_view, "close-page", G_CALLBACK (on_close_page), self, 0);
}
