/* SPDX-License-Identifier: MIT */
#include <string.h>

#include <glib/gi18n.h>

#include "cli/derivation.h"
#include "codegen/plan/expand.h"
#include "codegen/plan/suggest.h"
#include "codegen/plan/suggestion.h"
#include "codegen/plan/tiles.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/expand-oversized.h"
#include "derive/derivation/place-text.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/divisors-machine.h"
#include "derive/kernel/search-cache.h"
#include "derive/legality/refusal.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/report/comparison.h"
#include "derive/suggest/shard-suggest.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/snapshot.h"

void
heddle_derivation_options_clear (HeddleDerivationOptions *self)
{
  g_clear_pointer (&self->gpu, g_free);
  g_clear_pointer (&self->fuse, g_free);
  g_clear_pointer (&self->columns, g_free);
  g_clear_pointer (&self->objective, g_free);
  g_clear_pointer (&self->family, g_free);
  g_clear_pointer (&self->divisors, g_free);
  g_clear_pointer (&self->labels, g_strfreev);
  g_clear_pointer (&self->places, g_strfreev);
  g_clear_pointer (&self->recomputed, g_strfreev);
}

/* --- the machine --------------------------------------------------------------------- */

HeddleMachine *
heddle_derivation_machine (const HeddleDerivationOptions *self, const HeddleInput *input, HeddleExit *status)
{
  const HeddleSchedule *schedule = heddle_snapshot_find_schedule (input->snapshot, input->diagram);
  const char *name = self->gpu != NULL                           ? self->gpu
                     : schedule != NULL && schedule->gpu != NULL ? schedule->gpu
                                                                 : "h100-sxm";
  g_autoptr (GError) error = NULL;
  HeddleMachine *machine = heddle_machine_find (name, self->memory, &error);

  if (machine == NULL)
    *status = heddle_input_failed (input->path, error);
  return machine;
}

HeddleDtype
heddle_derivation_dtype (const HeddleOptions *options, const HeddleInput *input)
{
  const HeddleSchedule *schedule = heddle_snapshot_find_schedule (input->snapshot, input->diagram);

  if (options->dtype != HEDDLE_DTYPE_UNSET)
    return options->dtype;
  return schedule != NULL && schedule->dtype != HEDDLE_DTYPE_UNSET ? schedule->dtype : HEDDLE_DTYPE_F16;
}

/* --- options -------------------------------------------------------------------------- */

static gboolean
read_choice (const HeddleOptions *options, const char *option, const char *given, const char *first,
    const char *second, int *choice, HeddleExit *status)
{
  *choice = g_strcmp0 (given, second) == 0;
  if (given == NULL || *choice || g_str_equal (given, first))
    return TRUE;
  *status = heddle_options_misused (options, _ ("--%s %s: expected %s or %s"), option, given, first, second);
  return FALSE;
}

static gboolean
read_options (HeddleDeriveOptions *read, const HeddleDerivationOptions *self, const HeddleOptions *options,
    const HeddleInput *input, HeddleExit *status)
{
  const HeddleSchedule *own = heddle_snapshot_find_schedule (input->snapshot, input->diagram);
  int operands, time;

  if (!read_choice (options, "columns", self->columns, "all", "operands", &operands, status)
      || !read_choice (options, "objective", self->objective, "transfers", "time", &time, status))
    return FALSE;
  read->columns = operands ? HEDDLE_COLUMNS_OPERANDS : HEDDLE_COLUMNS_ALL;
  /* A GPU is bought for its time. */
  read->objective = time || self->objective == NULL ? HEDDLE_OBJECTIVE_TIME : HEDDLE_OBJECTIVE_TRANSFERS;
  read->suggest = self->suggest;
  read->stages = (guint) MAX (self->stages, 1);
  read->budget_bytes = self->budget == 0 && own != NULL ? own->budget : self->budget;
  if (self->divisors != NULL && !heddle_divisors_from_string (self->divisors, &read->divisors))
    {
      *status = heddle_options_misused (
          options, _ ("--divisors %s: expected some of mma,copies,lines,warps"), self->divisors);
      return FALSE;
    }
  if (self->divisors == NULL)
    read->divisors = heddle_schedule_divisors (own, 0);
  return TRUE;
}

/* --- fusing --------------------------------------------------------------------------- */

static gboolean
add_places (const HeddleDerivationOptions *self, HeddleSchedule *schedule, const HeddleInput *input,
    const HeddleMachine *machine, GError **error)
{
  for (guint i = 0; self->places != NULL && self->places[i] != NULL; i++)
    if (!heddle_schedule_add_place_text (schedule, input->diagram, machine, self->places[i], error))
      return FALSE;
  return TRUE;
}

