/* SPDX-License-Identifier: MIT */

#include <gtk/gtk.h>

#include "app/documents/recent.h"

static const struct
{
  const char *suffix;
  const char *type;
} types[] = {
  { ".ncd", "application/x-heddle-diagram" },
  { ".eq", "text/x-heddle-equations" },
  { ".svg", "image/svg+xml" },
};

void
heddle_recent_add (GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file);
  GtkRecentData data = { .app_name = (char *) "Heddle", .app_exec = (char *) "heddle %f" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_has_suffix (uri, types[i].suffix))
      data.mime_type = (char *) types[i].type;
  if (data.mime_type != NULL)
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

/* Returns the time of a use; what another program, or the file dialog, put on the list is long ago. */
static gint64
time_of (GtkRecentInfo *info)
{
  const char *executable;
  GDateTime *time = NULL;
  guint count;

  if (!gtk_recent_info_has_application (info, "Heddle"))
    return 0;
  gtk_recent_info_get_application_info (info, "Heddle", &executable, &count, &time);
  return time != NULL ? g_date_time_to_unix (time) : 0;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const gint64 left = time_of ((GtkRecentInfo *) a), right = time_of ((GtkRecentInfo *) b);

  return (left < right) - (left > right);
}

GPtrArray *
heddle_recent_list (guint most)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);
  GList *items
      = g_list_sort (gtk_recent_manager_get_items (gtk_recent_manager_get_default ()), compare_times);

  for (GList *l = items; l != NULL && files->len < most; l = l->next)
    if (gtk_recent_info_has_application (l->data, "Heddle") && gtk_recent_info_exists (l->data))
      g_ptr_array_add (files, g_file_new_for_uri (gtk_recent_info_get_uri (l->data)));
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
  return files;
}
