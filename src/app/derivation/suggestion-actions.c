/* SPDX-License-Identifier: MIT */

/* The pane's Suggest searches in a worker thread, and puts the kernels and labels into the schedule. It is
 * that of `heddle derive --suggest --apply`. */

#include <glib/gi18n.h>

#include "app/derivation/suggestion-actions.h"
#include "app/derivation/suggestion.h"
#include "app/editor/derive-job.h"
#include "app/editor/derive.h"
#include "app/editor/flat.h"
#include "app/widgets/format.h"
#include "app/widgets/heap-trim.h"
#include "codegen/plan/suggest.h"
#include "codegen/plan/suggestion.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/search-cache.h"
#include "derive/machine/derive-options.h"
#include "derive/report/forecast.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

typedef struct
{
  HeddleDeriveJob *job;
  gboolean all; /* kernels are open, too, where nothing is fused */
  HeddleForecast before, after;
  HeddleSchedule *schedule; /* what is suggested, with all labels */
  gboolean news, keeps; /* whether it has other labels or kernels than the job; all labels of the job */
} Search;

static void
search_free (gpointer data)
{
  Search *self = data;

  heddle_derive_job_free (self->job);
  g_clear_pointer (&self->schedule, heddle_schedule_free);
  g_free (self);
}

/* As the pane shows it as long as nothing is fused or labelled: a kernel for each equation, at its best. */
static HeddleDerivation *
derive_before (const Search *self, GCancellable *cancellable)
{
  const HeddleDeriveJob *job = self->job;
  HeddleDeriveOptions options = job->options;

  if (job->schedule->regions->len > 0)
    return heddle_derive_job_run (self->job, cancellable, NULL);
  options.suggest = TRUE;
  options.objective = HEDDLE_OBJECTIVE_TIME;
  return heddle_plan_suggest (job->diagram, job->schedule, job->sizes, &options, cancellable, NULL);
}

/* What a person asked for by labels is completed whatever it takes; else nothing is suggested that is no better. */
static void
compare (Search *self, const HeddlePlanSuggestion *found, GCancellable *cancellable)
{
  g_autoptr (HeddleDerivation) before = derive_before (self, cancellable);

  self->keeps = heddle_suggestion_keeps_labels (found->derivation, self->job->schedule);
  self->after = heddle_forecast (found->derivation, self->job->machine);
  self->news = self->job->schedule->regions->len == 0
               || heddle_suggestion_find_news (found->derivation, self->job->schedule) != NULL;
  if (before == NULL)
    return;
  self->before = heddle_forecast (before, self->job->machine);
  self->news = self->news
               && (self->keeps || heddle_forecast_is_better (&self->after, &self->before)
                   || self->job->schedule->regions->len == 0);
}

static gboolean
search (Search *self, GCancellable *cancellable, GError **error)
{
  g_auto (HeddlePlanSuggestion) found = { NULL };

  if (!heddle_suggestion_find (&found, self->job, self->all, cancellable, error))
    return FALSE;
  self->schedule = heddle_plan_applied (
      self->job->diagram, found.schedule, found.derivation, self->job->machine, self->job->options.dtype);
  compare (self, &found, cancellable);
  return TRUE;
}

static void
search_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Search *self = data;
  g_autoptr (HeddleSearchCache) search_cache = heddle_search_cache_new ();
  GError *error = NULL;
  gboolean found;

  self->job->options.search_cache = search_cache;
  found = search (self, cancellable, &error);
  self->job->options.search_cache = NULL;
  if (found)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static char *
amount_of (const HeddleForecast *forecast)
{
  g_autofree char *values = NULL;

  if (heddle_forecast_is_timed (forecast))
    return heddle_format_seconds (forecast->seconds);
  values = heddle_format_count (forecast->values);
  return g_strdup_printf (_ ("%s values moved"), values);
}

static void
say_gain (HeddleEditor *editor, const Search *search)
{
  g_autofree char *before = amount_of (&search->before), *after = amount_of (&search->after);

  if (search->keeps)
    heddle_editor_report (editor, _ ("The best with the labels given. Suggest again changes those too."));
  else if (search->before.n_kernels == 0 || !search->before.fits)
    heddle_editor_report (editor, _ ("Kernels: %u, %s"), search->after.n_kernels, after);
  else
    heddle_editor_report (editor, _ ("Kernels: %u, before %u. %s in place of %s"), search->after.n_kernels,
        search->before.n_kernels, after, before);
}

static void search_async (HeddleEditor *editor, HeddleDeriveJob *job, gboolean all);

static void
take_suggestion (HeddleEditor *editor, const Search *search)
{
  const HeddleDeriveJob *job = search->job;

  if (!search->news)
    heddle_editor_report (editor, _ ("These labels are the best already"));
  else if (search->all && !heddle_editor_can_hold_schedule (editor, search->schedule))
    search_async (editor,
        heddle_derive_job_new (job->snapshot, job->diagram, job->schedule, job->sizes, &job->options), FALSE);
  else if (heddle_editor_replace_schedule (editor, _ ("Suggested Labels"), search->schedule))
    say_gain (editor, search);
}

static void
on_suggested (GObject *source, GAsyncResult *result, gpointer data)
{
  HeddleEditor *editor = HEDDLE_EDITOR (source);
  const Search *search = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean found = g_task_propagate_boolean (G_TASK (result), &error);

  heddle_heap_trim_when_idle ();
  heddle_editor_end_search (editor, g_task_get_cancellable (G_TASK (result)));
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return; /* by the person, or by a change of what it was for */
  if (!found)
    heddle_editor_report (editor, "%s", error->message);
  else
    take_suggestion (editor, search);
}

/* Takes the job. What lies partly within definitions cannot be one kernel of the document: then what is fused stays, and labels are looked for. */
static void
search_async (HeddleEditor *editor, HeddleDeriveJob *job, gboolean all)
{
  g_autoptr (GTask) task = g_task_new (editor, heddle_editor_begin_search (editor), on_suggested, NULL);
  Search *search = g_new0 (Search, 1);

  search->job = job;
  search->all = all;
  g_task_set_task_data (task, search, search_free);
  g_task_run_in_thread (task, search_in_thread);
}

void
heddle_derivation_suggest (HeddleEditor *editor)
{
  HeddleSizes *sizes = heddle_editor_get_flat_sizes (editor);
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (editor);
  HeddleDeriveOptions options;

  heddle_editor_get_derive_options (editor, &options);
  if (sizes == NULL || diagram == NULL || options.machine == NULL)
    {
      heddle_editor_report (editor, _ ("Give every axis a size first"));
      return;
    }
  if (diagram->operations->len == 0)
    {
      heddle_editor_report (editor, _ ("There is nothing to derive yet"));
      return;
    }
  search_async (editor,
      heddle_derive_job_new (heddle_editor_get_flat_snapshot (editor), diagram,
          heddle_editor_get_schedule (editor), sizes, &options),
      TRUE);
}