/* Returns whether a label in the form of the command line is above GMEM. */
static gboolean
is_above (const HeddleMachine *machine, const char *text)
{
  const char *level = strrchr (text, '@'), *end = level != NULL ? strchr (level, '=') : NULL;
  g_autofree char *name = end != NULL ? g_strndup (level + 1, (gsize) (end - level - 1)) : NULL;

  return name != NULL && heddle_machine_find_link (machine, name) >= 0;
}

/* Returns a schedule with each statement as a kernel, and the labels above GMEM that exist or are asked
 * for. */
static HeddleSchedule *
sharded_statements (const HeddleDerivationOptions *self, const HeddleInput *input,
    const HeddleMachine *machine, GError **error)
{
  const HeddleSchedule *own = heddle_snapshot_find_schedule (input->snapshot, input->diagram);
  HeddleSchedule *schedule = heddle_plan_statements (input->diagram, own, machine);
  gboolean good = TRUE;

  for (guint i = 0; good && self->labels != NULL && self->labels[i] != NULL; i++)
    good = !is_above (machine, self->labels[i])
           || heddle_schedule_add_label_text (schedule, input->diagram, machine, self->labels[i], error);
  if (!good)
    g_clear_pointer (&schedule, heddle_schedule_free);
  return schedule;
}

/* Returns what is to be fused: what is asked for; else what the file fuses, if it does; else everything, if
 * the file's own tiles are left out; else the best cut, if labels are suggested and none is given, since a
 * label belongs to something that was fused by hand. */
static const char *
fuse_of (const HeddleDerivationOptions *self, const HeddleInput *input)
{
  const HeddleSchedule *own = heddle_snapshot_find_schedule (input->snapshot, input->diagram);

  if (self->fuse != NULL)
    return self->fuse;
  if (own != NULL && own->regions->len > 0)
    return "file";
  if (!self->fresh && !heddle_plan_is_free (input->diagram, own))
    return "file";
  if (self->fresh)
    return "all";
  return self->suggest && self->labels == NULL ? "best" : "file";
}

/* Returns the best cut for sizes and a machine, with what is placed. */
static HeddleSchedule *
suggest_schedule (const HeddleDerivationOptions *self, const HeddleOptions *options, const HeddleInput *input,
    const HeddleMachine *machine, HeddleFusion *fusion, HeddleExit *status)
{
  HeddleDeriveOptions read = { machine, heddle_derivation_dtype (options, input) };
  HeddleFusion own = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSizes) sizes = NULL;
  HeddleSchedule *given, *schedule = NULL, *statements = NULL;

  if (!read_options (&read, self, options, input, status))
    return NULL;
  given = heddle_plan_input_places (
      input->diagram, heddle_snapshot_find_schedule (input->snapshot, input->diagram));
  sizes = heddle_sizes_new (input->diagram, input->overrides, &error);
  if (sizes != NULL)
    statements = sharded_statements (self, input, machine, &error);
  if (statements != NULL && add_places (self, given, input, machine, &error))
    schedule = heddle_plan_suggest_kernels (
        input->diagram, given, statements, sizes, &read, NULL, fusion != NULL ? fusion : &own, &error);
  heddle_schedule_free (given);
  g_clear_pointer (&statements, heddle_schedule_free);
  heddle_fusion_clear (&own);
  *status = schedule == NULL ? heddle_input_failed (input->path, error) : HEDDLE_EXIT_DONE;
  return schedule;
}

/* Checks that axes which the file groups over GPUs of its own machine are grouped so on the other one, too;
 * else prints that they are not. */
static gboolean
check_links (const HeddleSchedule *own, const HeddleMachine *machine, GError **error)
{
  g_autoptr (HeddleMachine) of
      = own != NULL ? heddle_machine_find (own->gpu != NULL ? own->gpu : "h100-sxm", 0, NULL) : NULL;

  for (guint i = 0; of != NULL && i < own->regions->len; i++)
    {
      const GPtrArray *labels = ((const HeddleRegion *) g_ptr_array_index (own->regions, i))->labels;

      for (guint k = 0; k < labels->len; k++)
        {
          const char *level = ((const HeddleLabel *) g_ptr_array_index (labels, k))->level;

          if (heddle_machine_find_link (of, level) < 0 || heddle_machine_find_link (machine, level) >= 0)
            continue;
          g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
              _ ("%s has no level “%s”, at which the file groups axes over GPUs"), machine->title, level);
          return FALSE;
        }
    }
  return TRUE;
}

