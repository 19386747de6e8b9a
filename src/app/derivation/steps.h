/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "derive/report/forecast.h"
#include "diagram/document/schedule.h"

/* A step of a derivation says, as a proof does, what was done, and what it promises from then on. */
typedef struct
{
  char *title; /* "Fuse P, O" */
  HeddleForecast forecast;
  gboolean pending; /* it is being found out */
} HeddleStep;

/* HeddleSteps finds the steps that lead to a schedule and remembers what each costs: while a label is tried
 * only the last step is new. */
typedef struct HeddleSteps HeddleSteps;

/* Returns new steps; @found is called when what was pending is found. */
HeddleSteps *heddle_steps_new (HeddleEditor *editor, GSourceFunc found, gpointer data);
/* Stops the pricing under way and frees the forecasts that are remembered. */
void heddle_steps_free (HeddleSteps *self);
/* Forgets all that is remembered, for another diagram, machine or data type. */
void heddle_steps_forget (HeddleSteps *self);
/* Returns the steps (HeddleStep) to @schedule: the divisors of all tiles, then its kernels with their
 * labels in order, where arrays are kept, and what is recomputed, each on top of those before it. @alone
 * (nullable) has each operation as a kernel of its own, which those are that no step has come to yet. */
GPtrArray *heddle_steps_find (HeddleSteps *self, const HeddleSchedule *schedule, const HeddleSchedule *alone);
/* Returns the schedule after so many of those steps, transfer full; NULL means that there are fewer. */
HeddleSchedule *heddle_steps_get_schedule (
    HeddleSteps *self, const HeddleSchedule *schedule, const HeddleSchedule *alone, guint n);
