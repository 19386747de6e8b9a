/* SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "derive/cost/level-cost.h"
#include "derive/cost/report.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/expand-oversized.h"
#include "derive/derivation/schedule-text.h"
#include "derive/report/comparison.h"
#include "derive/suggest/codesign.h"
#include "derive/suggest/shard-suggest.h"

/* The greatest factor from a machine's own figure that is tried. */
#define MOST_FACTOR 64.
/* The number of candidates of a search beyond which the labels found are kept while a machine's figures are
 * changed. */
#define MAX_CANDIDATES 20000
/* The number of kernels beyond which it is not computed what would move their bound: a machine's figures are
 * changed some hundred times, and each time all kernels are priced. */
#define MOST_CROSSED 64

void
heddle_comparison_free (HeddleComparison *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->machine, heddle_machine_free);
  g_clear_pointer (&self->diagram, heddle_diagram_free);
  g_clear_pointer (&self->schedule, heddle_schedule_free);
  g_clear_pointer (&self->derivation, heddle_derivation_free);
  g_clear_pointer (&self->crossings, g_array_unref);
  g_clear_pointer (&self->written_out, g_array_unref);
  g_free (self);
}

void
heddle_schedule_drop_tiles (HeddleSchedule *schedule, const HeddleMachine *machine)
{
  for (guint i = 0; i < schedule->regions->len; i++)
    {
      HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      for (guint k = region->labels->len; k-- > 0;)
        {
          const HeddleLabel *label = g_ptr_array_index (region->labels, k);

          if ((label->kind == HEDDLE_LABEL_GROUP || label->kind == HEDDLE_LABEL_STREAM)
              && heddle_machine_find_link (machine, label->level) < 0)
            g_ptr_array_remove_index (region->labels, k);
        }
    }
}

/* Returns a copy of the diagram in which every array of real numbers has that type. */
static HeddleDiagram *
diagram_in_type (const HeddleDiagram *diagram, HeddleDtype dtype)
{
  HeddleDiagram *copy = heddle_diagram_copy (diagram);

  for (guint i = 0; dtype != HEDDLE_DTYPE_UNSET && i < copy->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (copy->values, i);

      if (heddle_dtype_is_real (value->dtype))
        heddle_diagram_edit_value (copy, value->id)->dtype = dtype;
    }
  return copy;
}

static HeddleDeriveOptions
options_of (const HeddleComparison *self, HeddleDtype declared)
{
  return (HeddleDeriveOptions){ .machine = self->machine,
    .dtype = self->dtype != HEDDLE_DTYPE_UNSET ? self->dtype : declared,
    .objective = HEDDLE_OBJECTIVE_TIME,
    .stages = 1,
    .suggest = TRUE };
}

static gboolean
cannot_be_one (const GError *error)
{
  return g_error_matches (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION)
         || g_error_matches (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_PROGRAM);
}

/* Makes each statement a kernel. */
static void
cut_finely (HeddleComparison *self)
{
  HeddleSchedule *fine = heddle_schedule_fuse (self->diagram, NULL, "none", NULL);

  heddle_schedule_take_links (fine, self->schedule, self->machine);
  heddle_schedule_free (self->schedule);
  self->schedule = fine;
}

/* Makes every statement a kernel where nobody said what is one kernel and everything in one fits no memory;
 * softmaxes and norms that still do not fit are expanded. */
static gboolean
cut_what_does_not_fit (HeddleComparison *self, const HeddleSizes *sizes, const HeddleDeriveOptions *how,
    HeddleDeriveFunc suggest, GCancellable *cancellable, GError **error)
{
  if (heddle_derivation_fits (self->derivation) || heddle_schedule_has_labels (self->schedule))
    return TRUE;
  self->written_out = heddle_diagram_expand_oversized (self->diagram, NULL, sizes, how);
  if (self->written_out->len == 0 && self->diagram->operations->len < 2)
    return TRUE;
  g_clear_pointer (&self->derivation, heddle_derivation_free);
  cut_finely (self);
  self->derivation = suggest (self->diagram, self->schedule, sizes, how, cancellable, error);
  return self->derivation != NULL;
}

static gboolean
derive (HeddleComparison *self, const HeddleSizes *sizes, HeddleDtype declared, HeddleDeriveFunc suggest,
    gboolean split, GCancellable *cancellable, GError **error)
{
  HeddleDeriveOptions how = options_of (self, declared);
  g_autoptr (GError) reason = NULL;

  self->derivation = suggest (self->diagram, self->schedule, sizes, &how, cancellable, &reason);
  if (self->derivation == NULL && split && cannot_be_one (reason))
    {
      g_clear_error (&reason);
      cut_finely (self);
      self->derivation = suggest (self->diagram, self->schedule, sizes, &how, cancellable, &reason);
    }
  if (self->derivation == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&reason));
      return FALSE;
    }
  return !split || cut_what_does_not_fit (self, sizes, &how, suggest, cancellable, error);
}

