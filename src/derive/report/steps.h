/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* A derivation as a proof tells it: what is asked of all tiles, then the kernels with their labels in order, where arrays are kept, and what is
 * worked out again, each on top of what was before it. */

/* @number: from 1 on. @schedule: what all steps up to this one come to; it says nothing of operations that no step has come to yet, and is not kept. */
typedef void (*HeddleStepFunc) (
    guint number, const char *title, const HeddleSchedule *schedule, gpointer data);

/* How the steps of a flattened diagram are told; all may be NULL. */
typedef struct
{
  const HeddleMachine *machine; /* whose levels have titles */
  gboolean (*is_read) (const HeddleRegion *region, gpointer data); /* it is there from the first step on */
  /* What an operation of a definition comes from, the same each time that it is called: one step fuses or labels all their kernels. FALSE: it
   * comes from nowhere else. */
  gboolean (*get_origin) (const char *operation, gconstpointer origin[2], gpointer data);
  gpointer data;
} HeddleStepRules;

/* Tells @visit each step that leads to @schedule; returns how many there are. */
guint heddle_schedule_visit_steps (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleStepRules *rules, HeddleStepFunc visit, gpointer data);
/* @partial with the regions of @alone (may be NULL) for what it says nothing of. Transfer full. */
HeddleSchedule *heddle_schedule_complete (const HeddleSchedule *partial, const HeddleSchedule *alone);
/* The kernels of a derivation with their labels. Transfer full. */
HeddleSchedule *heddle_derivation_to_schedule (
    const HeddleDerivation *derivation, const HeddleDiagram *diagram);

G_END_DECLS
