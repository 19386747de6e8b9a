/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* Two diagrams being compared; axes and values that were renamed have the new names in both. */
typedef struct
{
  const HeddleDiagram *a, *b;
  GPtrArray *found; /* of HeddleDifference */
  const HeddleSnapshot *before, *after; /* the documents they are of */
} HeddleComparison;
