/* SPDX-License-Identifier: MIT */

#include "app/editor/schedule-key.h"
#include "app/derivation/steps.h"
#include "app/editor/derive-job.h"
#include "app/editor/derive.h"
#include "app/editor/flat.h"
#include "app/editor/target.h"
#include "app/widgets/heap-trim.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/report/steps.h"
#include "diagram/graph/diagram.h"

/* More operations than this and steps are priced by a worker. */
#define QUICK_OPERATIONS 64

struct HeddleSteps
{
  HeddleEditor *editor;
  GHashTable *forecasts; /* of HeddleForecast, by what the schedule says */
  gconstpointer alone; /* what they were completed with */
  GCancellable *pricing;
  GSourceFunc found;
  gpointer data;
};

static void
step_free (gpointer data)
{
  HeddleStep *self = data;

  g_free (self->title);
  g_free (self);
}

static GHashTable *
forecasts_new (void)
{
  return g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, g_free);
}

HeddleSteps *
heddle_steps_new (HeddleEditor *editor, GSourceFunc found, gpointer data)
{
  HeddleSteps *self = g_new0 (HeddleSteps, 1);

  self->editor = editor;
  self->found = found;
  self->data = data;
  self->forecasts = forecasts_new ();
  return self;
}

static void
stop_pricing (HeddleSteps *self)
{
  if (self->pricing != NULL)
    g_cancellable_cancel (self->pricing);
  g_clear_object (&self->pricing);
}

void
heddle_steps_free (HeddleSteps *self)
{
  stop_pricing (self);
  g_hash_table_unref (self->forecasts);
  g_free (self);
}

void
heddle_steps_forget (HeddleSteps *self)
{
  stop_pricing (self);
  g_hash_table_remove_all (self->forecasts);
}

/* --- what a schedule promises --- */

/* What cannot be derived is not legal, and need not be tried again. */
static HeddleForecast *
price (HeddleDeriveJob *job, GCancellable *cancellable)
{
  g_autoptr (HeddleDerivation) derivation = heddle_derive_job_run (job, cancellable, NULL);
  HeddleForecast *forecast = g_new0 (HeddleForecast, 1);

  if (derivation != NULL)
    *forecast = heddle_forecast (derivation, job->machine);
  return forecast;
}

/* --- pricing in a worker --- */

/* Of HeddleDeriveJob by what the schedule says; the worker puts forecasts beside them. */
typedef struct
{
  HeddleSteps *steps; /* of the main thread; not there when cancelled */
  GPtrArray *jobs, *keys;
  GHashTable *forecasts;
} Batch;

static void
batch_free (gpointer data)
{
  Batch *self = data;

  g_ptr_array_unref (self->jobs);
  g_ptr_array_unref (self->keys);
  g_hash_table_unref (self->forecasts);
  g_free (self);
}

static void
price_batch (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Batch *batch = data;

  for (guint i = 0; i < batch->jobs->len && !g_cancellable_is_cancelled (cancellable); i++)
    {
      HeddleDeriveJob *job = g_ptr_array_index (batch->jobs, i);

      g_hash_table_insert (
          batch->forecasts, g_bytes_ref (g_ptr_array_index (batch->keys, i)), price (job, cancellable));
    }
  g_ptr_array_set_size (batch->jobs, 0); /* here, for it takes long */
  g_task_return_boolean (task, TRUE);
}

static void
on_priced (GObject *source, GAsyncResult *result, gpointer data)
{
  Batch *batch = g_task_get_task_data (G_TASK (result));
  HeddleSteps *self = batch->steps;
  GHashTableIter iter;
  gpointer key, forecast;

  heddle_heap_trim_when_idle ();
  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return; /* cancelled: the steps may be gone */
  g_clear_object (&self->pricing);
  g_hash_table_iter_init (&iter, batch->forecasts);
  while (g_hash_table_iter_next (&iter, &key, &forecast))
    {
      g_hash_table_iter_steal (&iter);
      g_hash_table_replace (self->forecasts, key, forecast);
    }
  self->found (self->data);
}

/* Prices later; @jobs and @keys are taken. */
static void
price_later (HeddleSteps *self, GPtrArray *jobs, GPtrArray *keys)
{
  Batch *batch = NULL;
  g_autoptr (GTask) task = NULL;

  if (jobs->len == 0)
    {
      g_ptr_array_unref (jobs);
      g_ptr_array_unref (keys);
      return;
    }
  batch = g_new0 (Batch, 1);
  batch->steps = self;
  batch->jobs = jobs;
  batch->keys = keys;
  batch->forecasts = forecasts_new ();
  self->pricing = g_cancellable_new ();
  task = g_task_new (NULL, self->pricing, on_priced, NULL);
  g_task_set_task_data (task, batch, batch_free);
  g_task_run_in_thread (task, price_batch);
}

