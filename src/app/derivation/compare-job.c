/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/derivation/compare-job.h"
#include "app/editor/derive.h"
#include "app/editor/flat.h"
#include "app/editor/target.h"
#include "codegen/plan/suggest.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/refusal.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/snapshot.h"

void
heddle_compare_job_free (HeddleCompareJob *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < HEDDLE_N_COMPARED; i++)
    {
      g_clear_pointer (&self->machines[i], heddle_machine_free);
      g_clear_pointer (&self->columns[i], heddle_comparison_free);
      g_free (self->failures[i]);
    }
  g_clear_pointer (&self->schedule, heddle_schedule_free);
  g_clear_pointer (&self->sizes, heddle_sizes_unref);
  g_clear_pointer (&self->snapshot, heddle_snapshot_unref);
  g_free (self);
}

HeddleCompareJob *
heddle_compare_job_new (HeddleEditor *editor, gboolean keep_labels)
{
  const HeddleSchedule *schedule = heddle_editor_get_schedule (editor);
  const gboolean bare = schedule == NULL || schedule->regions->len == 0;
  g_autoptr (HeddleCompareJob) self = g_new0 (HeddleCompareJob, 1);

  if (heddle_editor_get_flat_sizes (editor) == NULL)
    return NULL;
  self->snapshot = heddle_snapshot_ref (heddle_editor_get_flat_snapshot (editor));
  self->diagram = heddle_editor_get_flat_diagram (editor);
  self->sizes = heddle_sizes_ref (heddle_editor_get_flat_sizes (editor));
  self->declared = heddle_editor_get_dtype (editor);
  self->schedule = heddle_schedule_fuse (self->diagram, schedule, bare ? "all" : "file", NULL);
  if (self->schedule == NULL)
    return NULL;
  if (!keep_labels)
    heddle_schedule_drop_tiles (self->schedule, heddle_editor_get_machine (editor));
  return g_steal_pointer (&self);
}

void
heddle_compare_job_set_target (
    HeddleCompareJob *self, guint column, const HeddleMachine *machine, HeddleDtype dtype)
{
  g_return_if_fail (column < HEDDLE_N_COMPARED && self->machines[column] == NULL);

  self->machines[column] = heddle_machine_copy (machine);
  self->dtypes[column] = dtype;
}

static const char *
refusal_of (const HeddleDerivation *derivation)
{
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      if (kernel->refusals->len > 0)
        return ((HeddleRefusal *) g_ptr_array_index (kernel->refusals, 0))->reason;
    }
  return _ ("A label cannot be where it is.");
}

static void
price (HeddleCompareJob *self, guint column, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleComparison) found = heddle_comparison_new (self->diagram,
      heddle_schedule_copy (self->schedule), self->sizes, heddle_machine_copy (self->machines[column]),
      self->dtypes[column], self->declared, heddle_plan_suggest, TRUE, cancellable, &error);

  if (found == NULL)
    self->failures[column] = g_strdup (error->message);
  else if (found->derivation->illegal)
    self->failures[column] = g_strdup (refusal_of (found->derivation));
  else
    self->columns[column] = g_steal_pointer (&found);
  if (self->crossings && self->columns[column] != NULL && !g_cancellable_is_cancelled (cancellable))
    heddle_comparison_find_crossings (self->columns[column], self->sizes, self->declared, NULL);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autoptr (HeddleCompareJob) self = g_steal_pointer ((HeddleCompareJob **) data);

  for (guint i = 0; i < HEDDLE_N_COMPARED; i++)
    price (self, i, cancellable);
  if (!g_task_return_error_if_cancelled (task))
    g_task_return_pointer (task, g_steal_pointer (&self), (GDestroyNotify) heddle_compare_job_free);
}

static void
free_holder (gpointer data)
{
  HeddleCompareJob **holder = data;

  heddle_compare_job_free (*holder); /* of a task that never ran */
  g_free (holder);
}

void
heddle_compare_job_run_async (
    HeddleCompareJob *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  HeddleCompareJob **holder = g_new (HeddleCompareJob *, 1);

  *holder = self;
  g_task_set_task_data (task, holder, free_holder);
  g_task_run_in_thread (task, run);
}

HeddleCompareJob *
heddle_compare_job_run_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
