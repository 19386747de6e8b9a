/* SPDX-License-Identifier: MIT */

#include "app/derivation/suggestion.h"
#include "derive/derivation/expand-oversized.h"
#include "derive/machine/derive-options.h"

HeddleSchedule *
heddle_schedule_strip (const HeddleSchedule *schedule)
{
  HeddleSchedule *bare = heddle_schedule_copy (schedule);

  for (guint i = 0; i < bare->regions->len; i++)
    {
      HeddleRegion *region = g_ptr_array_index (bare->regions, i);

      for (guint k = region->labels->len; k-- > 0;)
        if (((const HeddleLabel *) g_ptr_array_index (region->labels, k))->kind <= HEDDLE_LABEL_STREAM)
          g_ptr_array_remove_index (region->labels, k);
    }
  return bare;
}

static const HeddleRegion *
region_of_kernel (const HeddleKernel *kernel, const HeddleSchedule *schedule)
{
  return kernel->region_id != NULL
             ? heddle_schedule_get_region ((HeddleSchedule *) schedule, kernel->region_id)
             : NULL;
}

const HeddleLabel *
heddle_suggestion_find_news (const HeddleDerivation *suggestion, const HeddleSchedule *schedule)
{
  for (guint i = 0; i < suggestion->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (suggestion->kernels, i);
      const HeddleRegion *region = region_of_kernel (kernel, schedule);

      for (guint j = 0; j < kernel->labels->len; j++)
        {
          const HeddleLabel *label = g_ptr_array_index (kernel->labels, j);
          const HeddleLabel *given
              = region != NULL ? heddle_region_get_label (region, label->axis, label->level, label->kind)
                               : NULL;

          if (given == NULL || given->size != label->size)
            return label;
        }
    }
  return NULL;
}

gboolean
heddle_suggestion_keeps_labels (const HeddleDerivation *suggestion, const HeddleSchedule *schedule)
{
  guint n_given = 0, n_kept = 0;

  for (guint i = 0; i < schedule->regions->len; i++)
    n_given += ((HeddleRegion *) g_ptr_array_index (schedule->regions, i))->labels->len;
  for (guint i = 0; i < suggestion->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (suggestion->kernels, i);
      const HeddleRegion *region = region_of_kernel (kernel, schedule);

      for (guint j = 0; region != NULL && j < kernel->labels->len; j++)
        {
          const HeddleLabel *label = g_ptr_array_index (kernel->labels, j);
          const HeddleLabel *given = heddle_region_get_label (region, label->axis, label->level, label->kind);

          n_kept += given != NULL && given->size == label->size;
        }
    }
  return n_given > 0 && n_kept == n_given;
}

/* Returns whether the labels given leave a way to complete them, and are not complete. */
static gboolean
completes (const HeddleDerivation *complete, const HeddleSchedule *schedule)
{
  return !complete->illegal && heddle_derivation_fits (complete)
         && heddle_suggestion_find_news (complete, schedule) != NULL;
}

static gboolean
find (HeddlePlanSuggestion *found, const HeddleDeriveJob *job, const HeddleSchedule *schedule,
    GCancellable *cancellable, GError **error)
{
  HeddleDeriveOptions options = job->options;

  options.suggest = TRUE;
  options.objective = HEDDLE_OBJECTIVE_TIME;
  return heddle_plan_suggestion_init (
      found, job->diagram, schedule, job->sizes, &options, cancellable, error);
}

/* Each statement a kernel, if nothing is fused: regions are what keeps kernels from being looked for. */
static HeddleSchedule *
given_kernels (const HeddleDeriveJob *job, gboolean all)
{
  if (all || !heddle_plan_is_free (job->diagram, job->schedule))
    return heddle_schedule_copy (job->schedule);
  return heddle_plan_statements (job->diagram, job->schedule, job->machine);
}

gboolean
heddle_suggestion_find (HeddlePlanSuggestion *found, const HeddleDeriveJob *job, gboolean all,
    GCancellable *cancellable, GError **error)
{
  HeddleSchedule *given = given_kernels (job, all), *bare = NULL;
  gboolean good = find (found, job, given, cancellable, NULL);

  if (good && (heddle_plan_is_free (job->diagram, given) || completes (found->derivation, job->schedule)))
    {
      heddle_schedule_free (given);
      return TRUE;
    }
  if (good)
    heddle_plan_suggestion_clear (found);
  bare = heddle_schedule_strip (given);
  heddle_schedule_free (given);
  good = find (found, job, bare, cancellable, error);
  heddle_schedule_free (bare);
  return good;
}
