/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "files/base/files.h"

#define HEDDLE_POINTS_PER_PX 0.5
#define HEDDLE_PAGE_MARGIN 2. /* px around the drawing */

/* A scene on a page: what of it is shown, px, and how large, pt. */
typedef struct
{
  double x, y, width, height;
  double width_pt, height_pt;
} HeddlePage;

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
