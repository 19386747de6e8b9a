/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

/* A change of a diagram that preserves its meaning, in f64 up to rounding: inputs, named values and outputs
 * stay as they are. */
typedef struct
{
  const char *name; /* "expand-softmax" */
  const char *title; /* N_() what it does */
  /* Makes the change at the operation, if it can be made there. */
  gboolean (*rewrite) (HeddleDiagram *diagram, const char *operation_id);
} HeddleRewriteRule;

/* Returns all rules and their number in @n_rules. The table is static. */
const HeddleRewriteRule *heddle_rewrite_table (guint *n_rules);
/* Returns the rule of that name, such as "expand-softmax", which is static; NULL where there is none. */
const HeddleRewriteRule *heddle_rewrite_rule (const char *name);
/* Applies the rule wherever it can be applied, from the inputs on, and at one place as often as it can be.
 * Inputs, named values and outputs keep what they are; but dead code goes, named or not. Returns how often
 * it was applied. */
guint heddle_diagram_rewrite (HeddleDiagram *diagram, const HeddleRewriteRule *rule);
/* Follows the rule once at an operation of a diagram without errors, and keeps the sizes of all axes.
 * FALSE means that it cannot be followed there. */
gboolean heddle_diagram_rewrite_at (
    HeddleDiagram *diagram, const HeddleRewriteRule *rule, const char *operation_id);
/* Returns the ids of the operations at which the rule can be followed, as a new array; the rule is tried on
 * copies. @all: (out) (nullable): FALSE where it can be followed at so many that others were not tried. */
GArray *heddle_diagram_rewrite_places (
    const HeddleDiagram *diagram, const HeddleRewriteRule *rule, gboolean *all);
