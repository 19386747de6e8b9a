/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/base/files.h"

G_BEGIN_DECLS

#define HEDDLE_POINTS_PER_PX 0.5

/* A scene on a page: what of it is shown, px, and how large, pt. */
typedef struct
{
  double x, y, width, height;
  double width_pt, height_pt;
} HeddlePage;

/* The machine asked for, else the schedule's. */
const char *heddle_export_machine_name (const HeddleExportOptions *options, const HeddleSchedule *schedule);
/* A derivation that is being drawn. */
typedef struct
{
  const HeddleSnapshot *snapshot;
  const HeddleDiagram *diagram; /* flat */
  const HeddleSchedule *schedule; /* of the file, or NULL */
  HeddleSizes *sizes;
  HeddleMachine *machine;
  HeddleDtype dtype;
  const HeddleExportOptions *options;
  GCancellable *cancellable;
} HeddleChartJob;

/* export-chart.c */
gboolean heddle_export_has_labels (const HeddleSchedule *schedule);
HeddleDerivation *heddle_chart_job_derive (
    const HeddleChartJob *self, const HeddleSchedule *schedule, gboolean suggest, GError **error);
/* export-steps.c: the steps from one equation at a time to @shown, which the file's labels are or lead to. */
HeddleScene *heddle_export_steps (
    const HeddleChartJob *job, const HeddleDerivation *shown, const HeddleDerivation *apart, GError **error);
/* Where each of them is on the roofline, of HeddleRooflinePoint. */
GArray *heddle_export_steps_way (
    const HeddleChartJob *job, const HeddleDerivation *shown, const HeddleDerivation *apart, GError **error);
/* export-chart.c: the roofline, the table of costs, the loops or the steps of a diagram. */
HeddleScene *heddle_export_chart (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram,
    const HeddleExportOptions *options, GCancellable *cancellable, GError **error);

/* export-kernels.c: @suffix is .cu .h .py .ptx .cubin .fatbin or .so. */
GBytes *heddle_export_kernels (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram,
    const char *suffix, const HeddleExportOptions *options, GCancellable *cancellable, GError **error);

HeddlePage heddle_page_for (const HeddleScene *scene, const HeddlePictureOptions *options);
void heddle_picture_append_number (GString *text, double value);

G_END_DECLS
