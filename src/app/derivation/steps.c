/* SPDX-License-Identifier: MIT */

#include "config.h"

#include "app/derivation/placement.h"
#include "app/derivation/step-title.h"
#include "app/derivation/steps.h"
#include "app/derive-job.h"

/* More operations than this and steps are priced by a worker. */
#define QUICK_OPERATIONS 64

struct HeddleSteps
{
  HeddleEditor *editor;
  GHashTable *forecasts; /* of HeddleForecast, by the text of the schedule */
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

HeddleSteps *
heddle_steps_new (HeddleEditor *editor, GSourceFunc found, gpointer data)
{
  HeddleSteps *self = g_new0 (HeddleSteps, 1);

  self->editor = editor;
  self->found = found;
  self->data = data;
  self->forecasts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
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

static char *
text_of (const HeddleSchedule *schedule)
{
  g_autoptr (GString) key = g_string_new (NULL);

  g_string_append_printf (key, "%s ", schedule->divisors != NULL ? schedule->divisors : "");
  for (guint i = 0; i < schedule->residency->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (schedule->residency, i);

      g_string_append_printf (
          key, "%s:%s@%s ", place->value, place->column != NULL ? place->column : "", place->level);
    }
  for (guint i = 0; i < schedule->recomputed->len; i++)
    {
      const HeddleRecompute *again = &g_array_index (schedule->recomputed, HeddleRecompute, i);

      g_string_append_printf (key, "%s;%s ", again->value, again->column);
    }
  for (guint i = 0; i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      g_string_append_c (key, '|');
      for (guint j = 0; j < region->operations->len; j++)
        g_string_append_printf (key, "%s ", heddle_ids_index (region->operations, j));
      for (guint j = 0; j < region->labels->len; j++)
        {
          const HeddleLabel *label = g_ptr_array_index (region->labels, j);

          g_string_append_printf (
              key, "%s@%s:%d=%" G_GINT64_FORMAT " ", label->axis, label->level, label->kind, label->size);
        }
    }
  return g_string_free (g_steal_pointer (&key), FALSE);
}

static HeddleDeriveJob *
new_job (HeddleSteps *self, const HeddleSchedule *schedule)
{
  HeddleSizes *sizes = heddle_editor_get_flat_sizes (self->editor);
  HeddleDeriveOptions options;

  heddle_editor_get_derive_options (self->editor, &options);
  if (sizes == NULL || options.machine == NULL)
    return NULL;
  return heddle_derive_job_new (heddle_editor_get_flat_snapshot (self->editor),
      heddle_editor_get_flat_diagram (self->editor), schedule, sizes, &options);
}

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

/* Of HeddleDeriveJob by the text of the schedule; the worker puts forecasts beside them. */
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
          batch->forecasts, g_strdup (g_ptr_array_index (batch->keys, i)), price (job, cancellable));
    }
  g_task_return_boolean (task, TRUE);
}