HeddleComparison *
heddle_comparison_new (const HeddleDiagram *diagram, HeddleSchedule *schedule, const HeddleSizes *sizes,
    HeddleMachine *machine, HeddleDtype dtype, HeddleDtype declared, HeddleDeriveFunc suggest, gboolean split,
    GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleComparison) self = g_new0 (HeddleComparison, 1);

  self->machine = machine;
  self->dtype = dtype;
  self->declared = declared;
  self->schedule = schedule;
  self->diagram = diagram_in_type (diagram, dtype);
  if (!heddle_derive_check_work (diagram, error) || !heddle_derive_check_count (diagram, error)
      || !derive (self, sizes, declared, suggest, split, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* --- what would move the bound --------------------------------------------------------- */

/* Takes what a search found as labels that are given. */
static void
keep_labels (HeddleComparison *self)
{
  HeddleSchedule *schedule = heddle_schedule_copy (self->schedule);

  for (guint i = 0; i < self->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (self->derivation->kernels, i);
      HeddleRegion *region
          = kernel->region_id != NULL ? heddle_schedule_get_region (schedule, kernel->region_id) : NULL;

      if (heddle_derivation_is_inserted (self->derivation, kernel))
        continue;
      if (region == NULL)
        {
          region = heddle_schedule_add_region (schedule);
          g_array_append_vals (region->operations, kernel->operations->data, kernel->operations->len);
        }
      g_ptr_array_set_size (region->labels, 0);
      for (guint k = 0; k < kernel->labels->len; k++)
        g_ptr_array_add (region->labels, heddle_label_copy (g_ptr_array_index (kernel->labels, k)));
    }
  heddle_schedule_free (self->schedule);
  self->schedule = schedule;
}

gboolean
heddle_comparison_find_crossings (
    HeddleComparison *self, const HeddleSizes *sizes, HeddleDtype declared, GError **error)
{
  HeddleDeriveOptions how = options_of (self, declared);

  g_return_val_if_fail (self->crossings == NULL, FALSE);

  if (self->derivation->kernels->len > MOST_CROSSED)
    {
      self->crossings = g_array_new (FALSE, FALSE, sizeof (HeddleCrossing));
      self->uncrossed = TRUE;
      return TRUE;
    }
  if (self->derivation->candidates > MAX_CANDIDATES)
    {
      keep_labels (self);
      how.suggest = FALSE;
    }
  self->crossings = heddle_codesign_new (self->diagram, self->schedule, sizes, &how, MOST_FACTOR, error);
  return self->crossings != NULL;
}

/* --- sums over kernels --------------------------------------------------------------- */

HeddleComparisonSummary
heddle_comparison_summarise (const HeddleComparison *self)
{
  gboolean abstract = heddle_machine_is_abstract (self->machine);
  HeddleComparisonSummary sum = { .fits = TRUE };

  for (guint i = 0; i < self->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (self->derivation->kernels, i);
      const HeddleLevelCost *level = g_ptr_array_index (kernel->levels, 0);
      double workers = heddle_level_cost_workers (level, self->machine);

      if (!abstract && self->machine->max_blocks_per_sm > 0)
        workers = MIN (workers, self->machine->max_blocks_per_sm);
      sum.held = MAX (sum.held, abstract ? level->memory_elements : level->memory_bytes);
      sum.workers = sum.workers == 0. ? workers : MIN (sum.workers, workers);
      sum.serial_s += kernel->serial_s;
      sum.fits = sum.fits && kernel->fits;
    }
  return sum;
}

char *
heddle_comparison_tiles (const HeddleComparison *self, const HeddleKernel *kernel)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (kernel->labels, i);
      const HeddleAxis *axis = heddle_diagram_get_axis (
          heddle_derivation_diagram (self->derivation, self->diagram), label->axis);
      const char *name = axis != NULL ? axis->name : label->axis;

      if (label->kind == HEDDLE_LABEL_GROUP)
        g_string_append_printf (text, "%sg_%s=%" PRId64, text->len > 0 ? " " : "", name, label->size);
      else if (label->kind == HEDDLE_LABEL_STREAM)
        g_string_append_printf (text, "%ss_%s=%" PRId64, text->len > 0 ? " " : "", name, label->size);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
