/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

/* The limits of a diagram. More would make drawing and checking slow without meaning anything. */
#define HEDDLE_MAX_RANK 64
#define HEDDLE_MAX_OPERANDS 256
#define HEDDLE_MAX_OBJECTS 1000000

typedef struct
{
  const HeddleDiagram *diagram;
  GPtrArray *problems; /* of HeddleProblem */
  gboolean open_sizes; /* sizes that are not given here may come from the caller, or from what it calls */
} HeddleCheck;
