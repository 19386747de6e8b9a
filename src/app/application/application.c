/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <malloc.h>

#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>

#include "app/application/application.h"
#include "app/application/desktop-drop.h"
#include "app/application/search-provider.h"
#include "app/documents/draft-store.h"
#include "app/widgets/gesture-reset.h"
#include "app/widgets/heap-trim.h"
#include "app/widgets/settings.h"
#include "app/window/notices.h"
#include "app/window/open.h"
#include "app/window/parts.h"
#include "app/window/window.h"
#include "heddle-resources.h"

struct _HeddleApplication
{
  AdwApplication parent_instance;
  gboolean offered_drafts;
  guint search_provider; /* as the connection knows it; 0: none */
};

G_DEFINE_FINAL_TYPE (HeddleApplication, heddle_application, ADW_TYPE_APPLICATION)

static const struct
{
  const char *action;
  const char *accels[3];
} shortcuts[] = {
  { "win.new", { "<Primary>n", "<Primary>t" } },
  { "win.new-window", { "<Primary><Shift>n" } },
  { "win.open", { "<Primary>o" } },
  { "win.save", { "<Primary>s" } },
  { "win.save-as", { "<Primary><Shift>s" } },
  { "win.export", { "<Primary>e" } },
  { "win.export-again", { "<Primary><Shift>e" } },
  { "win.print", { "<Primary>p" } },
  { "win.undo", { "<Primary>z" } },
  { "win.redo", { "<Primary><Shift>z", "<Primary>y" } },
  { "win.insert", { "<Primary>k" } },
  { "win.rename", { "F2" } },
  { "win.duplicate", { "<Primary><Shift>d" } },
  { "win.add-block", { "<Primary>b" } },
  { "win.add-bundle", { "<Primary><Shift>b" } },
  { "win.add-note::card", { "<Primary>m" } },
  { "win.add-note::text", { "<Primary><Shift>m" } },
  { "win.wrap-lines", { "<Primary><Shift>l" } },
  { "win.find", { "<Primary>f" } },
  { "win.find-next", { "F3" } },
  { "win.find-previous", { "<Shift>F3" } },
  { "win.command", { "<Primary><Shift>p" } },
  { "win.next-problem", { "F8" } },
  { "win.previous-problem", { "<Shift>F8" } },
  { "win.group", { "<Primary>g" } },
  { "win.ungroup", { "<Primary><Shift>g" } },
  { "win.back", { "<Alt>Left" } },
  { "win.fit", { "<Primary>0" } },
  { "win.zoom-in", { "<Primary>plus", "<Primary>equal" } },
  { "win.zoom-out", { "<Primary>minus" } },
  { "win.zoom-normal", { "<Primary>1" } },
  { "win.palette-visible", { "F9" } },
  { "win.inspector-visible", { "<Primary>i" } },
  { "win.drawer-visible", { "<Primary>d" } },
  { "win.derivation-open", { "<Primary>j" } },
  { "win.equations", { "<Primary>l" } },
  { "win.help", { "F1" } },
  { "win.preferences", { "<Primary>comma" } },
  { "win.show-help-overlay", { "<Primary>question" } },
  { "win.next-tab", { "<Primary>Page_Down", "<Primary>Tab" } },
  { "win.previous-tab", { "<Primary>Page_Up", "<Primary><Shift>Tab" } },
  { "win.close-tab", { "<Primary>w" } },
  { "window.close", { "<Primary><Shift>w" } },
  { "app.quit", { "<Primary>q" } },
};

/* Each window may have to ask: they are closed one by one. */
static void
quit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (data)));

  for (GList *l = windows; l != NULL; l = l->next)
    gtk_window_close (GTK_WINDOW (l->data));
}

static void
follow_style (GSettings *settings, const char *key, gpointer unused)
{
  static const AdwColorScheme schemes[]
      = { ADW_COLOR_SCHEME_DEFAULT, ADW_COLOR_SCHEME_FORCE_LIGHT, ADW_COLOR_SCHEME_FORCE_DARK };
  int style = g_settings_get_enum (settings, "style");

  adw_style_manager_set_color_scheme (
      adw_style_manager_get_default (), schemes[CLAMP (style, 0, (int) G_N_ELEMENTS (schemes) - 1)]);
}

