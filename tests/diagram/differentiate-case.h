/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

/* A diagram as text: axes "q=3 d=4"; inputs "Q q d; K x d"; operations "kind|result|axes|operands|what", where what is the body of a map,
 * the indices of a reindex separated by ";", and else the core axes, with "|eps" after them. A result called "_" has no name. */
typedef struct
{
  const char *name;
  const char *axes;
  const char *inputs;
  const char *operations[14]; /* ends at NULL */
} DiagramText;

HeddleDiagram *diagram_of (const DiagramText *text);
/* The backward diagram by all inputs, without problems. */
HeddleDiagram *backward_of (const HeddleDiagram *diagram);
/* The backward diagram's results must be what central finite differences of the forward diagram say, at a random point. %FALSE: there
 * the forward diagram's are no numbers, as the mean of no terms. */
gboolean assert_differences_agree (const HeddleDiagram *diagram, guint64 seed);
/* The same along a few random directions of all inputs at once: a few evaluations, however large the diagram. */
gboolean assert_directions_agree (const HeddleDiagram *diagram, guint64 seed);
/* The names of the values in @ids, each followed by a space. */
char *names_of (const HeddleDiagram *diagram, const GArray *ids);
