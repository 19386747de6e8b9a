/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/figure.h"

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
} HeddleChart;

/* The roofline model (Williams, Waterman & Patterson, 2009), both axes logarithmic: a slope for each memory, a ceiling for each unit, a point for each
 * kernel at its FLOP per byte moved into the labelled level and its FLOP/s at the expected time. %NULL: the machine has no rates. */
HeddleScene *heddle_chart_render_roofline (const HeddleChart *self);
/* A table with a row for each kernel: tiles, H in symbols and bytes, M, time and bound; the sum below where there are several. */
HeddleScene *heddle_chart_render_costs (const HeddleChart *self);
/* The loop program of each kernel, its columns expanded: what is held, worked out and moved, before, in each step and after. */
HeddleScene *heddle_chart_render_expanded (const HeddleChart *self);

G_END_DECLS
