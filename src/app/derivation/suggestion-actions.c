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
#include "codegen/plan/expand.h"
#include "codegen/plan/suggest.h"
#include "codegen/plan/suggestion.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/expand-oversized.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/search-cache.h"
#include "derive/machine/derive-options.h"
#include "derive/report/forecast.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"

typedef struct
{
  HeddleDeriveJob *job;
  HeddleDeriveJob *split; /* the same with products of two, where the diagram has products of more; or NULL */
  gboolean own; /* the diagram is the document's, and not made of one that calls definitions */
  gboolean
      hidden; /* sums that could be split, or whose axes could be joined, go across calls of definitions */
  HeddleForecast before, after; /* the latter: of what the document then holds */
  HeddleSchedule *schedule; /* what is suggested, with all labels */
  HeddleSchedule *together,
      *apart; /* what definitions can hold of it, with the same labels for all calls of one, or each call's; or NULL */
  HeddleFlatCalls calls; /* what the kernels of definitions are taken for */
  gboolean news, keeps; /* whether it has other labels or kernels than the job; all labels of the job */
} Search;

static void
search_clear (gpointer data)
{
  Search *self = data;

  heddle_derive_job_free (self->job);
  g_clear_pointer (&self->split, heddle_derive_job_free);
  g_clear_pointer (&self->schedule, heddle_schedule_free);
  g_clear_pointer (&self->together, heddle_schedule_free);
  g_clear_pointer (&self->apart, heddle_schedule_free);
}

