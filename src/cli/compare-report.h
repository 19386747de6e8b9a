/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/derivation.h"
#include "derive/codesign.h"

G_BEGIN_DECLS

/* A diagram on one machine in one data type. */
typedef struct
{
  HeddleMachine *machine;
  HeddleDtype dtype; /* UNSET: as the diagram declares */
  HeddleDiagram *diagram; /* of that type */
  HeddleSchedule *schedule;
  HeddleDerivation *derivation;
  GArray *crossings; /* of HeddleCrossing */
} HeddleComparison;

void heddle_comparison_free (HeddleComparison *self);
void heddle_comparisons_print_json (GPtrArray *comparisons, const HeddleInput *input);
void heddle_comparisons_print_table (GPtrArray *comparisons, const HeddleInput *input);

G_END_DECLS
