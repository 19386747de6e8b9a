/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/equations/equation-reading.h"
#include "diagram/base/problem.h"
#include "diagram/document/snapshot.h"
#include "files/equations/document.h"
#include "files/equations/write.h"

HeddleReading *
heddle_reading_new (char *text, HeddleSnapshot *present, const HeddleDiagram *diagram)
{
  HeddleReading *self = g_new0 (HeddleReading, 1);

  self->text = text;
  self->present = heddle_snapshot_ref (present);
  self->diagram = diagram;
  self->problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  return self;
}

void
heddle_reading_free (HeddleReading *self)
{
  g_free (self->text);
  heddle_snapshot_unref (self->present);
  g_clear_pointer (&self->read, heddle_snapshot_unref);
  g_ptr_array_unref (self->problems);
  g_free (self);
}

static gboolean
is_other_text (const HeddleReading *self)
{
  g_autofree char *present = NULL, *text = NULL;

  if (self->diagram == NULL)
    return TRUE;
  present = heddle_equations_write_snapshot (self->present, self->diagram);
  text = heddle_equations_write_snapshot (self->read, heddle_snapshot_get_diagram (self->read, NULL));
  return !g_str_equal (present, text);
}

void
heddle_reading_run (HeddleReading *self)
{
  self->read = heddle_equations_read (self->text, -1, _ ("equations"), self->problems);
  if (self->read != NULL && heddle_snapshot_get_diagram (self->read, NULL) == NULL)
    g_clear_pointer (&self->read, heddle_snapshot_unref);
  self->differs = self->read != NULL && is_other_text (self);
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  heddle_reading_run (data);
  g_task_return_boolean (task, TRUE);
}

void
heddle_reading_run_async (HeddleReading *self, gpointer source, GCancellable *cancellable,
    GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, data);

  g_task_set_task_data (task, self, (GDestroyNotify) heddle_reading_free);
  g_task_run_in_thread (task, read_in_thread);
}

const HeddleReading *
heddle_reading_run_finish (GAsyncResult *result)
{
  return g_task_propagate_boolean (G_TASK (result), NULL) ? g_task_get_task_data (G_TASK (result)) : NULL;
}
