/* SPDX-License-Identifier: MIT */

/* What GTK 4.8 and libadwaita 1.2 warn of by themselves, and get over. */

#include "faults.h"

#include <stdlib.h>
#include <string.h>

#include <gtk/gtk.h>

/* The parts of a scroll bar move while they are drawn, where text is measured then: the next frame puts it right. */
static const char *const anywhere[] = { "Trying to snapshot GtkGizmo ", NULL };

/* The buttons of the window of shortcuts are narrower than their margins; what is scrolled or folded moves while it is drawn; a pressed widget that
 * goes away stays pressed in the books of those around it; Tab in an open menu asks where the focus is though nothing has it; a tab that appears
 * grows from nothing, and is narrower than its icon at first; what is dropped on the screen beside all windows falls on the root window of X, which
 * takes nothing. */
static const char *const elsewhere[] = { "(label) reported min width -", "Trying to snapshot ",
  "Broken accounting of active state", "gtk_widget_is_ancestor: assertion 'GTK_IS_WIDGET (widget)' failed",
  "attempt to allocate AdwFadingLabel widget", "Drops for GDK_DRAG_PROTO_ROOTWIN must be handled", NULL };

/* GtkSourceView lights the number of the line under the pointer. Where the text has just been scrolled, that line may lie before the first one that
 * the gutter draws, and the library refuses its own line with this one message: a number is not lit for a frame, and nothing is lost. Heddle calls
 * nothing of gutters. Any other assertion there, or this one of another library, is a fault. */
static const char gutter_domain[] = "GtkSourceView";
static const char gutter_message[]
    = "gtk_source_gutter_lines_add_qclass: assertion 'line >= lines->first' failed";

/* GTK names a widget by its class and place in memory, "GtkLabel 0x5581"; NULL: no widget is named. */
static GtkWidget *
find_named (const char *message)
{
  const char *place = strstr (message, " 0x");

  return place != NULL ? (gpointer) g_ascii_strtoull (place + 1, NULL, 16) : NULL;
}

static void
tell_place (const char *message)
{
  g_autoptr (GString) path = g_string_new ("In");

  for (GtkWidget *widget = find_named (message); widget != NULL; widget = gtk_widget_get_parent (widget))
    {
      g_auto (GStrv) classes = gtk_widget_get_css_classes (widget);
      g_autofree char *list = g_strjoinv (".", classes);

      g_string_append_printf (path, " %s.%s", G_OBJECT_TYPE_NAME (widget), list);
    }
  g_printerr ("%s\n", path->str);
}

static gboolean
is_known (const char *const *known, const char *message)
{
  for (; *known != NULL; known++)
    if (strstr (message, *known) != NULL)
      return TRUE;
  return FALSE;
}

static const char *
find_field (const GLogField *fields, gsize n_fields, const char *key)
{
  for (gsize i = 0; i < n_fields; i++)
    if (g_str_equal (fields[i].key, key))
      return fields[i].value;
  return "";
}

static gboolean
is_of_gutter (const char *domain, const char *message)
{
  return g_str_equal (domain, gutter_domain) && g_str_equal (message, gutter_message);
}

static GLogWriterOutput
write_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer any)
{
  const char *message = find_field (fields, n_fields, "MESSAGE");
  const char *domain = find_field (fields, n_fields, "GLIB_DOMAIN");

  if (is_known (anywhere, message)
      || (any && (is_known (elsewhere, message) || is_of_gutter (domain, message))))
    return G_LOG_WRITER_HANDLED;
  g_log_writer_default (level, fields, n_fields, NULL);
  if (any && (level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING)))
    {
      tell_place (message);
      abort ();
    }
  return G_LOG_WRITER_HANDLED;
}

void
faults_watch (gboolean any)
{
  static gboolean watching;

  if (watching)
    return;
  watching = TRUE;
  if (any)
    g_log_set_always_fatal (G_LOG_FATAL_MASK); /* what is fatal says write_log () */
  g_log_set_writer_func (write_log, GINT_TO_POINTER (any), NULL);
}
