/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "figure/chart.h"
#include "files/picture-private.h"

/* What is being drawn. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSchedule *schedule; /* or NULL */
  HeddleSizes *sizes;
  HeddleMachine *machine;
  HeddleDtype dtype;
  GCancellable *cancellable;
} Job;

static gboolean
has_tiles (const HeddleSchedule *schedule)
{
  for (guint i = 0; schedule != NULL && i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      if (region->labels->len > 0)
        return TRUE;
    }
  return FALSE;
}

static HeddleDerivation *
derive (const Job *job, const char *fuse, gboolean suggest, GError **error)
{
  HeddleSchedule *schedule = heddle_schedule_fuse (job->diagram, job->schedule, fuse, error);
  HeddleDeriveOptions options = { .machine = job->machine,
    .dtype = job->dtype,
    .objective = HEDDLE_OBJECTIVE_TIME,
    .stages = 1,
    .suggest = suggest };
  HeddleDerivation *derivation;

  if (schedule == NULL)
    return NULL;
  derivation = heddle_derive (job->diagram, schedule, job->sizes, &options, job->cancellable, error);
  heddle_schedule_free (schedule);
  return derivation;
}

/* The file's derivation; where it says nothing, the best of all in one kernel, or of one for each statement where that cannot be. */
static HeddleDerivation *
derive_shown (const Job *job, GError **error)
{
  gboolean bare = job->schedule == NULL || job->schedule->regions->len == 0;
  HeddleDerivation *derivation
      = derive (job, bare ? "all" : "file", !has_tiles (job->schedule), bare ? NULL : error);

  if (derivation == NULL && bare)
    derivation = derive (job, "none", TRUE, error);
  if (derivation == NULL || !derivation->illegal)
    return derivation;
  g_set_error_literal (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_ILLEGAL,
      _ ("a label of the derivation is not legal: heddle derive tells which, and why"));
  heddle_derivation_free (derivation);
  return NULL;
}

static HeddleScene *
render (const Job *job, const HeddleExportOptions *options, GError **error)
{
  g_autoptr (HeddleDerivation) shown = derive_shown (job, error);
  g_autoptr (HeddleDerivation) apart = NULL;
  HeddleChart chart = { job->diagram, job->machine, shown, NULL, job->dtype, options->theme, job->sizes };
  HeddleScene *scene;

  if (shown == NULL)
    return NULL;
  if (options->picture == HEDDLE_EXPORT_COSTS)
    return heddle_chart_render_costs (&chart);
  if (options->picture == HEDDLE_EXPORT_EXPANDED)
    return heddle_chart_render_expanded (&chart);
  apart = derive (job, "none", TRUE, NULL);
  chart.apart = apart;
  scene = heddle_chart_render_roofline (&chart);
  if (scene == NULL)
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE,
        _ ("%s has no rates, and so no roofline: take a GPU such as h100-sxm"), job->machine->title);
  return scene;
}

static HeddleScene *
chart_flat (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const HeddleExportOptions *options,
    GCancellable *cancellable, GError **error)
{
  const HeddleSchedule *schedule = heddle_snapshot_find_schedule (snapshot, diagram);
  const char *gpu = heddle_export_machine_name (options, schedule);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, options->sizes, error);
  g_autoptr (HeddleMachine) machine = sizes != NULL ? heddle_machine_find (gpu, 0, error) : NULL;
  Job job = { diagram, schedule, sizes, machine, options->dtype, cancellable };

  if (machine == NULL)
    return NULL;
  if (job.dtype == HEDDLE_DTYPE_UNSET)
    job.dtype
        = schedule != NULL && schedule->dtype != HEDDLE_DTYPE_UNSET ? schedule->dtype : HEDDLE_DTYPE_F16;
  return render (&job, options, error);
}

/* Of a diagram with calls, what they do in the place of them. */
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
