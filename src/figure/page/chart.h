/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "derive/report/forecast.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"

/* A chart is a picture of a derivation. It borrows all that it is drawn from. */

/* A chart is a derivation as a picture for papers: its roofline, its costs. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleMachine *machine;
  const HeddleDerivation *derivation; /* of legal labels */
  const HeddleDerivation *apart; /* the same with a kernel for each statement, for comparison; or NULL */
  HeddleDtype dtype; /* whose roof of the tensor cores is drawn */
  HeddleTheme theme;
  const HeddleSizes *sizes; /* of the diagram's axes */
  double width; /* px: of lines into which expanded loops are broken; 0: they are as long as they are */
  const GPtrArray *measured; /* of HeddleBenchResult, on this machine; or NULL */
  const GArray
      *steps; /* of HeddleRooflinePoint: the way to the derivation, zeros where a step has no time; or NULL */
} HeddleChart;

/* A panel shows a step of a derivation: the diagram as it is then, and what is expected of it. */
typedef struct
{
  char *title;
  HeddleScene *scene; /* items of it are taken when it is put into a strip */
  HeddleScene *unnamed; /* the same without the names of what comes in and goes out; or NULL */
  HeddleForecast forecast;
} HeddlePanelOfStep;
