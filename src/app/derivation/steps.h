/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "derive/report/forecast.h"
#include "diagram/document/schedule.h"

G_BEGIN_DECLS

/* One step of a derivation, as a proof tells it: what was done, and what it promises from then on. */
typedef struct
{
  char *title; /* "Fuse P, O" */
  HeddleForecast forecast;
  gboolean pending; /* it is being found out */
} HeddleStep;

/**
 * HeddleSteps: finds the steps that lead to a schedule and remembers what each was found to cost: while a label is tried only the last
 * step is new.
 */
typedef struct HeddleSteps HeddleSteps;

/* @found: what is pending was found out. */
HeddleSteps *heddle_steps_new (HeddleEditor *editor, GSourceFunc found, gpointer data);
/* Stops the pricing under way and frees the forecasts that are remembered. */
void heddle_steps_free (HeddleSteps *self);
/* Another diagram, machine or data type: nothing that is remembered holds. */
void heddle_steps_forget (HeddleSteps *self);
/* What is asked of all tiles, then the kernels of @schedule with their labels in order, where arrays are kept, and what is worked out again, each
 * on top of those before it. @alone: (nullable): each operation as a kernel of its own, which those that no step has come to yet are. Of HeddleStep. */
GPtrArray *heddle_steps_find (HeddleSteps *self, const HeddleSchedule *schedule, const HeddleSchedule *alone);
/* The schedule after so many of those steps; NULL: there are fewer. Transfer full. */
HeddleSchedule *heddle_steps_get_schedule (
    HeddleSteps *self, const HeddleSchedule *schedule, const HeddleSchedule *alone, guint n);

G_END_DECLS
