/* SPDX-License-Identifier: MIT */

/* Notices above the diagram say what became of its file, and what a crash left. */

#include <glib/gi18n.h>

#include "app/documents/draft-store.h"
#include "app/documents/draft.h"
#include "app/documents/notice.h"
#include "app/documents/page.h"
#include "app/documents/session.h"
#include "app/guide/tour.h"
#include "app/widgets/message-dialog.h"
#include "app/window/export.h"
#include "app/window/notices.h"
#include "app/window/open.h"
#include "app/window/pages.h"
#include "diagram/base/problem.h"
#include "app/window/private.h"

typedef struct
{
  const char *label, *action;
} Choice;

static const struct
{
  HeddleSessionState state;
  Choice choices[3];
} notices[] = {
  { HEDDLE_SESSION_CHANGED, { { N_ ("_Load It"), "win.reload" }, { N_ ("_Keep This"), "win.keep" },
                                { N_ ("Save _As…"), "win.save-as" } } },
  { HEDDLE_SESSION_GONE, { { N_ ("_Save"), "win.save" }, { N_ ("Save _As…"), "win.save-as" } } },
  { HEDDLE_SESSION_READ_ONLY, { { N_ ("Save _As…"), "win.save-as" } } },
  { HEDDLE_SESSION_IN_USE, { { N_ ("Save _As…"), "win.save-as" }, { N_ ("_Edit Anyway"), "win.keep" } } },
};

static char *
say (HeddleSessionState state, const char *name)
{
  switch (state)
    {
    case HEDDLE_SESSION_CHANGED:
      return g_strdup_printf (_ ("Another program changed “%s”."), name);
    case HEDDLE_SESSION_GONE:
      return g_strdup_printf (_ ("“%s” was moved or deleted. Its content is only in this window."), name);
    case HEDDLE_SESSION_READ_ONLY:
      return g_strdup_printf (_ ("“%s” can only be read. Changes go into another file."), name);
    case HEDDLE_SESSION_IN_USE:
      return g_strdup_printf (_ ("“%s” is open elsewhere: saving here may undo what is saved there."), name);
    }
  g_assert_not_reached ();
}

static GtkWidget *
add_notice (HeddleWindow *self, const char *text, const Choice *choices, guint n_choices)
{
  GtkWidget *notice = heddle_notice_new (text);

  for (guint i = 0; i < n_choices && choices[i].label != NULL; i++)
    heddle_notice_add (notice, _ (choices[i].label), choices[i].action);
  gtk_box_append (GTK_BOX (self->notices), notice);
  return notice;
}

static void
add_of_session (HeddleWindow *self, HeddleSession *session)
{
  static const Choice save[] = { { N_ ("_Save"), "win.save" } };
  const HeddleSessionState state = heddle_session_get_state (session);
  const char *error = heddle_draft_get_error (heddle_session_get_draft (session));
  GFile *file = heddle_session_get_file (session);
  g_autofree char *name = file != NULL ? g_file_get_basename (file) : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (notices); i++)
    if (state & notices[i].state)
      {
        g_autofree char *text = say (notices[i].state, name);

        add_notice (self, text, notices[i].choices, G_N_ELEMENTS (notices[i].choices));
      }
  if (error != NULL)
    {
      g_autofree char *text = g_strdup_printf (_ ("Unsaved changes would not survive a crash: %s"), error);

      add_notice (self, text, save, G_N_ELEMENTS (save));
    }
}

