/* SPDX-License-Identifier: MIT */

/* Help, preferences, the tour, and what stands on an empty canvas. */

#include "app/derivation/pane.h"
#include "app/editor/editor.h"
#include "app/equations/equation-bar.h"
#include "app/guide/help-window.h"
#include "app/guide/preferences.h"
#include "app/guide/tour.h"
#include "app/widgets/explain.h"
#include "app/window/guide.h"
#include "app/window/insert.h"
#include "app/window/notices.h"
#include "app/window/open.h"
#include "app/window/panes.h"
#include "app/window/private.h"
#include "derive/machine/find.h"
#include "diagram/graph/diagram.h"

void
heddle_window_show_help (HeddleWindow *self)
{
  const char *page = heddle_explain_find_page (GTK_WIDGET (self));
  GtkWidget *help = heddle_help_window_new (GTK_WINDOW (self));

  if (page != NULL)
    heddle_help_window_show (HEDDLE_HELP_WINDOW (help), page);
  gtk_window_present (GTK_WINDOW (help));
}

void
heddle_window_show_preferences (HeddleWindow *self)
{
  gtk_window_present (GTK_WINDOW (heddle_preferences_new (GTK_WINDOW (self))));
}

void
heddle_window_leave_tour (HeddleWindow *self)
{
  if (self->tour == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->tour, self);
  g_clear_object (&self->tour);
  heddle_window_update_notices (self);
}

/* What the tour points at has to be seen, though it began folded. */
static void
open_derivation (HeddleWindow *self)
{
  HeddleDerivationPane *pane = heddle_window_get_derivation_pane (self);

  if (pane == NULL || !heddle_tour_is_deriving (self->tour))
    return;
  gtk_widget_show (self->drawer);
  heddle_derivation_pane_set_open (pane, TRUE);
}

static void
on_tour_changed (HeddleWindow *self)
{
  open_derivation (self);
  if (heddle_tour_get_text (self->tour) == NULL)
    heddle_window_leave_tour (self);
  else
    heddle_window_update_notices (self);
}

void
heddle_window_skip_tour_step (HeddleWindow *self)
{
  if (self->tour != NULL)
    heddle_tour_skip (self->tour);
}

/* Starts the tour on a fresh copy of the example, in a tab of its own: nothing of the person's is touched. */
void
heddle_window_start_tour (HeddleWindow *self)
{
  g_autofree char *path = g_build_filename (heddle_data_directory (), "examples", "attention.ncd", NULL);

  heddle_window_leave_tour (self);
  if (!heddle_window_open_example (self, path))
    return;
  self->tour = heddle_tour_new (self->editor);
  g_signal_connect_object (self->tour, "changed", G_CALLBACK (on_tour_changed), self, G_CONNECT_SWAPPED);
  heddle_window_update_notices (self);
}

/* On an empty canvas "/" adds wherever the keyboard is: no equation begins with it. */
static gboolean
on_equation_key (
    GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, HeddleWindow *self)
{
  GtkTextBuffer *buffer = heddle_equation_bar_get_buffer (HEDDLE_EQUATION_BAR (self->equation_bar));

  if ((key != GDK_KEY_slash && key != GDK_KEY_KP_Divide) || !gtk_widget_get_visible (self->empty_state)
      || gtk_text_buffer_get_char_count (buffer) > 0)
    return FALSE;
  gtk_widget_grab_focus (self->canvas); /* what is drawn next is added there too */
  heddle_window_open_quick_insert (self);
  return TRUE;
}

void
heddle_window_guide_init (HeddleWindow *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_equation_key), self);
  gtk_widget_add_controller (self->equation_bar, keys);
}

void
heddle_window_update_empty_state (HeddleWindow *self)
{
  const HeddleDiagram *diagram = self->editor != NULL ? heddle_editor_get_diagram (self->editor) : NULL;
  const gboolean empty = diagram != NULL && diagram->values->len == 0 && diagram->operations->len == 0;

  gtk_widget_set_visible (self->empty_state, empty);
  heddle_window_update_hint (self);
}
