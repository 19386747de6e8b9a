/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* The co-design question: which change of the machine would make something else its bound? */
typedef enum
{
  HEDDLE_FIGURE_CAPACITY, /* bytes of the level that takes labels */
  HEDDLE_FIGURE_DRAM, /* bytes/s */
  HEDDLE_FIGURE_CACHE, /* bytes/s, of all caches alike */
  HEDDLE_FIGURE_TENSOR, /* FLOP/s, of all types alike */
  HEDDLE_FIGURE_SPECIAL, /* operations/s */
  HEDDLE_FIGURE_FP32, /* FLOP/s */
  HEDDLE_N_FIGURES,
} HeddleMachineFigure;

typedef struct
{
  HeddleMachineFigure figure;
  double now, at; /* @at: solved for, to one part in 10^5 (a capacity: to the byte) */
  double factor; /* at / now */
  const char *bound; /* what bounds the time on the other side of @at */
  double expected_s; /* the time there */
} HeddleCrossing;

/* Returns the name of a figure, such as "smem-capacity"; the text is static. */
const char *heddle_machine_figure_name (HeddleMachineFigure figure);

/* Returns a figure of the machine in the unit of its kind; the tensor cores' rate is that of @dtype. */
double heddle_machine_get_figure (const HeddleMachine *self, HeddleMachineFigure figure, HeddleDtype dtype);
/* Multiplies a figure of the machine by @factor, which is positive: of the tensor cores for all types, of
 * caches for all of them. */
void heddle_machine_scale_figure (HeddleMachine *self, HeddleMachineFigure figure, double factor);

/* Returns the unit that bounds the kernel that takes longest, or "links" if communication between GPUs takes
 * longer; "" if nothing is timed. */
const char *heddle_derivation_bound (const HeddleDerivation *self);

/**
 * heddle_codesign_new:
 *
 * For each figure of the machine, the nearest value above and the nearest below its own, up to @most times it, at which the derivation (labels
 * searched anew, where @options suggests) has another bound. The bracket is found by doubling and closed by bisection: both sides are
 * derived, none is extrapolated.
 *
 * Returns: (transfer full) (element-type HeddleCrossing): what was found, the smallest change first; %NULL with the error of heddle_derive ()
 */
GArray *heddle_codesign_new (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, double most, GError **error);
