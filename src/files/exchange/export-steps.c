/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/plan/suggest.h"
#include "codegen/plan/tiles.h"
#include "derive/derivation/derive.h"
#include "derive/machine/derive-options.h"
#include "derive/report/forecast.h"
#include "derive/report/roofline.h"
#include "derive/report/steps.h"
#include "diagram/document/snapshot.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/chart.h"
#include "figure/page/figure.h"
#include "figure/page/step-change.h"
#include "figure/page/steps.h"
#include "files/base/files.h"
#include "files/exchange/export-steps.h"
#include "files/picture/venue.h"

/* The number of figures up to which they are read as a proof; people page through more of them in the
 * window. */
#define MOST_STEPS 60
/* The width of a page of two columns, used if no width is asked for. */
#define PAGE_PT 486.

typedef struct
{
  const HeddleChartJob *job;
  HeddleSchedule *alone; /* each operation as a kernel, at its best; or NULL */
  GArray *way; /* of HeddleRooflinePoint */
  GPtrArray *panels; /* of HeddlePanelOfStep; NULL: only the way is asked for */
  HeddleSchedule *before; /* of the panel before; or NULL */
  guint n;
  GError *error;
} Finding;

static HeddleScene *
render_step (const HeddleChartJob *job, const HeddleSchedule *schedule, const HeddleDerivation *derivation,
    gboolean unnamed)
{
  const HeddlePresentation *given = heddle_snapshot_find_presentation (job->snapshot, job->diagram);
  const HeddleExportOptions *options = job->options;
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  HeddlePresentation bare;
  HeddleFigure figure = { .diagram = job->diagram,
    .schedule = schedule,
    .derivation = derivation,
    .sizes = job->sizes,
    .theme = job->options->theme,
    .show = HEDDLE_SHOW_LABELS,
    .slim = TRUE,
    .unnamed = unnamed };

  /* A picture with a given width is wrapped rather than made small. */
  if (options->wrap_pt < 0.)
    figure.wrap = options->wrap_pt;
  else if (options->wrap_pt > 0. || options->width_pt > 0.)
    figure.wrap = heddle_export_line_width (options);
  if (given != NULL)
    {
      bare = *given;
      bare.title = NULL; /* each has that of its step */
      bare.annotations = none; /* which stand at places of the whole figure */
      figure.presentation = &bare;
    }
  return heddle_figure_render (&figure);
}

/* In the figures of @schedule only what was not so in the one before is strong. */
static void
show_change (Finding *self, const HeddleSchedule *schedule, const HeddlePanelOfStep *panel)
{
  g_autoptr (HeddleStepChange) change
      = self->before != NULL ? heddle_step_change_new (self->job->diagram, self->before, schedule) : NULL;

  if (change != NULL)
    {
      heddle_step_change_show (change, panel->scene, self->job->options->theme);
      heddle_step_change_show (change, panel->unnamed, self->job->options->theme);
    }
  g_clear_pointer (&self->before, heddle_schedule_free);
  self->before = heddle_schedule_copy (schedule);
}

static void
add_panel (Finding *self, const char *title, const HeddleSchedule *schedule)
{
  g_autoptr (HeddleDerivation) derivation
      = heddle_chart_job_derive (self->job, schedule, FALSE, &self->error);
  HeddlePanelOfStep *panel = NULL;
  HeddleForecast forecast;
  HeddleRooflinePoint point = { 0., 0. };

  if (derivation == NULL)
    return;
  forecast = heddle_forecast (derivation, self->job->machine);
  if (heddle_forecast_is_timed (&forecast))
    point = forecast.point;
  g_array_append_val (self->way, point);
  if (self->panels == NULL)
    return;
  panel = g_new0 (HeddlePanelOfStep, 1);
  panel->title = g_strdup (title);
  panel->forecast = forecast;
  panel->scene = render_step (self->job, schedule, derivation, FALSE);
  if (self->panels->len > 0)
    panel->unnamed = render_step (self->job, schedule, derivation, TRUE);
  show_change (self, schedule, panel);
  g_ptr_array_add (self->panels, panel);
}

