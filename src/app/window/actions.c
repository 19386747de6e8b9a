/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n.h>

#include "app/canvas/canvas.h"
#include "app/canvas/edit.h"
#include "app/canvas/view.h"
#include "app/editor/editor.h"
#include "app/editor/selection.h"
#include "app/edits/definitions.h"
#include "app/equations/equation-bar.h"
#include "app/edits/sense.h"
#include "app/window/actions.h"
#include "app/window/close.h"
#include "app/window/edit.h"
#include "app/window/export.h"
#include "app/window/figure.h"
#include "app/window/guide.h"
#include "app/window/insert.h"
#include "app/window/measure-window.h"
#include "app/window/menu.h"
#include "app/window/notices.h"
#include "app/window/optimise-window.h"
#include "app/window/open.h"
#include "app/window/pages.h"
#include "app/window/print.h"
#include "app/window/private.h"
#include "app/window/results.h"
#include "app/window/save.h"
#include "app/window/toasts.h"
#include "app/window/panes.h"
#include "diagram/document/document.h"
#include "files/base/files.h"

typedef void (*WindowAction) (HeddleWindow *self);

static void
new_window (HeddleWindow *self)
{
  gtk_window_present (GTK_WINDOW (heddle_window_make_another (self)));
}

static void
undo (HeddleWindow *self)
{
  HeddleEquationBar *bar = HEDDLE_EQUATION_BAR (self->equation_bar);

  heddle_window_dismiss_toast (self); /* it tells of what is undone */
  /* Text that is no diagram is not in the history: it is what is undone first. */
  if (!heddle_equation_bar_flush (bar))
    heddle_equation_bar_revert (bar);
  else
    heddle_document_undo (heddle_editor_get_document (self->editor));
}

static void
redo (HeddleWindow *self)
{
  heddle_document_redo (heddle_editor_get_document (self->editor));
}

static void
fit (HeddleWindow *self)
{
  heddle_canvas_fit (HEDDLE_CANVAS (self->canvas));
}

static void
zoom_in (HeddleWindow *self)
{
  heddle_canvas_zoom_in (HEDDLE_CANVAS (self->canvas));
}

static void
zoom_out (HeddleWindow *self)
{
  heddle_canvas_zoom_out (HEDDLE_CANVAS (self->canvas));
}

static void
zoom_normal (HeddleWindow *self)
{
  heddle_canvas_set_zoom (HEDDLE_CANVAS (self->canvas), 1);
}

static void
rename_selected (HeddleWindow *self)
{
  heddle_canvas_edit_selected_label (HEDDLE_CANVAS (self->canvas));
}

static void
group (HeddleWindow *self)
{
  if (heddle_definitions_group (self->editor)) /* a new thing is named where it stands */
    heddle_canvas_edit_selected_label (HEDDLE_CANVAS (self->canvas));
}

static void
ungroup (HeddleWindow *self)
{
  heddle_definitions_ungroup (self->editor);
}

static void
open_definition (HeddleWindow *self)
{
  heddle_definitions_open (self->editor);
}

static void
go_back (HeddleWindow *self)
{
  heddle_editor_go_back (self->editor);
}

static void
focus_equations (HeddleWindow *self)
{
  gtk_widget_grab_focus (self->equation_bar);
}

static void
about (HeddleWindow *self)
{
  GtkWindow *window = g_object_new (ADW_TYPE_ABOUT_WINDOW, "transient-for", self, "modal", TRUE,
      "application-name", _ ("Heddle"), "application-icon", HEDDLE_APPLICATION_ID, "version", HEDDLE_VERSION,
      "developer-name", _ ("The Heddle contributors"), "license-type", GTK_LICENSE_MIT_X11, "comments",
      _ ("Draw neural circuit diagrams, derive how they run on a GPU, and export the figure and the kernel."),
      NULL);

  heddle_window_guard_toasts (ADW_WINDOW (window));
  gtk_window_present (window);
}

/* What is being typed belongs to it. */
static void
optimise (HeddleWindow *self)
{
  heddle_window_flush (self);
  gtk_window_present (GTK_WINDOW (heddle_optimise_window_new (self)));
}