HeddleSchedule *
heddle_derivation_schedule (const HeddleDerivationOptions *self, const HeddleOptions *options,
    const HeddleInput *input, const HeddleMachine *machine, HeddleFusion *fusion, HeddleExit *status)
{
  const HeddleSchedule *own = heddle_snapshot_find_schedule (input->snapshot, input->diagram);
  g_autoptr (GError) error = NULL;
  const char *fuse = fuse_of (self, input);
  HeddleSchedule *schedule;

  if (g_str_equal (fuse, "best"))
    schedule = suggest_schedule (self, options, input, machine, fusion, status);
  else
    {
      schedule = heddle_schedule_fuse (input->diagram, own, fuse, &error);
      *status = schedule == NULL ? heddle_input_failed (input->path, error) : HEDDLE_EXIT_DONE;
      if (schedule != NULL)
        heddle_schedule_take_links (schedule, own, machine);
    }
  if (schedule != NULL && self->fresh && !check_links (own, machine, &error))
    *status = heddle_input_failed (input->path, error);
  if (schedule != NULL && self->fresh)
    heddle_schedule_drop_tiles (schedule, machine);
  for (guint i = 0; *status == HEDDLE_EXIT_DONE && self->labels != NULL && self->labels[i] != NULL; i++)
    if (!heddle_schedule_add_label_text (schedule, input->diagram, machine, self->labels[i], &error))
      *status = heddle_input_failed (input->path, error);
  if (*status == HEDDLE_EXIT_DONE && !add_places (self, schedule, input, machine, &error))
    *status = heddle_input_failed (input->path, error);
  for (guint i = 0; *status == HEDDLE_EXIT_DONE && self->recomputed != NULL && self->recomputed[i] != NULL;
       i++)
    if (!heddle_schedule_add_recompute_text (schedule, input->diagram, self->recomputed[i], &error))
      *status = heddle_input_failed (input->path, error);
  if (*status == HEDDLE_EXIT_DONE)
    return schedule;
  g_clear_pointer (&schedule, heddle_schedule_free);
  return NULL;
}

/* --- deriving ------------------------------------------------------------------------ */

static gboolean
insert_cluster (HeddleMachine *machine, const HeddleDerivationOptions *how, const HeddleOptions *options,
    HeddleExit *status)
{
  if (how->cluster > 1 && heddle_machine_insert_cluster (machine, (guint) how->cluster))
    return TRUE;
  *status = heddle_options_misused (
      options, _ ("--cluster %d: expected from 2 up to the memories there are"), how->cluster);
  return FALSE;
}

/* Returns how much the search may choose. */
static HeddlePlanFreedom
freedom_of (const HeddleDerivationOptions *how, const HeddleInput *input)
{
  if (!g_str_equal (fuse_of (how, input), "best"))
    return HEDDLE_PLAN_LABELS;
  return how->labels == NULL && how->recomputed == NULL ? HEDDLE_PLAN_ALL : HEDDLE_PLAN_KERNELS;
}

/* Suggests labels for the schedule, and the fastest kernels of the whole if those are open. */
static gboolean
suggest (HeddleDerived *self, const HeddleDerivationOptions *how, const HeddleInput *input,
    const HeddleDeriveOptions *read, GError **error)
{
  HeddlePlanSuggestion found = { .schedule = self->schedule, .fusion = self->fusion };
  gboolean good = heddle_plan_suggestion_complete (
      &found, freedom_of (how, input), input->diagram, input->sizes, read, NULL, error);

  self->schedule = found.schedule;
  self->derivation = found.derivation;
  self->fusion = found.fusion;
  self->recomputing = found.recomputing;
  return good;
}

/* Derives the schedule that is asked for. */
static gboolean
derive (HeddleDerived *self, const HeddleDerivationOptions *how, const HeddleOptions *options,
    HeddleInput *input, HeddleDeriveOptions *read, HeddleExit *status)
{
  g_autoptr (GError) error = NULL;
  gboolean good;

  if (!heddle_derive_check_work (input->diagram, &error))
    {
      *status = heddle_input_failed (input->path, error);
      return FALSE;
    }
  self->schedule = heddle_derivation_schedule (how, options, input, self->machine, &self->fusion, status);
  if (self->schedule == NULL)
    return FALSE;
  self->budget = self->schedule->budget = read->budget_bytes;
  g_free (self->schedule->divisors);
  self->schedule->divisors = heddle_divisors_to_string (read->divisors);
  if (how->suggest)
    good = suggest (self, how, input, read, &error);
  else
    {
      self->derivation = heddle_derive (input->diagram, self->schedule, input->sizes, read, NULL, &error);
      good = self->derivation != NULL;
    }
  if (!good)
    *status = heddle_input_failed (input->path, error);
  return good;
}

/* Returns whether neither kernels nor labels are given: then statements may be rewritten. */
static gboolean
is_free (const HeddleDerivationOptions *how, const HeddleInput *input)
{
  return how->labels == NULL
         && (g_str_equal (fuse_of (how, input), "best") || g_strcmp0 (how->fuse, "none") == 0);
}

