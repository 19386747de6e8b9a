/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* This file writes a derivation as a proof: what is asked of all tiles, then the kernels with their labels in
 * order, where arrays are kept, and what is computed again, each step on top of those before it. */

/* Receives a step. @number begins at 1. @schedule holds all steps up to this one; it says nothing of
 * operations that no step has come to yet, and is not kept. */
typedef void (*HeddleStepFunc) (
    guint number, const char *title, const HeddleSchedule *schedule, gpointer data);

/* The callbacks for the steps of a flattened diagram; all members may be NULL. */
typedef struct
{
  const HeddleMachine *machine; /* whose levels have titles */
  gboolean (*is_read) (const HeddleRegion *region, gpointer data); /* it is there from the first step on */
  /* Returns the origin of an operation of a definition, the same each time that it is called: one step fuses
   * or labels all their kernels. Returns FALSE if it comes from nowhere else. */
  gboolean (*get_origin) (const char *operation, gconstpointer origin[2], gpointer data);
  gpointer data;
} HeddleStepRules;

/* Calls @visit for each step that leads to @schedule; returns how many there are. */
guint heddle_schedule_visit_steps (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleStepRules *rules, HeddleStepFunc visit, gpointer data);
/* Returns @partial with those regions of @alone (may be NULL) that it does not have. Transfer full. */
HeddleSchedule *heddle_schedule_complete (const HeddleSchedule *partial, const HeddleSchedule *alone);
/* Returns the kernels of a derivation with their labels. Transfer full. */
HeddleSchedule *heddle_derivation_to_schedule (
    const HeddleDerivation *derivation, const HeddleDiagram *diagram);
