/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/plan/suggestion.h"
#include "codegen/plan/tiles.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/report/roofline.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/document/snapshot.h"
#include "diagram/flatten/flatten.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/chart.h"
#include "figure/page/cost-table.h"
#include "figure/page/expanded.h"
#include "figure/page/roofline-plot.h"
#include "files/exchange/export-chart.h"
#include "files/exchange/export-steps.h"

static HeddleDerivation *
derive (const HeddleChartJob *job, const char *fuse, gboolean suggest, GError **error)
{
  HeddleSchedule *schedule = heddle_schedule_fuse (job->diagram, job->schedule, fuse, error);
  HeddleDerivation *derivation;

  if (schedule == NULL)
    return NULL;
  derivation = heddle_chart_job_derive (job, schedule, suggest, error);
  heddle_schedule_free (schedule);
  return derivation;
}

/* Returns the kernels and labels that are suggested for a GPU; NULL if nothing is. */
static HeddleDerivation *
derive_best (const HeddleChartJob *job)
{
  const HeddleDeriveOptions options = { .machine = job->machine,
    .dtype = job->dtype,
    .objective = HEDDLE_OBJECTIVE_TIME,
    .stages = 1,
    .suggest = TRUE,
    .product_shares = heddle_plan_product_shares };
  g_auto (HeddlePlanSuggestion) found = { NULL };

  if (heddle_machine_is_abstract (job->machine)
      || !heddle_plan_suggestion_init (
          &found, job->diagram, NULL, job->sizes, &options, job->cancellable, NULL))
    return NULL;
  return g_steal_pointer (&found.derivation);
}

/* Returns the file's derivation. If the file has no schedule, it is the best: for a roofline what is suggested; for
 * other pictures everything in one kernel, or one for each statement if that is not possible. */
static HeddleDerivation *
derive_shown (const HeddleChartJob *job, GError **error)
{
  gboolean bare = job->schedule == NULL || job->schedule->regions->len == 0;
  HeddleDerivation *derivation
      = bare && job->options->picture == HEDDLE_EXPORT_ROOFLINE ? derive_best (job) : NULL;

  if (derivation == NULL)
    derivation
        = derive (job, bare ? "all" : "file", !heddle_export_has_labels (job->schedule), bare ? NULL : error);
  if (derivation == NULL && bare)
    derivation = derive (job, "none", TRUE, error);
  if (derivation == NULL || !derivation->illegal)
    return derivation;
  g_set_error_literal (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_ILLEGAL,
      _ ("a label of the derivation is not legal: heddle derive says which, and why"));
  heddle_derivation_free (derivation);
  return NULL;
}

/* Returns the measured points that suit: those of another machine, or for another type, have other roofs. */
static GPtrArray *
find_measured (const HeddleChartJob *job)
{
  const GPtrArray *all = job->options->measured;
  GPtrArray *measured = g_ptr_array_new ();

  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      HeddleBenchResult *one = g_ptr_array_index (all, i);

      if (g_strcmp0 (one->machine, job->machine->name) == 0 && one->dtype == job->dtype)
        g_ptr_array_add (measured, one);
    }
  return measured;
}

static HeddleScene *
render_roofline (const HeddleChartJob *job, HeddleChart *chart, GError **error)
{
  g_autoptr (GPtrArray) measured = find_measured (job);
  g_autoptr (GArray) way = NULL;
  HeddleScene *scene = NULL;

  if (job->options->show & HEDDLE_SHOW_STEPS)
    {
      way = heddle_export_steps_way (job, chart->derivation, chart->apart, error);
      if (way == NULL)
        return NULL;
    }
  chart->measured = measured;
  chart->steps = way;
  scene = heddle_chart_render_roofline (chart);
  if (scene == NULL)
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE,
        _ ("%s has no rates, and so no roofline: choose a GPU such as h100-sxm"), job->machine->title);
  return scene;
}

static HeddleScene *
render (const HeddleChartJob *job, GError **error)
{
  g_autoptr (HeddleDerivation) shown = derive_shown (job, error);
  g_autoptr (HeddleDerivation) apart = NULL;
  HeddleChart chart = { .diagram = job->diagram,
    .machine = job->machine,
    .derivation = shown,
    .dtype = job->dtype,
    .theme = job->options->theme,
    .sizes = job->sizes,
    .width = heddle_export_line_width (job->options) };

  if (shown == NULL)
    return NULL;
  if (job->options->picture == HEDDLE_EXPORT_COSTS)
    return heddle_chart_render_costs (&chart);
  if (job->options->picture == HEDDLE_EXPORT_EXPANDED)
    return heddle_chart_render_expanded (&chart);
  chart.apart = apart = derive (job, "none", TRUE, NULL);
  if (job->options->picture == HEDDLE_EXPORT_STEPS)
    return heddle_export_steps (job, shown, apart, error);
  return render_roofline (job, &chart, error);
}

static HeddleScene *
chart_flat (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const HeddleExportOptions *options,
    GCancellable *cancellable, GError **error)
{
  const HeddleSchedule *schedule = heddle_snapshot_find_schedule (snapshot, diagram);
  const char *gpu = heddle_export_machine_name (options, schedule);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, options->sizes, error);
  g_autoptr (HeddleMachine) machine = sizes != NULL ? heddle_machine_find (gpu, 0, error) : NULL;
  HeddleChartJob job = { snapshot, diagram, schedule, sizes, machine, options->dtype, options, cancellable };

  if (machine == NULL)
    return NULL;
  if (job.dtype == HEDDLE_DTYPE_UNSET)
    job.dtype
        = schedule != NULL && schedule->dtype != HEDDLE_DTYPE_UNSET ? schedule->dtype : HEDDLE_DTYPE_F16;
  return render (&job, error);
}

/* Returns a chart; for a diagram with calls, of what they stand for. */
HeddleScene *
heddle_export_chart (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram,
    const HeddleExportOptions *options, GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleSnapshot) flat
      = heddle_snapshot_flatten ((HeddleSnapshot *) snapshot, diagram, options->sizes, NULL, error);

  return flat != NULL ? chart_flat (
             flat, heddle_snapshot_get_diagram_by_id (flat, diagram->id), options, cancellable, error)
                      : NULL;
}

const char *
heddle_export_machine_name (const HeddleExportOptions *options, const HeddleSchedule *schedule)
{
  if (options->gpu != NULL)
    return options->gpu;
  return schedule && schedule->gpu ? schedule->gpu : "h100-sxm";
}