static void
measure (HeddleWindow *self)
{
  gtk_window_present (GTK_WINDOW (heddle_measure_window_new (self)));
}

/* Offers what is called so, and with what it can be joined. */
static void
insert_like (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  heddle_window_open_quick_insert_with (data, g_variant_get_string (parameter, NULL));
}

static void
offer_readings (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *text, *step;
  g_autoptr (GVariant) readings = NULL;

  g_variant_get (parameter, "(&s&s@a(sas))", &text, &step, &readings);
  heddle_window_offer_readings (data, text, step, readings);
}

/* What was offered holds as long as nothing was done since. */
static void
read_otherwise (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  HeddleWindow *self = data;
  HeddleDocument *document = self->editor != NULL ? heddle_editor_get_document (self->editor) : NULL;
  const char *step;
  g_autofree const char **words = NULL;
  g_autoptr (GError) error = NULL;

  g_variant_get (parameter, "(&s^a&s)", &step, &words);
  heddle_window_dismiss_toast (self);
  if (document == NULL || g_strcmp0 (heddle_document_get_undo_name (document), step) != 0)
    return;
  heddle_document_undo (document);
  if (words[0] != NULL && !heddle_sense_take (self->editor, words, &error))
    heddle_editor_report (self->editor, "%s", error->message);
}

static void
export_roofline (HeddleWindow *self)
{
  heddle_window_export_picture (self, HEDDLE_EXPORT_ROOFLINE);
}

static void
export_steps (HeddleWindow *self)
{
  heddle_window_export_picture (self, HEDDLE_EXPORT_STEPS);
}

static const struct
{
  const char *name;
  WindowAction run;
  gboolean needs_document;
} actions[] = {
  { "new", heddle_window_open_new, FALSE },
  { "new-window", new_window, FALSE },
  { "close-tab", heddle_window_close_page, FALSE },
  { "next-tab", heddle_window_next_tab, TRUE },
  { "previous-tab", heddle_window_previous_tab, TRUE },
  { "reload", heddle_window_reload, TRUE },
  { "keep", heddle_window_keep, TRUE },
  { "recover-drafts", heddle_window_recover_drafts, FALSE },
  { "discard-drafts", heddle_window_discard_drafts, FALSE },
  { "open", heddle_window_choose_open, FALSE },
  { "save", heddle_window_save, TRUE },
  { "save-as", heddle_window_save_as, TRUE },
  { "export", heddle_window_choose_export, TRUE },
  { "export-again", heddle_window_export_again, TRUE },
  { "cancel-exports", heddle_window_cancel_exports, FALSE },
  { "open-results", heddle_window_open_results, TRUE },
  { "export-kernel", heddle_window_export_kernel, TRUE },
  { "export-module", heddle_window_export_module, TRUE },
  { "export-roofline", export_roofline, TRUE },
  { "export-steps", export_steps, TRUE },
  { "print", heddle_window_print, TRUE },
  { "optimise", optimise, TRUE },
  { "measure", measure, FALSE },
  { "undo", undo, TRUE },
  { "redo", redo, TRUE },
  { "insert", heddle_window_open_quick_insert, TRUE },
  { "rename", rename_selected, TRUE },
  { "group", group, TRUE },
  { "ungroup", ungroup, TRUE },
  { "open-definition", open_definition, TRUE },
  { "open-definition-in-tab", heddle_window_open_definition_in_tab, TRUE },
  { "back", go_back, TRUE },
  { "fit", fit, TRUE },
  { "zoom-in", zoom_in, TRUE },
  { "zoom-out", zoom_out, TRUE },
  { "zoom-normal", zoom_normal, TRUE },
  { "equations", focus_equations, TRUE },
  { "derivation-open", heddle_window_toggle_derivation, TRUE },
  { "help", heddle_window_show_help, FALSE },
  { "tour", heddle_window_start_tour, FALSE },
  { "tour-skip", heddle_window_skip_tour_step, FALSE },
  { "tour-leave", heddle_window_leave_tour, FALSE },
  { "preferences", heddle_window_show_preferences, FALSE },
  { "about", about, FALSE },
};

