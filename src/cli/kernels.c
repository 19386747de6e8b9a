/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>

#include "cli/kernels.h"
#include "codegen/emit/emit.h"
#include "codegen/plan/plan.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"

gboolean
heddle_kernels_family (const HeddleOptions *options, const char *text, HeddleFamily *family)
{
  *family = HEDDLE_FAMILY_AUTO;
  if (text == NULL || heddle_family_from_string (text, family))
    return TRUE;
  heddle_options_misused (
      options, _ ("--family %s: expected auto, general, rows, sm80, sm90a or sm90a-copies"), text);
  return FALSE;
}

HeddlePlan *
heddle_kernels_try_plan (const HeddleDerivationOptions *self, const HeddleOptions *options,
    HeddleInput *input, HeddleExit *status, GError **error)
{
  gboolean scheduled = self->fuse != NULL || self->labels != NULL || self->places != NULL;
  g_autoptr (HeddleMachine) machine = heddle_derivation_machine (self, input, status);
  HeddleSchedule *made = NULL;
  const HeddleSchedule *schedule = NULL;
  HeddleFamily family;
  HeddlePlan *plan;

  if (machine == NULL || !heddle_input_flatten (input, status))
    return NULL;
  if (!heddle_kernels_family (options, self->family, &family))
    {
      *status = HEDDLE_EXIT_USAGE;
      return NULL;
    }
  schedule = heddle_snapshot_find_schedule (input->snapshot, input->diagram);
  if (scheduled)
    {
      made = heddle_derivation_schedule (self, options, input, machine, NULL, status);
      if (made == NULL)
        return NULL;
      schedule = made;
    }
  plan = heddle_plan_new (input->diagram, schedule, heddle_machine_reference (machine),
      heddle_derivation_dtype (options, input), family, input->overrides, NULL, error);
  g_clear_pointer (&made, heddle_schedule_free);
  return plan;
}

HeddlePlan *
heddle_kernels_plan (
    const HeddleDerivationOptions *self, const HeddleOptions *options, HeddleInput *input, HeddleExit *status)
{
  g_autoptr (GError) error = NULL;
  HeddlePlan *plan = heddle_kernels_try_plan (self, options, input, status, &error);

  if (error != NULL)
    *status = heddle_input_failed (input->path, error);
  return plan;
}
