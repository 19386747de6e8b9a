/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

/* Diagrams made at random, of all forms of operations, named and unnamed, without problems: the same from the same seed. */

typedef enum
{
  RANDOM_DIAGRAM_ANY, /* any functions of values, which need not be numbers */
  RANDOM_DIAGRAM_SMOOTH, /* to be evaluated: rounding changes little */
} RandomDiagramKind;

HeddleDiagram *random_diagram (RandomDiagramKind kind, guint32 seed);