static void
on_activate (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *name = g_action_get_name (G_ACTION (action));

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    if (g_str_equal (actions[i].name, name))
      actions[i].run (data);
}

static void
open_example (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  heddle_window_open_example (data, g_variant_get_string (parameter, NULL));
}

static void
open_uri (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  heddle_window_show_or_open (data, file);
}

/* Brings an object of the diagram into sight. */
static void
reveal (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  HeddleWindow *self = data;

  if (self->editor != NULL)
    heddle_canvas_reveal (
        HEDDLE_CANVAS (self->canvas), g_intern_string (g_variant_get_string (parameter, NULL)));
}

static void
set_enabled (HeddleWindow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void
update_definitions (HeddleWindow *self)
{
  const gboolean back = self->editor != NULL && heddle_editor_can_go_back (self->editor);

  set_enabled (self, "group", self->editor != NULL && heddle_definitions_can_group (self->editor));
  set_enabled (
      self, "ungroup", self->editor != NULL && heddle_definitions_selected_call (self->editor) != NULL);
  set_enabled (self, "open-definition-in-tab",
      self->editor != NULL && heddle_definitions_selected_call (self->editor) != NULL);
  set_enabled (self, "open-definition", self->editor != NULL && heddle_definitions_can_open (self->editor));
  set_enabled (self, "back", back);
  gtk_widget_set_visible (self->back_button, back);
}

/* Enables the actions that can be done with the document and the selection at hand, and renews the names of undo and redo. */
static void
update (HeddleWindow *self)
{
  HeddleDocument *document = self->editor != NULL ? heddle_editor_get_document (self->editor) : NULL;
  const char *undo_name = document != NULL ? heddle_document_get_undo_name (document) : NULL;
  const char *redo_name = document != NULL ? heddle_document_get_redo_name (document) : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    if (actions[i].needs_document)
      set_enabled (self, actions[i].name, document != NULL);
  /* What was typed and not read yet can be undone as well. */
  set_enabled (self, "undo",
      document != NULL
          && (undo_name != NULL || !heddle_equation_bar_matches (HEDDLE_EQUATION_BAR (self->equation_bar))));
  set_enabled (self, "redo", redo_name != NULL);
  set_enabled (self, "rename", document != NULL && heddle_editor_get_selected (self->editor) != NULL);
  update_definitions (self);
  heddle_window_update_empty_state (self);
  heddle_window_figure_update (self);
  heddle_window_edit_update (self);
  heddle_window_update_history (self, undo_name, redo_name);
}

static void
add_toggle (HeddleWindow *self, const char *name, gpointer object, const char *property)
{
  g_autoptr (GPropertyAction) action = g_property_action_new (name, object, property);

  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
}

void
heddle_window_actions_init (HeddleWindow *self)
{
  const GActionEntry of_texts[]
      = { { "open-example", open_example, "s", NULL, NULL }, { "open-uri", open_uri, "s", NULL, NULL },
          { "reveal", reveal, "s", NULL, NULL }, { "insert-like", insert_like, "s", NULL, NULL },
          { "offer-readings", offer_readings, "(ssa(sas))", NULL, NULL },
          { "read-otherwise", read_otherwise, "(sas)", NULL, NULL } };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      const GActionEntry entry = { actions[i].name, on_activate, NULL, NULL, NULL };

      g_action_map_add_action_entries (G_ACTION_MAP (self), &entry, 1, self);
    }
  g_action_map_add_action_entries (G_ACTION_MAP (self), of_texts, G_N_ELEMENTS (of_texts), self);
  heddle_window_figure_init (self);
  heddle_window_edit_init (self);
  add_toggle (self, "palette-visible", self->palette_flap, "reveal-flap");
  add_toggle (self, "inspector-visible", self->inspector_flap, "reveal-flap");
  add_toggle (self, "minimap-visible", self->minimap, "wanted");
  add_toggle (self, "drawer-visible", self->drawer, "visible");
  g_signal_connect (self, "state-changed", G_CALLBACK (update), NULL);
}
