/* SPDX-License-Identifier: MIT */

#include "app/derivation/suggestion.h"
#include "codegen/plan/suggest.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

HeddleSchedule *
heddle_schedule_strip (const HeddleSchedule *schedule)
{
  HeddleSchedule *bare = heddle_schedule_copy (schedule);

  for (guint i = 0; i < bare->regions->len; i++)
    {
      HeddleRegion *region = g_ptr_array_index (bare->regions, i);

      g_ptr_array_set_size (region->labels, 0);
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

/* FALSE: the labels given leave no way to complete them, or are complete. */
static gboolean
completes (const HeddleDerivation *complete, const HeddleSchedule *schedule)
{
  for (guint i = 0; complete != NULL && i < complete->kernels->len; i++)
    if (!((HeddleKernel *) g_ptr_array_index (complete->kernels, i))->fits)
      return FALSE;
  return complete != NULL && heddle_suggestion_find_news (complete, schedule) != NULL;
}

HeddleDerivation *
heddle_suggestion_derive (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error)
{
  HeddleDeriveOptions suggesting = *options;
  g_autoptr (HeddleDerivation) complete = NULL;
  HeddleSchedule *bare = NULL;
  HeddleDerivation *best = NULL;

  suggesting.suggest = TRUE;
  suggesting.objective = HEDDLE_OBJECTIVE_TIME;
  complete = heddle_plan_suggest (diagram, schedule, sizes, &suggesting, cancellable, NULL);
  if (completes (complete, schedule))
    return g_steal_pointer (&complete);
  bare = heddle_schedule_strip (schedule);
  best = heddle_plan_suggest (diagram, bare, sizes, &suggesting, cancellable, error);
  heddle_schedule_free (bare);
  return best;
}
