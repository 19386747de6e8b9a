/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/base/files.h"

G_BEGIN_DECLS

/* Two diagrams being compared; axes and values that were renamed have the new names in both. */
typedef struct
{
  const HeddleDiagram *a, *b;
  GPtrArray *found; /* of HeddleDifference */
  const HeddleSnapshot *before, *after; /* the documents they are of */
} HeddleComparison;

void heddle_comparison_add (HeddleComparison *self, const char *kind, const char *object, const char *format,
    ...) G_GNUC_PRINTF (4, 5);
/* Adds “object: one → other” where the two differ; %NULL: there is none. */
void heddle_comparison_add_change (
    HeddleComparison *self, const char *kind, const char *object, const char *one, const char *other);

void heddle_comparison_schedules (HeddleComparison *self, const HeddleSchedule *a, const HeddleSchedule *b);
void heddle_comparison_presentations (
    HeddleComparison *self, const HeddlePresentation *a, const HeddlePresentation *b);
/* What a person calls the thing with an id: a name, or the name of what an operation makes. Newly allocated. */
char *heddle_comparison_name (const HeddleDiagram *diagram, const char *id);

G_END_DECLS