/* Lists drafts with their times, as in "attention.ncd (21:03)". */
static char *
list_drafts (GPtrArray *records)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < records->len; i++)
    {
      const HeddleDraftRecord *record = g_ptr_array_index (records, i);
      g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (record->time);
      g_autofree char *when = time != NULL && record->time > 0 ? g_date_time_format (time, "%x %H:%M") : NULL;

      g_string_append_printf (
          text, "%s%s", i > 0 ? ", " : "", record->title != NULL ? record->title : _ ("Untitled"));
      if (when != NULL)
        g_string_append_printf (text, " (%s)", when);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
add_of_drafts (HeddleWindow *self)
{
  static const Choice choices[]
      = { { N_ ("_Recover"), "win.recover-drafts" }, { N_ ("_Discard…"), "win.discard-drafts" } };
  g_autofree char *list = list_drafts (self->left_drafts);
  g_autofree char *text
      = g_strdup_printf (_ ("Heddle did not close normally. Unsaved changes were kept: %s"), list);

  add_notice (self, text, choices, G_N_ELEMENTS (choices));
}

static void
add_of_tour (HeddleWindow *self)
{
  static const Choice choices[]
      = { { N_ ("S_kip"), "win.tour-skip" }, { N_ ("_Leave the Tour"), "win.tour-leave" } };
  static const Choice last[] = { { N_ ("_Finish"), "win.tour-leave" } };
  const guint step = heddle_tour_get_step (self->tour) + 1, n_steps = heddle_tour_get_n_steps (self->tour);
  /* Translators: a step of the tour, of so many, and what is to be done. */
  g_autofree char *text
      = g_strdup_printf (_ ("%u of %u: %s"), step, n_steps, heddle_tour_get_text (self->tour));

  if (step < n_steps)
    add_notice (self, text, choices, G_N_ELEMENTS (choices));
  else
    add_notice (self, text, last, G_N_ELEMENTS (last));
}

static void
add_of_exports (HeddleWindow *self, const char *names)
{
  static const Choice cancel[] = { { N_ ("_Cancel"), "win.cancel-exports" } };
  /* Translators: %s: names of files, in quotation marks. */
  g_autofree char *text = g_strdup_printf (_ ("Exporting %s…"), names);

  add_notice (self, text, cancel, G_N_ELEMENTS (cancel));
}

void
heddle_window_update_notices (HeddleWindow *self)
{
  GtkWidget *child = NULL, *focus = gtk_window_get_focus (GTK_WINDOW (self));
  g_autofree char *exports = heddle_window_dup_exports (self);
  const gboolean answered = focus != NULL && gtk_widget_is_ancestor (focus, self->notices);

  while ((child = gtk_widget_get_first_child (self->notices)) != NULL)
    gtk_box_remove (GTK_BOX (self->notices), child);
  if (self->left_drafts != NULL)
    add_of_drafts (self);
  if (exports != NULL)
    add_of_exports (self, exports);
  if (self->tour != NULL && heddle_tour_get_editor (self->tour) == self->editor)
    add_of_tour (self);
  if (self->page != NULL)
    add_of_session (self, heddle_page_get_session (self->page));
  if (answered)
    gtk_widget_grab_focus (self->page != NULL ? self->canvas : self->start_page);
}

void
heddle_window_reload (HeddleWindow *self)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (GError) error = NULL;

  /* Whatever asked for it: a document that was never saved has nothing to be loaded again. */
  if (self->page == NULL || heddle_session_get_file (heddle_page_get_session (self->page)) == NULL)
    return;
  if (!heddle_session_reload (heddle_page_get_session (self->page), problems, &error))
    heddle_window_show_problems (self, _ ("Could Not Load the Changed File"), problems, error);
}

void
heddle_window_keep (HeddleWindow *self)
{
  if (self->page != NULL && heddle_session_get_file (heddle_page_get_session (self->page)) != NULL)
    heddle_session_keep (heddle_page_get_session (self->page));
}

/* --- what a crash left --- */

void
heddle_window_offer_drafts (HeddleWindow *self, GPtrArray *records)
{
  g_return_if_fail (HEDDLE_IS_WINDOW (self));

  g_clear_pointer (&self->left_drafts, g_ptr_array_unref);
  if (records->len > 0)
    self->left_drafts = records;
  else
    g_ptr_array_unref (records);
  heddle_window_update_notices (self);
}

/* One that cannot be read stays where it is. */
void
heddle_window_recover_drafts (HeddleWindow *self)
{
  g_autoptr (GPtrArray) records = g_steal_pointer (&self->left_drafts);

  for (guint i = 0; records != NULL && i < records->len; i++)
    {
      const HeddleDraftRecord *record = g_ptr_array_index (records, i);
      g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleSession) session = heddle_session_recover (record, problems, &error);

      if (session != NULL)
        heddle_window_add_session (self, session);
      else
        heddle_window_show_problems (self, _ ("Could Not Recover a Diagram"), problems, error);
    }
  heddle_window_update_notices (self);
}

static void
on_discard_response (AdwMessageDialog *dialog, const char *response, HeddleWindow *self)
{
  g_autoptr (GPtrArray) records = NULL;

  if (g_strcmp0 (response, "discard") != 0)
    return;
  records = g_steal_pointer (&self->left_drafts);
  for (guint i = 0; records != NULL && i < records->len; i++)
    heddle_draft_store_remove (((HeddleDraftRecord *) g_ptr_array_index (records, i))->stem);
  heddle_window_update_notices (self);
}

void
heddle_window_discard_drafts (HeddleWindow *self)
{
  GtkWidget *dialog = heddle_message_dialog_new (GTK_WINDOW (self), _ ("Discard Unsaved Work?"),
      _ ("Changes kept since the last save will be deleted. This cannot be undone."));

  adw_message_dialog_add_responses (
      ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "discard", _ ("_Discard"), NULL);
  adw_message_dialog_set_response_appearance (
      ADW_MESSAGE_DIALOG (dialog), "discard", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_discard_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
heddle_window_notices_init (HeddleWindow *self)
{
  g_signal_connect (self, "notices-changed", G_CALLBACK (heddle_window_update_notices), NULL);
}