static void
heddle_application_startup (GApplication *application)
{
  const GActionEntry entries[] = { { "quit", quit, NULL, NULL, NULL } };
  GSettings *settings = heddle_settings_get ();

  /* Worker threads make large things that others free: an arena for each thread would keep the room of all of them. */
  mallopt (M_ARENA_MAX, 1);
  g_resources_register (heddle_get_resource ());
  G_APPLICATION_CLASS (heddle_application_parent_class)->startup (application);
  gtk_source_init ();
  heddle_gesture_reset_on_unmap ();
  heddle_desktop_drop_watch ();
  gtk_icon_theme_add_resource_path (
      gtk_icon_theme_get_for_display (gdk_display_get_default ()), "/io/github/heddle/Heddle/icons");
  gtk_window_set_default_icon_name (HEDDLE_APPLICATION_ID);
  g_action_map_add_action_entries (G_ACTION_MAP (application), entries, G_N_ELEMENTS (entries), application);
  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    gtk_application_set_accels_for_action (
        GTK_APPLICATION (application), shortcuts[i].action, (const char **) shortcuts[i].accels);
  if (settings != NULL)
    {
      g_signal_connect (settings, "changed::style", G_CALLBACK (follow_style), NULL);
      follow_style (settings, "style", NULL);
    }
}

/* Returns a window: what a crash left is offered once, in the first window there is. */
static HeddleWindow *
a_window (HeddleApplication *self)
{
  GtkApplication *application = GTK_APPLICATION (self);
  GtkWindow *active = gtk_application_get_active_window (application);
  HeddleWindow *window
      = HEDDLE_IS_WINDOW (active) ? HEDDLE_WINDOW (active) : HEDDLE_WINDOW (heddle_window_new (application));

  if (!self->offered_drafts)
    heddle_window_offer_drafts (window, heddle_draft_store_find ());
  self->offered_drafts = TRUE;
  return window;
}

static void
heddle_application_activate (GApplication *application)
{
  gtk_window_present (GTK_WINDOW (a_window (HEDDLE_APPLICATION (application))));
}

static void
heddle_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  HeddleWindow *window = a_window (HEDDLE_APPLICATION (application));

  /* First: what may have to be said about the file stands above it. */
  gtk_window_present (GTK_WINDOW (window));
  for (int i = 0; i < n_files; i++)
    heddle_window_show_or_open (window, files[i]);
}

static gboolean
heddle_application_dbus_register (
    GApplication *application, GDBusConnection *connection, const char *place, GError **error)
{
  HeddleApplication *self = HEDDLE_APPLICATION (application);

  if (!G_APPLICATION_CLASS (heddle_application_parent_class)
           ->dbus_register (application, connection, place, error))
    return FALSE;
  self->search_provider = heddle_search_provider_export (GTK_APPLICATION (application), connection, error);
  return self->search_provider != 0;
}

static void
heddle_application_dbus_unregister (GApplication *application, GDBusConnection *connection, const char *place)
{
  HeddleApplication *self = HEDDLE_APPLICATION (application);

  if (self->search_provider != 0)
    g_dbus_connection_unregister_object (connection, self->search_provider);
  self->search_provider = 0;
  G_APPLICATION_CLASS (heddle_application_parent_class)->dbus_unregister (application, connection, place);
}

static void
heddle_application_class_init (HeddleApplicationClass *class)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (class);

  application_class->startup = heddle_application_startup;
  application_class->activate = heddle_application_activate;
  application_class->open = heddle_application_open;
  application_class->dbus_register = heddle_application_dbus_register;
  application_class->dbus_unregister = heddle_application_dbus_unregister;
}

static void
heddle_application_init (HeddleApplication *self)
{
}

HeddleApplication *
heddle_application_new (GApplicationFlags flags)
{
  heddle_heap_trim_init ();
  /* The toolkit's own dialog puts files on the list of recent ones, and warns where it is not said for whom. */
  g_set_application_name (_ ("Heddle"));
  return g_object_new (HEDDLE_TYPE_APPLICATION, "application-id", HEDDLE_APPLICATION_ID, "resource-base-path",
      "/io/github/heddle/Heddle", "flags", flags, NULL);
}

int
heddle_application_main (int argc, char **argv)
{
  g_autoptr (HeddleApplication) application = heddle_application_new (G_APPLICATION_HANDLES_OPEN);

  return g_application_run (G_APPLICATION (application), argc, argv);
}