/* --- the steps --- */

typedef struct
{
  HeddleSteps *steps;
  GPtrArray *found; /* of HeddleStep */
  GPtrArray *unknown, *unknown_keys; /* of HeddleDeriveJob, and what each is remembered by */
  const HeddleSchedule *alone; /* or NULL */
  guint wanted; /* the number of a step; */
  HeddleSchedule *schedule; /* its own */
} Finding;

/* Returns the forecast for @schedule, completed with @alone; NULL means that it is not known yet. */
static const HeddleForecast *
look_up (Finding *finding, const HeddleSchedule *schedule, const HeddleSchedule *alone)
{
  HeddleSteps *self = finding->steps;
  g_autoptr (GBytes) key = heddle_schedule_key (schedule, alone != NULL);
  HeddleForecast *forecast = g_hash_table_lookup (self->forecasts, key);
  HeddleDeriveJob *job = NULL;

  /* A worker that is at others comes back to ask for these. */
  if (forecast == NULL && self->pricing == NULL)
    job = heddle_editor_new_derive_job (self->editor, schedule);
  if (job == NULL)
    return forecast;
  heddle_derive_job_set_rest (job, alone);
  if (job->diagram->operations->len > QUICK_OPERATIONS)
    {
      g_ptr_array_add (finding->unknown, job);
      g_ptr_array_add (finding->unknown_keys, g_steal_pointer (&key));
      return NULL;
    }
  forecast = price (job, NULL);
  heddle_derive_job_free (job);
  g_hash_table_insert (self->forecasts, g_steal_pointer (&key), forecast);
  return forecast;
}

static void
set_forecast (HeddleStep *step, const HeddleForecast *forecast)
{
  step->pending = forecast == NULL;
  if (forecast != NULL)
    step->forecast = *forecast;
}

static void
add_step (guint number, const char *title, const HeddleSchedule *schedule, gpointer data)
{
  Finding *finding = data;
  HeddleStep *step = g_new0 (HeddleStep, 1);

  step->title = g_strdup (title);
  set_forecast (step, look_up (finding, schedule, finding->alone));
  g_ptr_array_add (finding->found, step);
}

static void
take_schedule (guint number, const char *title, const HeddleSchedule *schedule, gpointer data)
{
  Finding *finding = data;

  if (number == finding->wanted)
    finding->schedule = heddle_schedule_complete (schedule, finding->alone);
}

static gboolean
is_read (const HeddleRegion *region, gpointer editor)
{
  return heddle_editor_is_read (editor, region);
}

static gboolean
get_origin (const char *operation, gconstpointer origin[2], gpointer editor)
{
  return heddle_editor_get_origin (editor, operation, origin);
}

static void
visit_steps (Finding *finding, const HeddleSchedule *schedule, HeddleStepFunc visit)
{
  HeddleEditor *editor = finding->steps->editor;
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (editor);
  const HeddleStepRules rules = { heddle_editor_get_machine (editor), is_read, get_origin, editor };

  if (diagram != NULL && schedule != NULL)
    heddle_schedule_visit_steps (diagram, schedule, &rules, visit, finding);
}

GPtrArray *
heddle_steps_find (HeddleSteps *self, const HeddleSchedule *schedule, const HeddleSchedule *alone)
{
  Finding finding = { .steps = self, .alone = alone };

  if (alone != self->alone)
    heddle_steps_forget (self);
  self->alone = alone;
  finding.found = g_ptr_array_new_with_free_func (step_free);
  finding.unknown = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_derive_job_free);
  finding.unknown_keys = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  visit_steps (&finding, schedule, add_step);
  /* The last one is what there is, also of what is in no kernel yet. */
  if (finding.found->len > 0 && schedule->regions->len > 0)
    set_forecast (
        g_ptr_array_index (finding.found, finding.found->len - 1), look_up (&finding, schedule, NULL));
  price_later (self, finding.unknown, finding.unknown_keys);
  return finding.found;
}

HeddleSchedule *
heddle_steps_get_schedule (
    HeddleSteps *self, const HeddleSchedule *schedule, const HeddleSchedule *alone, guint n)
{
  Finding finding = { .steps = self, .alone = alone, .wanted = n };

  visit_steps (&finding, schedule, take_schedule);
  return finding.schedule;
}