static void
on_step (guint number, const char *title, const HeddleSchedule *schedule, gpointer data)
{
  Finding *self = data;
  HeddleSchedule *whole = NULL;

  self->n = number;
  if (self->error != NULL || number > MOST_STEPS)
    return;
  whole = heddle_schedule_complete (schedule, self->alone);
  add_panel (self, title, whole);
  heddle_schedule_free (whole);
}

/* Finds the steps. Returns FALSE with @error if they cannot be found. */
static gboolean
find (Finding *self, const HeddleDerivation *shown, const HeddleDerivation *apart, GError **error)
{
  const HeddleChartJob *job = self->job;
  const HeddleStepRules rules = { .machine = job->machine };
  HeddleSchedule *whole = heddle_export_has_labels (job->schedule)
                              ? heddle_schedule_copy (job->schedule)
                              : heddle_derivation_to_schedule (shown, job->diagram);

  self->way = g_array_new (FALSE, FALSE, sizeof (HeddleRooflinePoint));
  if (apart != NULL && !apart->illegal)
    {
      self->alone = heddle_derivation_to_schedule (apart, job->diagram);
      add_panel (self, _ ("One equation at a time"), self->alone);
    }
  if (self->error == NULL)
    heddle_schedule_visit_steps (job->diagram, whole, &rules, on_step, self);
  g_clear_pointer (&self->alone, heddle_schedule_free);
  g_clear_pointer (&self->before, heddle_schedule_free);
  heddle_schedule_free (whole);
  if (self->error == NULL && self->n > MOST_STEPS)
    g_set_error (&self->error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION,
        ngettext ("the derivation has %u step: a figure of steps shows %u at most",
            "the derivation has %u steps: a figure of steps shows %u at most", self->n),
        self->n, MOST_STEPS);
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, self->error);
  return FALSE;
}

double
heddle_export_line_width (const HeddleExportOptions *options)
{
  const double width = options->wrap_pt > 0.    ? options->wrap_pt
                       : options->width_pt > 0. ? options->width_pt
                                                : PAGE_PT;

  return options->wrap_pt < 0. ? 0. : (width - heddle_venue_measure (0.)) / HEDDLE_POINTS_PER_PX;
}

HeddleScene *
heddle_export_steps (
    const HeddleChartJob *job, const HeddleDerivation *shown, const HeddleDerivation *apart, GError **error)
{
  g_autoptr (GPtrArray) panels = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_panel_of_step_free);
  Finding self = { .job = job, .panels = panels };
  HeddleScene *scene = NULL;

  if (find (&self, shown, apart, error))
    scene = heddle_chart_render_steps (panels, job->options->theme, heddle_export_line_width (job->options));
  g_array_unref (self.way);
  return scene;
}

GArray *
heddle_export_steps_way (
    const HeddleChartJob *job, const HeddleDerivation *shown, const HeddleDerivation *apart, GError **error)
{
  Finding self = { .job = job };

  if (find (&self, shown, apart, error))
    return self.way;
  g_array_unref (self.way);
  return NULL;
}

gboolean
heddle_export_has_labels (const HeddleSchedule *schedule)
{
  for (guint i = 0; schedule != NULL && i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      if (region->labels->len > 0)
        return TRUE;
    }
  return FALSE;
}

HeddleDerivation *
heddle_chart_job_derive (
    const HeddleChartJob *self, const HeddleSchedule *schedule, gboolean suggest, GError **error)
{
  HeddleDeriveOptions options = { .machine = self->machine,
    .dtype = self->dtype,
    .objective = HEDDLE_OBJECTIVE_TIME,
    .stages = 1,
    .product_shares = heddle_plan_product_shares };

  return suggest
             ? heddle_plan_suggest (self->diagram, schedule, self->sizes, &options, self->cancellable, error)
             : heddle_derive (self->diagram, schedule, self->sizes, &options, self->cancellable, error);
}
