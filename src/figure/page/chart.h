/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/report/forecast.h"
#include "figure/page/figure.h"

G_BEGIN_DECLS

/* A derivation as pictures for papers: its roofline, its costs. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleMachine *machine;
  const HeddleDerivation *derivation; /* of legal labels */
  const HeddleDerivation *apart; /* the same with a kernel for each statement, for comparison; or NULL */
  HeddleDtype dtype; /* whose roof of the tensor cores is drawn */
  HeddleTheme theme;
  const HeddleSizes *sizes; /* of the diagram's axes */
  const GPtrArray *measured; /* of HeddleBenchResult, on this machine; or NULL */
  const GArray
      *steps; /* of HeddleRooflinePoint: the way to the derivation, zeros where a step has no time; or NULL */
} HeddleChart;

/* The roofline model (Williams, Waterman & Patterson, 2009), both axes logarithmic: a slope for each memory, a ceiling for each unit, a point for each
 * kernel at its FLOP per byte moved into the labelled level and its FLOP/s at the expected time, a diamond for each measurement with a bar from
 * its least to its most. %NULL: the machine has no rates. */
HeddleScene *heddle_chart_render_roofline (const HeddleChart *self);
/* A table with a row for each kernel: tiles, H in symbols and bytes, M, time and bound; the sum below where there are several. */
HeddleScene *heddle_chart_render_costs (const HeddleChart *self);
/* The loop program of each kernel, its columns expanded: what is held, worked out and moved, before, in each step and after. */
HeddleScene *heddle_chart_render_expanded (const HeddleChart *self);

/* A step of a derivation, drawn: the diagram as it is then, and what is expected of it. */
typedef struct
{
  char *title;
  HeddleScene *scene; /* items of it are taken when it is put into a strip */
  HeddleForecast forecast;
} HeddlePanelOfStep;

void heddle_panel_of_step_free (HeddlePanelOfStep *self);
/* "50.4 M moved, 28.8 µs", or what stands against it; newly allocated. */
char *heddle_panel_of_step_caption (const HeddlePanelOfStep *self);
/* Numbered figures of HeddlePanelOfStep, left to right and then below, as many in a line as @width px hold (0: all), each with its title and caption. */
HeddleScene *heddle_chart_render_steps (const GPtrArray *panels, HeddleTheme theme, double width);

G_END_DECLS
