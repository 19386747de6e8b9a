/* SPDX-License-Identifier: MIT */

/* Closing tabs and windows, and what happens to unsaved work. */

#include "config.h"

#include <glib/gi18n.h>

#include "app/documents/page.h"
#include "app/documents/session.h"
#include "app/widgets/message-dialog.h"
#include "app/window/close.h"
#include "app/window/files.h"
#include "app/window/pages.h"
#include "app/window/window.h"
#include "diagram/document/document.h"
#include "app/window/private.h"

static AdwTabPage *
tab_of (HeddleWindow *self, HeddlePage *page)
{
  return adw_tab_view_get_page (ADW_TAB_VIEW (self->tab_view), GTK_WIDGET (page));
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

/* --- closing --- */

void
heddle_window_go_on_closing (HeddleWindow *self)
{
  if (self->page != NULL)
    adw_tab_view_close_page (ADW_TAB_VIEW (self->tab_view), tab_of (self, self->page));
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
    return _ ("This diagram has changes that are not saved. What is not saved is lost.");
  if (modified)
    return _ (
        "This diagram has changes that are not saved. The equations hold text that is no diagram yet: it "
        "cannot be saved, and is lost when the diagram is closed.");
  return _ (
      "The equations hold text that is no diagram yet. It cannot be saved, and is lost when the diagram is "
      "closed.");
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

gboolean
heddle_window_ask_before_closing (HeddleWindow *self)
{
  AdwTabView *view = ADW_TAB_VIEW (self->tab_view);

  if (self->page != NULL)
    heddle_window_flush (self);
  for (int i = 0; i < adw_tab_view_get_n_pages (view); i++)
    if (ask_if_needed (self, HEDDLE_PAGE (adw_tab_page_get_child (adw_tab_view_get_nth_page (view, i)))))
      {
        self->closing = TRUE;
        return TRUE;
      }
  return FALSE;
}

void
heddle_window_close_init (HeddleWindow *self)
{
  g_signal_connect_object (self->tab_view, "close-page", G_CALLBACK (on_close_page), self, 0);
}