static void
search_unref (gpointer data)
{
  g_rc_box_release_full (data, search_clear);
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

/* Splits sums over products of three arrays or more and joins axes that lie side by side where nobody says what is one
 * kernel, as `heddle derive --suggest` does. A document that calls definitions cannot hold that: it is found out whether
 * there are such sums. */
static void
split_products (Search *self)
{
  HeddleDeriveJob *job = self->job;
  g_autoptr (HeddleSnapshot) draft = NULL;
  g_autoptr (GArray) split = NULL, joined = heddle_ids_new ();
  g_autoptr (HeddleSizes) sizes = NULL;
  HeddleDeriveOptions options = job->options;
  HeddleDiagram *diagram;

  options.objective = HEDDLE_OBJECTIVE_TIME;
  if (!heddle_plan_is_free (job->diagram, job->schedule)
      || !heddle_plan_is_for_kernels (job->schedule, &options))
    return;
  draft = heddle_snapshot_copy (job->snapshot);
  diagram = heddle_snapshot_get_diagram_by_id (draft, job->diagram->id);
  sizes = heddle_sizes_ref (job->sizes);
  split = heddle_diagram_split_products (diagram, &sizes, job->options.dtype, joined);
  if (split->len == 0 && joined->len == 0)
    return;
  if (self->own)
    self->split = heddle_derive_job_new (draft, diagram, job->schedule, sizes, &job->options);
  else
    self->hidden = TRUE;
}

static gboolean
search (Search *self, GCancellable *cancellable, GError **error)
{
  g_auto (HeddlePlanSuggestion) found = { NULL };
  const HeddleDeriveJob *job;

  split_products (self);
  job = self->split != NULL ? self->split : self->job;
  if (!heddle_suggestion_find (&found, job, TRUE, cancellable, error))
    return FALSE;
  self->schedule = heddle_plan_applied (
      job->diagram, found.schedule, found.derivation, job->machine, job->options.dtype);
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
  if (self->split != NULL)
    self->split->options.search_cache = NULL;
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

/* Returns words on what the suggestion gains. */
static char *
describe_gain (const Search *search, const HeddleForecast *now)
{
  g_autofree char *before = amount_of (&search->before), *after = amount_of (now);

  if (search->keeps && heddle_forecast_is_timed (&search->before))
    return g_strdup_printf (
        _ ("%s in place of %s, the best with the labels given. Suggest again changes those too."), after,
        before);
  if (search->keeps)
    return g_strdup_printf (
        _ ("%s, the best with the labels given. Suggest again changes those too."), after);
  if (search->before.n_kernels == 0 || !search->before.fits
      || (search->before.n_kernels == now->n_kernels && g_str_equal (before, after)))
    return g_strdup_printf (_ ("Kernels: %u, %s"), now->n_kernels, after);
  return g_strdup_printf (_ ("Kernels: %u, before %u. %s in place of %s"), now->n_kernels,
      search->before.n_kernels, after, before);
}

static void
say_gain (HeddleEditor *editor, const Search *search, const HeddleForecast *now)
{
  g_autofree char *gain = describe_gain (search, now);

  if (search->hidden)
    heddle_editor_report (editor,
        _ ("%s. Some sums go across calls of definitions: undo this and ungroup those calls, and Suggest "
           "finds faster kernels"),
        gain);
  else
    heddle_editor_report (editor, "%s", gain);
}

typedef struct
{
  HeddleEditor *editor;
  const Search *search;
} Taking;

static gboolean
take_split (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  const Taking *self = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (self->editor, snapshot);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_ref (self->search->job->sizes);
  g_autoptr (GArray) joined = heddle_ids_new ();

  g_array_unref (heddle_diagram_split_products (diagram, &sizes, self->search->job->options.dtype, joined));
  heddle_snapshot_set_schedule (snapshot, diagram, self->search->schedule);
  return TRUE;
}

static gboolean
take_schedule (HeddleEditor *editor, const Search *search)
{
  Taking taking = { editor, search };

  return search->split != NULL
             ? heddle_editor_edit (editor, _ ("Suggested Labels"), NULL, take_split, &taking, NULL)
             : heddle_editor_replace_schedule (
                 editor, _ ("Suggested Labels"), search->schedule, search->calls);
}

static void
take_suggestion (HeddleEditor *editor, const Search *search)
{
  if (!search->news || (!search->keeps && heddle_forecast_is_better (&search->before, &search->after)))
    {
      heddle_editor_report (editor, _ ("These labels are the best already"));
      return;
    }
  if (search->calls == HEDDLE_FLAT_CALLS_APART)
    heddle_editor_set_label_calls (editor, search->calls);
  if (take_schedule (editor, search))
    say_gain (editor, search, &search->after);
}

/* Takes @stored (nullable), what definitions hold of the suggestion for @calls, where that takes no longer. */
static gboolean
try_calls (Search *self, const HeddleSchedule *stored, HeddleFlatCalls calls, GCancellable *cancellable)
{
  const HeddleDeriveJob *job = self->job;
  g_autoptr (HeddleDerivation) derivation
      = stored != NULL ? heddle_derive (job->diagram, stored, job->sizes, &job->options, cancellable, NULL)
                       : NULL;
  HeddleForecast held;

  if (derivation == NULL || derivation->illegal || !heddle_derivation_fits (derivation))
    return FALSE;
  held = heddle_forecast (derivation, job->machine);
  if (heddle_forecast_is_better (&self->after, &held))
    return FALSE;
  self->calls = calls;
  self->after = held;
  return TRUE;
}

/* Finds the plainest form in which the document holds what was found: labels of definitions, of single calls, or kernels
 * that know no calls. */
static void
check_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Search *self = data;

  if (!try_calls (self, self->together, HEDDLE_FLAT_CALLS_TOGETHER, cancellable)
      && !try_calls (self, self->apart, HEDDLE_FLAT_CALLS_APART, cancellable))
    self->calls = HEDDLE_FLAT_CALLS_INLINED;
  g_task_return_boolean (task, TRUE);
}

static void
end_search (GTask *task, HeddleEditor *editor)
{
  heddle_heap_trim_when_idle ();
  heddle_editor_end_search (editor, g_task_get_cancellable (task));
}

static void
on_checked (GObject *source, GAsyncResult *result, gpointer data)
{
  HeddleEditor *editor = HEDDLE_EDITOR (source);

  end_search (G_TASK (result), editor);
  if (g_task_propagate_boolean (G_TASK (result), NULL)) /* FALSE: cancelled */
    take_suggestion (editor, g_task_get_task_data (G_TASK (result)));
}

/* Finds out how the document holds the suggestion. */
static void
check_async (HeddleEditor *editor, Search *search, GCancellable *cancellable)
{
  g_autoptr (GTask) task = g_task_new (editor, cancellable, on_checked, NULL);

  search->together = heddle_editor_dup_stored_schedule (editor, search->schedule, HEDDLE_FLAT_CALLS_TOGETHER);
  search->apart = heddle_editor_dup_stored_schedule (editor, search->schedule, HEDDLE_FLAT_CALLS_APART);
  g_task_set_task_data (task, g_rc_box_acquire (search), search_unref);
  g_task_run_in_thread (task, check_in_thread);
}

static void
on_suggested (GObject *source, GAsyncResult *result, gpointer data)
{
  HeddleEditor *editor = HEDDLE_EDITOR (source);
  Search *search = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean found = g_task_propagate_boolean (G_TASK (result), &error);

  if (found && search->news && !search->own)
    {
      check_async (editor, search, g_task_get_cancellable (G_TASK (result)));
      return;
    }
  end_search (G_TASK (result), editor);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return; /* by the person, or by a change of what it was for */
  if (!found)
    heddle_editor_report (editor, "%s", error->message);
  else
    take_suggestion (editor, search);
}

/* Takes the job. */
static void
search_async (HeddleEditor *editor, HeddleDeriveJob *job)
{
  g_autoptr (GTask) task = g_task_new (editor, heddle_editor_begin_search (editor), on_suggested, NULL);
  Search *search = g_rc_box_new0 (Search);

  search->job = job;
  search->own = heddle_editor_get_flat_diagram (editor) == heddle_editor_get_diagram (editor);
  g_task_set_task_data (task, search, search_unref);
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
  search_async (editor, heddle_derive_job_new (heddle_editor_get_flat_snapshot (editor), diagram,
                            heddle_editor_get_schedule (editor), sizes, &options));
}