static void
on_priced (GObject *source, GAsyncResult *result, gpointer data)
{
  Batch *batch = g_task_get_task_data (G_TASK (result));
  HeddleSteps *self = batch->steps;
  GHashTableIter iter;
  gpointer key, forecast;

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

/* @jobs, @keys: taken */
static void
price_later (HeddleSteps *self, GPtrArray *jobs, GPtrArray *keys)
{
  Batch *batch = NULL;
  g_autoptr (GTask) task = NULL;

  if (jobs->len == 0 || self->pricing != NULL)
    {
      g_ptr_array_unref (jobs);
      g_ptr_array_unref (keys);
      return;
    }
  batch = g_new0 (Batch, 1);
  batch->steps = self;
  batch->jobs = jobs;
  batch->keys = keys;
  batch->forecasts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->pricing = g_cancellable_new ();
  task = g_task_new (NULL, self->pricing, on_priced, NULL);
  g_task_set_task_data (task, batch, batch_free);
  g_task_run_in_thread (task, price_batch);
}

/* --- the steps --- */

static HeddleRegion *
bare_region (const HeddleRegion *region)
{
  HeddleRegion *bare = heddle_region_new (region->id);

  for (guint i = 0; i < region->operations->len; i++)
    heddle_ids_append (bare->operations, heddle_ids_index (region->operations, i));
  return bare;
}

static HeddleRegion *
copy_region (const HeddleRegion *region)
{
  HeddleRegion *copy = bare_region (region);

  for (guint i = 0; i < region->labels->len; i++)
    g_ptr_array_add (copy->labels, heddle_label_copy (g_ptr_array_index (region->labels, i)));
  return copy;
}

typedef struct
{
  HeddleSteps *steps;
  GPtrArray *found; /* of HeddleStep */
  GPtrArray *unknown, *unknown_keys; /* of HeddleDeriveJob, and what each is remembered by */
  HeddleSchedule *partial;
  const HeddleSchedule *alone; /* or NULL */
  GArray *partials; /* of HeddleSchedule *: one for each step, where they are asked for; or NULL */
  gboolean quick;
} Finding;

static gboolean
overlaps (const HeddleSchedule *schedule, const HeddleRegion *region)
{
  for (guint i = 0; i < region->operations->len; i++)
    if (heddle_schedule_region_of (schedule, heddle_ids_index (region->operations, i)) != NULL)
      return TRUE;
  return FALSE;
}

/* What no step has come to yet runs as it did before the first. Transfer full. */
static HeddleSchedule *
complete (const HeddleSchedule *partial, const HeddleSchedule *alone)
{
  HeddleSchedule *whole = heddle_schedule_copy (partial);

  for (guint i = 0; alone != NULL && i < alone->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (alone->regions, i);

      if (!overlaps (partial, region))
        g_ptr_array_add (whole->regions, copy_region (region));
    }
  return whole;
}

/* The forecast for @schedule, completed with @alone; NULL: it is not known yet. */
static const HeddleForecast *
look_up (Finding *finding, const HeddleSchedule *schedule, const HeddleSchedule *alone)
{
  HeddleSteps *self = finding->steps;
  g_autofree char *text = text_of (schedule);
  g_autofree char *key = g_strconcat (text, alone != NULL ? "+" : "", NULL);
  HeddleForecast *forecast = g_hash_table_lookup (self->forecasts, key);
  HeddleDeriveJob *job = NULL;

  if (forecast == NULL)
    {
      HeddleSchedule *whole = complete (schedule, alone);

      job = new_job (self, whole);
      heddle_schedule_free (whole);
    }
  if (job == NULL)
    return forecast;
  if (!finding->quick)
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

/* The same label on several kernels is one step. @title: taken */
static void
add_step (Finding *finding, char *title)
{
  GPtrArray *steps = finding->found;
  HeddleStep *last = steps->len > 0 ? g_ptr_array_index (steps, steps->len - 1) : NULL;

  if (last == NULL || !g_str_equal (last->title, title))
    {
      last = g_new0 (HeddleStep, 1);
      last->title = g_steal_pointer (&title);
      g_ptr_array_add (steps, last);
    }
  else if (finding->partials != NULL)
    {
      heddle_schedule_free (g_array_index (finding->partials, HeddleSchedule *, steps->len - 1));
      g_array_set_size (finding->partials, steps->len - 1);
    }
  g_free (title);
  if (finding->partials != NULL)
    {
      HeddleSchedule *whole = complete (finding->partial, finding->alone);

      g_array_append_val (finding->partials, whole);
    }
  else
    set_forecast (last, look_up (finding, finding->partial, finding->alone));
}

/* The regions that are one kernel of a definition, each time that it is called: one step fuses or labels them all. */
static GPtrArray *
same_kernel (HeddleSteps *self, const HeddleSchedule *schedule, guint first)
{
  const HeddleRegion *region = g_ptr_array_index (schedule->regions, first);
  const char *operation = region->operations->len > 0 ? heddle_ids_index (region->operations, 0) : NULL;
  GPtrArray *same = g_ptr_array_new ();

  for (guint i = 0; i < schedule->regions->len; i++)
    {
      HeddleRegion *other = g_ptr_array_index (schedule->regions, i);
      gboolean is_same = other == region
                         || (operation != NULL && other->operations->len == region->operations->len
                             && heddle_editor_have_same_origin (
                                 self->editor, operation, heddle_ids_index (other->operations, 0)));

      if (is_same && i < first)
        {
          g_ptr_array_set_size (same, 0); /* it was told with that one */
          return same;
        }
      if (is_same)
        g_ptr_array_add (same, other);
    }
  return same;
}

static void
add_kernel (Finding *finding, GPtrArray *same)
{
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (finding->steps->editor);
  const HeddleRegion *first = same->len > 0 ? g_ptr_array_index (same, 0) : NULL;
  guint begin = finding->partial->regions->len;
  char *title = first != NULL ? heddle_step_title_of_fusion (diagram, first) : NULL;

  for (guint i = 0; i < same->len; i++)
    g_ptr_array_add (finding->partial->regions, bare_region (g_ptr_array_index (same, i)));
  if (title != NULL)
    add_step (finding, title);
  for (guint i = 0; first != NULL && i < first->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (first->labels, i);

      for (guint j = 0; j < same->len; j++)
        {
          const HeddleRegion *of = g_ptr_array_index (same, j);
          HeddleRegion *bare = g_ptr_array_index (finding->partial->regions, begin + j);

          if (i < of->labels->len)
            g_ptr_array_add (bare->labels, heddle_label_copy (g_ptr_array_index (of->labels, i)));
        }
      if (label->inactive == NULL && label->kind <= HEDDLE_LABEL_STREAM)
        add_step (finding,
            heddle_step_title_of_label (diagram, label->axis, label->level, label->kind, label->size));
    }
}

/* They are there from the first step on. */
static void
add_reads (Finding *finding, const HeddleSchedule *schedule)
{
  for (guint i = 0; i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      if (heddle_editor_is_read (finding->steps->editor, region))
        g_ptr_array_add (finding->partial->regions, copy_region (region));
    }
}

static void
add_divisors (Finding *finding, const HeddleSchedule *schedule)
{
  if (schedule->divisors == NULL)
    return;
  finding->partial->divisors = g_strdup (schedule->divisors);
  add_step (finding, heddle_step_title_of_divisors (schedule->divisors));
}

static void
add_kernels (Finding *finding, const HeddleSchedule *schedule)
{
  for (guint i = 0; i < schedule->regions->len; i++)
    {
      g_autoptr (GPtrArray) same = NULL;

      if (heddle_editor_is_read (finding->steps->editor, g_ptr_array_index (schedule->regions, i)))
        continue;
      same = same_kernel (finding->steps, schedule, i);
      add_kernel (finding, same);
    }
}

static void
add_places (Finding *finding, const HeddleSchedule *schedule)
{
  HeddleEditor *editor = finding->steps->editor;
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (editor);

  for (guint i = 0; i < schedule->residency->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (schedule->residency, i);

      heddle_schedule_set_residency (finding->partial, place->value, place->column, place->level);
      add_step (finding, heddle_placement_title (diagram, heddle_editor_get_machine (editor), place));
    }
  for (guint i = 0; i < schedule->recomputed->len; i++)
    {
      const HeddleRecompute *again = &g_array_index (schedule->recomputed, HeddleRecompute, i);

      heddle_schedule_set_recomputed (finding->partial, again->value, again->column, TRUE);
      add_step (finding, heddle_recompute_title (diagram, again));
    }
}

static void
find (Finding *finding, const HeddleSchedule *schedule)
{
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (finding->steps->editor);

  finding->found = g_ptr_array_new_with_free_func (step_free);
  if (diagram == NULL || schedule == NULL)
    return;
  finding->quick = diagram->operations->len <= QUICK_OPERATIONS;
  finding->partial = heddle_schedule_new (diagram->id);
  add_reads (finding, schedule);
  add_divisors (finding, schedule);
  add_kernels (finding, schedule);
  add_places (finding, schedule);
  heddle_schedule_free (finding->partial);
}

GPtrArray *
heddle_steps_find (HeddleSteps *self, const HeddleSchedule *schedule, const HeddleSchedule *alone)
{
  Finding finding = { .steps = self, .alone = alone };

  if (alone != self->alone)
    heddle_steps_forget (self);
  self->alone = alone;
  finding.unknown = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_derive_job_free);
  finding.unknown_keys = g_ptr_array_new_with_free_func (g_free);
  find (&finding, schedule);
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
  Finding finding = { .steps = self, .alone = alone };
  HeddleSchedule *wanted = NULL;

  finding.partials = g_array_new (FALSE, FALSE, sizeof (HeddleSchedule *));
  find (&finding, schedule);
  for (guint i = 0; i < finding.partials->len; i++)
    if (i + 1 == n)
      wanted = g_array_index (finding.partials, HeddleSchedule *, i);
    else
      heddle_schedule_free (g_array_index (finding.partials, HeddleSchedule *, i));
  g_array_unref (finding.partials);
  g_ptr_array_unref (finding.found);
  return wanted;
}
