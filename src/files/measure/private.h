/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/codegen.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"

/* A diagram that one unit of a GPU is the slowest for. */
typedef struct
{
  const char *id, *title; /* of the measurement; N_() */
  const char *unit;
  const char *arrays; /* equations of the inputs */
  const char *result; /* the left side of the one statement, and the right one where it is no chain */
  const char *link; /* what is put around the right side again and again, with %s for it; NULL: no chain */
  guint links;
  const char *labels[4]; /* those that are not found by the search */
  HeddleDtype dtype;
  gboolean in_place; /* launches find their arrays in the L2 */
  const char *formula; /* the amount, over the axes' names */
  /* The size of all axes. */
  gint64 (*size) (const HeddleMachine *machine);
  /* Returns what a launch moves or computes, by the size and the derivation. */
  double (*amount) (const HeddlePlan *plan, gint64 size);
  /* The rate that the machine has, and where a measured one goes. */
  double (*get) (const HeddleMachine *machine);
  void (*set) (HeddleMachine *machine, double rate);
  const char *key; /* of the machine file: "Level gmem/Bandwidth" */
} HeddleProbe;