/* Derives once more, what was rewritten meanwhile. */
static gboolean
derive_again (HeddleDerived *self, const HeddleDerivationOptions *how, const HeddleOptions *options,
    HeddleInput *input, HeddleDeriveOptions *read, HeddleExit *status)
{
  g_clear_pointer (&self->derivation, heddle_derivation_free);
  g_clear_pointer (&self->schedule, heddle_schedule_free);
  g_clear_pointer (&self->recomputing, g_free);
  heddle_fusion_clear (&self->fusion);
  return derive (self, how, options, input, read, status);
}

/* Writes out what fits no memory; what a person fused or labelled stays as it is. */
static gboolean
write_out (HeddleDerived *self, const HeddleDerivationOptions *how, const HeddleOptions *options,
    HeddleInput *input, HeddleDeriveOptions *read, HeddleExit *status)
{
  if (!how->suggest || self->derivation->illegal || heddle_derivation_fits (self->derivation))
    return TRUE;
  self->written_out = heddle_diagram_expand_oversized (
      input->diagram, is_free (how, input) ? NULL : self->schedule, input->sizes, read);
  return self->written_out->len == 0 || derive_again (self, how, options, input, read, status);
}

/* Splits sums over products of three arrays or more and joins axes that lie side by side, as code generation does where
 * nobody says what is one kernel. */
static gboolean
split (HeddleDerived *self, const HeddleDerivationOptions *how, const HeddleOptions *options,
    HeddleInput *input, HeddleDeriveOptions *read, HeddleExit *status)
{
  if (!how->suggest || !is_free (how, input) || self->derivation->illegal
      || !heddle_plan_is_for_kernels (self->schedule, read))
    return TRUE;
  self->joined = heddle_ids_new ();
  self->split = heddle_diagram_split_products (input->diagram, &input->sizes, read->dtype, self->joined);
  return (self->split->len == 0 && self->joined->len == 0)
         || derive_again (self, how, options, input, read, status);
}

gboolean
heddle_derived_new (HeddleDerived *self, const HeddleDerivationOptions *how, const HeddleOptions *options,
    HeddleInput *input, HeddleExit *status)
{
  HeddleDeriveOptions read = { NULL };
  g_autoptr (HeddleSearchCache) search_cache = heddle_search_cache_new ();

  if (!read_options (&read, how, options, input, status) || !heddle_input_resolve (input, status))
    return FALSE;
  self->machine = heddle_derivation_machine (how, input, status);
  if (self->machine == NULL)
    return FALSE;
  if (g_strcmp0 (how->objective, "time") == 0 && heddle_machine_is_abstract (self->machine))
    {
      *status = heddle_options_misused (
          options, _ ("--objective time: %s has no clock; its transfers are counted"), self->machine->title);
      return FALSE;
    }
  if (how->cluster != 0 && !insert_cluster (self->machine, how, options, status))
    return FALSE;
  self->dtype = heddle_derivation_dtype (options, input);
  self->hierarchy = how->hierarchy;
  read.machine = self->machine;
  read.dtype = self->dtype;
  read.search_cache = search_cache;
  read.product_shares = heddle_plan_product_shares;
  return derive (self, how, options, input, &read, status) && split (self, how, options, input, &read, status)
         && write_out (self, how, options, input, &read, status);
}

void
heddle_derived_clear (HeddleDerived *self)
{
  g_clear_pointer (&self->derivation, heddle_derivation_free);
  g_clear_pointer (&self->schedule, heddle_schedule_free);
  g_clear_pointer (&self->machine, heddle_machine_free);
  heddle_fusion_clear (&self->fusion);
  g_clear_pointer (&self->recomputing, g_free);
  g_clear_pointer (&self->split, g_array_unref);
  g_clear_pointer (&self->joined, g_array_unref);
  g_clear_pointer (&self->written_out, g_array_unref);
}

/* --- telling ------------------------------------------------------------------------- */

const char *
heddle_derived_axis_name (const HeddleDiagram *diagram, const char *axis_id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (diagram, axis_id);

  return axis != NULL ? axis->name : axis_id;
}

void
heddle_derived_print_refusals (const HeddleDerived *self, const HeddleInput *input)
{
  for (guint i = 0; i < self->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (self->derivation->kernels, i);

      for (guint j = 0; j < kernel->refusals->len; j++)
        {
          const HeddleRefusal *refusal = g_ptr_array_index (kernel->refusals, j);

          g_printerr (_ ("%s: error: %s:%s: %s %s\n"), input->path,
              heddle_derived_axis_name (input->diagram, refusal->axis),
              heddle_label_kind_to_string (refusal->kind), refusal->reason,
              refusal->no_remedy != NULL ? refusal->no_remedy : refusal->remedy);
        }
    }
}
