/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "codegen/plan/derive.h"
#include "codegen/plan/explain.h"
#include "codegen/plan/heads.h"
#include "codegen/plan/plan.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* This file explains why two kernels are two. */

static HeddleRegion *
join (
    HeddleSchedule *schedule, const HeddleDiagram *diagram, const HeddleKernel *one, const HeddleKernel *two)
{
  g_autoptr (GArray) all = heddle_ids_copy (one->operations);

  g_array_append_vals (all, two->operations->data, two->operations->len);
  return heddle_schedule_fuse_operations (schedule, diagram, all);
}

/* Returns a sentence that compares the time of one kernel, by the model, with that of two. */
static char *
compare (const HeddlePlan *plan, const HeddleKernel *one, const HeddleKernel *two, double together)
{
  double apart
      = heddle_plan_seconds_of (plan, plan->diagram, one) + heddle_plan_seconds_of (plan, plan->diagram, two);

  return g_strdup_printf (together < apart
                              ? _ ("one kernel would take %.4g µs instead of %.4g µs, but more elsewhere")
                              : _ ("one kernel would take %.4g µs instead of %.4g µs"),
      together * 1e6, apart * 1e6);
}

/**
 * heddle_plan_explain_apart:
 * @one: a kernel of the plan
 * @two: one after it
 *
 * Returns: (transfer full): a sentence: why the two are not one kernel
 */
char *
heddle_plan_explain_apart (
    const HeddlePlan *plan, const HeddleKernel *one, const HeddleKernel *two, GCancellable *cancellable)
{
  HeddleSchedule *schedule = heddle_schedule_new (plan->diagram->id);
  HeddleRegion *region = join (schedule, plan->diagram, one, two);
  double seconds = heddle_plan_price_region (plan->diagram, schedule, region, plan, cancellable);
  g_autoptr (GError) error = NULL;
  char *reason = NULL;

  if (isfinite (seconds) && seconds < 1e6)
    reason = compare (plan, one, two, seconds);
  else
    heddle_derivation_free (heddle_plan_derive (plan->diagram, schedule, region, plan, cancellable, &error));
  heddle_schedule_free (schedule);
  if (reason == NULL)
    reason = g_strdup (error != NULL ? error->message : _ ("no memory has room for one kernel"));
  return reason;
}
