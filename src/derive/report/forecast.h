/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/time-part.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "derive/report/roofline.h"

#define HEDDLE_N_UNITS 6
/* The names of the units in the order they are listed: "l2", "tensor", "smem", "special", "fp32", "dram". */
extern const char *const heddle_forecast_units[HEDDLE_N_UNITS];

/* The predictions of a derivation, in numbers for the panes; they outlive the derivation. */
typedef struct
{
  guint n_kernels;
  double seconds; /* expected; 0: the machine has no times */
  double serial_s; /* if nothing overlapped */
  double unit_s[HEDDLE_N_UNITS]; /* summed over the kernels */
  double parts[HEDDLE_TIME_N_PARTS]; /* s, summed over the kernels */
  const char *bound; /* of the slowest kernel; static */
  double values, bytes; /* moved in all */
  double flops;
  double groups, efficiency; /* of the waves */
  HeddleRooflinePoint point;
  gboolean legal, fits;
  const char *full_level; /* where it does not fit, interned; NULL: everywhere */
  double needs, capacity; /* there, in bytes or values */
  gboolean in_values; /* the abstract machine counts those */
} HeddleForecast;

/* Returns the numbers of a derivation on @machine, by value: times in seconds summed over the kernels, what
 * is moved, the bound of the slowest kernel, and the first level where something does not fit. */
HeddleForecast heddle_forecast (const HeddleDerivation *derivation, const HeddleMachine *machine);
/* Returns whether the forecast's times mean something; a kernel that does not fit has none. */
gboolean heddle_forecast_is_timed (const HeddleForecast *self);
/* Returns whether @self is better than @than: by time, or on a machine without times by what is moved. What
 * does not fit is the worst. */
gboolean heddle_forecast_is_better (const HeddleForecast *self, const HeddleForecast *than);
/* Returns the largest part of the time: what it would help most to make less of. */
HeddleTimePart heddle_forecast_limit (const HeddleForecast *self);
/* Returns the seconds that a unit takes, by its name in heddle_forecast_units, summed over the kernels. */
double heddle_forecast_unit (const HeddleForecast *self, const char *unit);
