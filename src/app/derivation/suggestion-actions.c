/* SPDX-License-Identifier: MIT */

/* What the pane's Suggest does: a search in a worker thread, and its labels in the schedule. */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n.h>

#include "app/derivation/suggestion-actions.h"
#include "app/derivation/suggestion.h"
#include "app/editor/derive-job.h"
#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/editor/flat.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/schedule.h"
#include "diagram/graph/diagram.h"

typedef struct
{
  HeddleEditor *editor;
  const HeddleDerivation *derivation;
} Change;

/* Divisors and orders stay: they are no part of a suggestion. */
static void
forget_labels (HeddleRegion *region)
{
  for (guint i = region->labels->len; i-- > 0;)
    if (((HeddleLabel *) g_ptr_array_index (region->labels, i))->kind <= HEDDLE_LABEL_STREAM)
      g_ptr_array_remove_index (region->labels, i);
}

/* Puts the labels a derivation used into the schedule: statements on their own become regions. */
static gboolean
apply_labels (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (change->editor, snapshot);

  for (guint i = 0; i < change->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (change->derivation->kernels, i);
      const char *region = kernel->region_id;

      if (kernel->labels->len == 0 || heddle_derivation_is_inserted (change->derivation, kernel))
        continue;
      if (region == NULL && !heddle_edit_fuse (snapshot, diagram, kernel->operations, &region, error))
        return FALSE;
      forget_labels (heddle_schedule_get_region (heddle_snapshot_get_schedule (snapshot, diagram), region));
      for (guint j = 0; j < kernel->labels->len; j++)
        {
          const HeddleLabel *label = g_ptr_array_index (kernel->labels, j);

          if (!heddle_edit_set_label (
                  snapshot, diagram, region, label->axis, label->level, label->kind, label->size, error))
            return FALSE;
        }
    }
  return TRUE;
}

static void
say_found (HeddleEditor *editor, const HeddleSchedule *schedule, const HeddleDerivation *suggestion)
{
  if (heddle_suggestion_keeps_labels (suggestion, schedule))
    heddle_editor_tell (editor, _ ("The best with the labels given. Suggest again changes those too."));
  else if (suggestion->kernels->len > 1)
    heddle_editor_tell (editor,
        _ ("The best of %" PRIu64
           " candidates for %u kernels. Fuse makes one of several, which may be faster."),
        suggestion->candidates, suggestion->kernels->len);
  else
    heddle_editor_tell (editor, _ ("The best of %" PRIu64 " candidates, found in %.0f ms"),
        suggestion->candidates, suggestion->milliseconds);
}

static void
take_suggestion (HeddleEditor *editor, const HeddleSchedule *schedule, const HeddleDerivation *suggestion)
{
  Change change = { .editor = editor, .derivation = suggestion };

  if (heddle_suggestion_find_news (suggestion, schedule) == NULL)
    heddle_editor_tell (editor, _ ("These labels are the best already"));
  else if (heddle_editor_edit_schedule (editor, _ ("Suggested Labels"), NULL, apply_labels, &change, NULL))
    say_found (editor, schedule, suggestion);
}

static void
search_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const HeddleDeriveJob *job = data;
  GError *error = NULL;
  HeddleDerivation *found = heddle_suggestion_derive (
      job->diagram, job->schedule, job->sizes, &job->options, cancellable, &error);

  if (found != NULL)
    g_task_return_pointer (task, found, (GDestroyNotify) heddle_derivation_free);
  else
    g_task_return_error (task, error);
}

static void
on_suggested (GObject *source, GAsyncResult *result, gpointer data)
{
  HeddleEditor *editor = HEDDLE_EDITOR (source);
  const HeddleDeriveJob *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleDerivation) suggestion = g_task_propagate_pointer (G_TASK (result), &error);

  heddle_editor_end_search (editor, g_task_get_cancellable (G_TASK (result)));
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return; /* by the person, or by a change of what it was for */
  if (suggestion == NULL)
    heddle_editor_tell (editor, "%s", error->message);
  else
    take_suggestion (editor, job->schedule, suggestion);
}

void
heddle_derivation_suggest (HeddleEditor *editor)
{
  HeddleSizes *sizes = heddle_editor_get_flat_sizes (editor);
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (editor);
  HeddleDeriveOptions options;
  g_autoptr (GTask) task = NULL;

  heddle_editor_get_derive_options (editor, &options);
  if (sizes == NULL || diagram == NULL || options.machine == NULL)
    {
      heddle_editor_tell (editor, _ ("Give every axis a size first"));
      return;
    }
  if (diagram->operations->len == 0)
    {
      heddle_editor_tell (editor, _ ("There is nothing to derive yet"));
      return;
    }
  task = g_task_new (editor, heddle_editor_begin_search (editor), on_suggested, NULL);
  g_task_set_task_data (task,
      heddle_derive_job_new (heddle_editor_get_flat_snapshot (editor), diagram,
          heddle_editor_get_schedule (editor), sizes, &options),
      (GDestroyNotify) heddle_derive_job_free);
  g_task_run_in_thread (task, search_in_thread);
}
