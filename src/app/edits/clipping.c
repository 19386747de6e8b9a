/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/edits/clipping.h"
#include "diagram/base/problem.h"
#include "diagram/document/snapshot.h"
#include "figure/layout/figure-spec.h"
#include "files/base/files.h"
#include "files/equations/document.h"
#include "files/exchange/export.h"
#include "files/ncd/read.h"

/* No clipboard is read further than this. */
#define MOST_BYTES (64 * 1024 * 1024)

struct _HeddleClipping
{
  GdkContentProvider parent_instance;
  HeddleSnapshot *part;
};

G_DEFINE_FINAL_TYPE (HeddleClipping, heddle_clipping, GDK_TYPE_CONTENT_PROVIDER)

/* The suffix says what is made of it; the first is what this program reads again. */
static const struct
{
  const char *mime, *name;
} forms[] = {
  { "application/x-heddle-diagram", "selection.ncd" },
  { "image/svg+xml", "selection.svg" },
  { "image/png", "selection.png" },
  { "text/plain;charset=utf-8", "selection.eq" },
  { "text/plain", "selection.eq" },
};

static GdkContentFormats *
ref_formats (GdkContentProvider *provider)
{
  GdkContentFormatsBuilder *builder = gdk_content_formats_builder_new ();

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    gdk_content_formats_builder_add_mime_type (builder, forms[i].mime);
  return gdk_content_formats_builder_free_to_formats (builder);
}

typedef struct
{
  HeddleSnapshot *part;
  const char *name;
  GOutputStream *stream;
} Writing;

static void
writing_free (gpointer data)
{
  Writing *self = data;

  heddle_snapshot_unref (self->part);
  g_object_unref (self->stream);
  g_free (self);
}

static void
write_form (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Writing *self = data;
  GError *error = NULL;
  HeddleExportOptions options = { .show = HEDDLE_SHOW_LABELS };
  g_autoptr (GBytes) bytes = heddle_export (self->part, self->name, &options, cancellable, &error);

  if (bytes == NULL
      || !g_output_stream_write_all (
          self->stream, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), NULL, cancellable, &error))
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
write_mime_type_async (GdkContentProvider *provider, const char *mime, GOutputStream *stream, int priority,
    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  HeddleClipping *self = HEDDLE_CLIPPING (provider);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, data);
  Writing *writing = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (forms) && writing == NULL; i++)
    if (g_ascii_strcasecmp (forms[i].mime, mime) == 0)
      {
        writing = g_new0 (Writing, 1);
        *writing = (Writing){ heddle_snapshot_ref (self->part), forms[i].name, g_object_ref (stream) };
      }
  if (writing == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s", mime);
      return;
    }
  g_task_set_task_data (task, writing, writing_free);
  g_task_run_in_thread (task, write_form);
}

static gboolean
write_mime_type_finish (GdkContentProvider *provider, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
heddle_clipping_finalize (GObject *object)
{
  g_clear_pointer (&HEDDLE_CLIPPING (object)->part, heddle_snapshot_unref);
  G_OBJECT_CLASS (heddle_clipping_parent_class)->finalize (object);
}

static void
heddle_clipping_class_init (HeddleClippingClass *class)
{
  GdkContentProviderClass *provider_class = GDK_CONTENT_PROVIDER_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = heddle_clipping_finalize;
  provider_class->ref_formats = ref_formats;
  provider_class->write_mime_type_async = write_mime_type_async;
  provider_class->write_mime_type_finish = write_mime_type_finish;
}

static void
heddle_clipping_init (HeddleClipping *self)
{
}

GdkContentProvider *
heddle_clipping_new (HeddleSnapshot *part)
{
  HeddleClipping *self = NULL;

  g_return_val_if_fail (part != NULL, NULL);

  self = g_object_new (HEDDLE_TYPE_CLIPPING, NULL);
  self->part = heddle_snapshot_ref (part);
  return GDK_CONTENT_PROVIDER (self);
}

/* --- reading --- */

static HeddleSnapshot *
read_text (const char *data, gsize length, const char *mime, GPtrArray *problems)
{
  if (g_str_equal (mime, forms[0].mime))
    return heddle_ncd_read (data, length, _ ("the clipboard"), problems);
  return heddle_equations_read (data, (gssize) length, _ ("the clipboard"), problems);
}

static void
return_document (GTask *task, GBytes *bytes, const char *mime)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);
  HeddleSnapshot *read = length > 0 ? read_text (data, length, mime, problems) : NULL;
  const HeddleProblem *first = problems->len > 0 ? g_ptr_array_index (problems, 0) : NULL;

  if (read != NULL && !heddle_problems_have_errors (problems))
    g_task_return_pointer (task, read, (GDestroyNotify) heddle_snapshot_unref);
  else
    {
      g_clear_pointer (&read, heddle_snapshot_unref);
      g_task_return_new_error (task, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_PARSE,
          _ ("The clipboard does not hold a diagram: %s"),
          first != NULL ? first->message : _ ("it is empty"));
    }
}

static void
on_spliced (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (g_output_stream_splice_finish (G_OUTPUT_STREAM (source), result, &error) < 0)
    {
      g_task_return_error (task, error);
      return;
    }
  bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (source));
  if (g_bytes_get_size (bytes) > MOST_BYTES)
    g_task_return_new_error (
        task, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_LIMIT, _ ("The content of the clipboard is too large"));
  else
    return_document (task, bytes, g_task_get_task_data (task));
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  const char *mime = NULL;
  g_autoptr (GInputStream) stream = gdk_clipboard_read_finish (GDK_CLIPBOARD (source), result, &mime, &error);
  g_autoptr (GOutputStream) memory = NULL;

  if (stream == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  memory = g_memory_output_stream_new_resizable ();
  g_task_set_task_data (task, g_strdup (mime), g_free);
  g_output_stream_splice_async (memory, stream,
      G_OUTPUT_STREAM_SPLICE_CLOSE_SOURCE | G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, G_PRIORITY_DEFAULT,
      g_task_get_cancellable (task), on_spliced, g_object_ref (task));
}

void
heddle_clipping_read_async (
    GdkClipboard *clipboard, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  static const char *mimes[]
      = { "application/x-heddle-diagram", "text/plain;charset=utf-8", "text/plain", NULL };
  GTask *task = NULL;

  g_return_if_fail (GDK_IS_CLIPBOARD (clipboard));

  task = g_task_new (clipboard, cancellable, callback, data);
  gdk_clipboard_read_async (clipboard, mimes, G_PRIORITY_DEFAULT, cancellable, on_opened, task);
}

HeddleSnapshot *
heddle_clipping_read_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
