/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* A change of a diagram that keeps what it means, in f64 up to rounding: inputs, named values and outputs stay as they are. */
typedef struct
{
  const char *name; /* "expand-softmax" */
  const char *title; /* N_() what it does */
  /* Makes the change at the operation, if it can be made there. */
  gboolean (*rewrite) (HeddleDiagram *diagram, const char *operation_id);
} HeddleRewriteRule;

const HeddleRewriteRule *heddle_rewrite_table (guint *n_rules);
const HeddleRewriteRule *heddle_rewrite_rule (const char *name); /* NULL: none */
/* At all places, or at one operation; where that can be. */
guint heddle_diagram_rewrite (HeddleDiagram *diagram, const HeddleRewriteRule *rule);
gboolean heddle_diagram_rewrite_at (
    HeddleDiagram *diagram, const HeddleRewriteRule *rule, const char *operation_id);
GArray *heddle_diagram_rewrite_places (const HeddleDiagram *diagram, const HeddleRewriteRule *rule);

G_END_DECLS
