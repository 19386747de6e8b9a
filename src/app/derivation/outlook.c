/* SPDX-License-Identifier: MIT */

#include "app/derivation/outlook.h"
#include "app/derivation/suggestion.h"
#include "app/editor/derive-job.h"
#include "app/editor/derive.h"
#include "app/editor/preview.h"
#include "app/widgets/heap-trim.h"
#include "codegen/plan/suggest.h"
#include "codegen/plan/suggestion.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/report/step-title.h"
#include "derive/report/steps.h"

/* Of more a schedule takes longer to free than a frame. */
#define MANY_KERNELS 200

typedef struct
{
  HeddleForecast baseline, start, suggestion;
  gboolean has_baseline, has_start, has_suggestion;
  HeddleKernelTimes *kernels; /* of the start; or NULL */
  HeddleSchedule *alone; /* each operation as a kernel, at its best; or NULL */
  char *title;
} Search;

struct _HeddleOutlook
{
  GObject parent_instance;

  HeddleEditor *editor;
  GCancellable *cancellable; /* the search under way */
  Search *found;
};

G_DEFINE_FINAL_TYPE (HeddleOutlook, heddle_outlook, G_TYPE_OBJECT)

static guint changed_signal;

static void
search_free (gpointer data)
{
  Search *self = data;

  if (self->alone != NULL && self->alone->regions->len > MANY_KERNELS)
    heddle_heap_trim_free (g_steal_pointer (&self->alone), (GDestroyNotify) heddle_schedule_free);
  g_clear_pointer (&self->alone, heddle_schedule_free);
  g_clear_pointer (&self->kernels, heddle_kernel_times_free);
  g_free (self->title);
  g_free (self);
}

/* The same with what is said of arrays: what there is as long as nothing is fused or labelled. */
static void
find_start (Search *self, const HeddleDeriveJob *job, GCancellable *cancellable)
{
  HeddleSchedule *start = heddle_schedule_copy (self->alone);
  HeddleDeriveOptions options = job->options;
  g_autoptr (HeddleDerivation) derivation = NULL;

  for (guint i = 0; i < job->schedule->residency->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (job->schedule->residency, i);

      heddle_schedule_set_residency (start, place->value, place->column, place->level);
    }
  for (guint i = 0; i < job->schedule->recomputed->len; i++)
    {
      const HeddleRecompute *again = &g_array_index (job->schedule->recomputed, HeddleRecompute, i);

      heddle_schedule_set_recomputed (start, again->value, again->column, TRUE);
    }
  options.lean = TRUE;
  derivation = heddle_derive (job->diagram, start, job->sizes, &options, cancellable, NULL);
  heddle_schedule_free (start);
  self->has_start = derivation != NULL && !derivation->illegal;
  if (!self->has_start)
    return;
  self->start = heddle_forecast (derivation, job->machine);
  g_clear_pointer (&self->kernels, heddle_kernel_times_free);
  self->kernels = heddle_kernel_times_new (derivation);
}

/* So many kernels begin with labels that are suggested for them, which takes eight seconds for Mixtral's 1,123; more with the search's best. */
#define MOST_SUGGESTED 1200

static void
find_baseline (Search *self, const HeddleDeriveJob *job, GCancellable *cancellable)
{
  HeddleSchedule *none = heddle_schedule_new (job->diagram->id);
  HeddleDeriveOptions options = job->options;
  g_autoptr (HeddleDerivation) derivation = NULL;

  options.suggest = TRUE;
  options.objective = HEDDLE_OBJECTIVE_TIME;
  options.lean = TRUE;
  derivation = heddle_derive (job->diagram, none, job->sizes, &options, cancellable, NULL);
  if (derivation != NULL && derivation->kernels->len <= MOST_SUGGESTED)
    {
      g_clear_pointer (&derivation, heddle_derivation_free);
      options.lean = FALSE;
      derivation = heddle_plan_suggest (job->diagram, none, job->sizes, &options, cancellable, NULL);
    }
  heddle_schedule_free (none);
  if (derivation == NULL)
    return;
  self->baseline = heddle_forecast (derivation, options.machine);
  self->kernels = heddle_kernel_times_new (derivation);
  self->has_baseline = TRUE;
  self->alone = heddle_derivation_to_schedule (derivation, job->diagram);
  if (job->schedule->residency->len > 0 || job->schedule->recomputed->len > 0)
    find_start (self, job, cancellable);
}

static void
find_suggestion (Search *self, HeddleDeriveJob *job, GCancellable *cancellable)
{
  g_autoptr (HeddleDerivation) now = NULL;
  g_auto (HeddlePlanSuggestion) best = { NULL };
  const HeddleLabel *news = NULL;
  HeddleForecast forecast;

  if (job->schedule->regions->len == 0)
    return;
  now = heddle_derive_job_run (job, cancellable, NULL);
  if (heddle_suggestion_find (&best, job, FALSE, cancellable, NULL))
    news = heddle_suggestion_find_news (best.derivation, job->schedule);
  if (now == NULL || news == NULL)
    return;
  forecast = heddle_forecast (now, job->machine);
  self->suggestion = heddle_forecast (best.derivation, job->machine);
  self->has_suggestion = heddle_forecast_is_better (&self->suggestion, &forecast);
  self->title = heddle_step_title_of_label (job->diagram, news->axis, news->level, news->kind, news->size);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Search *search = g_new0 (Search, 1);

  find_baseline (search, data, cancellable);
  find_suggestion (search, data, cancellable);
  g_task_return_pointer (task, search, search_free);
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer data)
{
  HeddleOutlook *self = HEDDLE_OUTLOOK (source);
  Search *search = g_task_propagate_pointer (G_TASK (result), NULL);

  heddle_heap_trim_when_idle ();
  if (search == NULL)
    return; /* cancelled: overtaken by another search */
  g_clear_pointer (&self->found, search_free);
  self->found = search;
  g_signal_emit (self, changed_signal, 0);
}

static void
stop (HeddleOutlook *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static void
search (HeddleOutlook *self)
{
  HeddleDeriveJob *job = NULL;
  g_autoptr (GTask) task = NULL;

  stop (self);
  if (heddle_editor_get_derivation (self->editor, NULL) != NULL)
    job = heddle_editor_new_derive_job (self->editor, heddle_editor_get_schedule (self->editor));
  if (job == NULL)
    {
      g_clear_pointer (&self->found, search_free);
      return;
    }
  self->cancellable = g_cancellable_new ();
  task = g_task_new (self, self->cancellable, on_found, NULL);
  g_task_set_task_data (task, job, (GDestroyNotify) heddle_derive_job_free);
  g_task_run_in_thread (task, run);
}

const HeddleForecast *
heddle_outlook_get_baseline (HeddleOutlook *self)
{
  return self->found != NULL && self->found->has_baseline ? &self->found->baseline : NULL;
}

const HeddleForecast *
heddle_outlook_get_start (HeddleOutlook *self)
{
  return self->found != NULL && self->found->has_start ? &self->found->start
                                                       : heddle_outlook_get_baseline (self);
}

const HeddleSchedule *
heddle_outlook_get_alone (HeddleOutlook *self)
{
  return self->found != NULL ? self->found->alone : NULL;
}

HeddleKernelTimes *
heddle_outlook_dup_kernels (HeddleOutlook *self)
{
  const HeddleSchedule *schedule = heddle_editor_get_shown_schedule (self->editor);

  if (schedule != NULL && schedule->regions->len > 0)
    return heddle_kernel_times_new (heddle_editor_get_shown_derivation (self->editor));
  return self->found != NULL ? heddle_kernel_times_copy (self->found->kernels) : NULL;
}

const HeddleForecast *
heddle_outlook_get_suggestion (HeddleOutlook *self, const char **title)
{
  if (self->found == NULL || !self->found->has_suggestion)
    return NULL;
  if (title != NULL)
    *title = self->found->title;
  return &self->found->suggestion;
}

static void
heddle_outlook_dispose (GObject *object)
{
  HeddleOutlook *self = HEDDLE_OUTLOOK (object);

  stop (self);
  if (self->editor != NULL)
    g_signal_handlers_disconnect_by_data (self->editor, self);
  g_clear_object (&self->editor);
  g_clear_pointer (&self->found, search_free);
  G_OBJECT_CLASS (heddle_outlook_parent_class)->dispose (object);
}

static void
heddle_outlook_class_init (HeddleOutlookClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_outlook_dispose;
  changed_signal
      = g_signal_new ("changed", HEDDLE_TYPE_OUTLOOK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
heddle_outlook_init (HeddleOutlook *self)
{
}

HeddleOutlook *
heddle_outlook_new (HeddleEditor *editor)
{
  HeddleOutlook *self = g_object_new (HEDDLE_TYPE_OUTLOOK, NULL);

  self->editor = g_object_ref (editor);
  g_signal_connect_swapped (editor, "changed", G_CALLBACK (search), self);
  g_signal_connect_swapped (editor, "derivation-changed", G_CALLBACK (search), self);
  search (self);
  return self;
}
