/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/region/region.h"
#include "derive/stream/stream-kind.h"
#include "derive/stream/stream.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"
#include <glib.h>

/* Split-K: a streamed axis cut into groups that run in parallel. Each group folds its part into states and
 * writes them; a second kernel merges the partial states and applies what waits for them. The merge is no
 * lemma of its own: a partial sum was taken under a partial maximum, so that it is multiplied by exp (of the
 * whole - of the part) and summed, which is a region like any other. */
typedef struct
{
  HeddleDiagram
      *diagram; /* the region's, with an axis that numbers the groups and a value for each partial state */
  const char *parts; /* that axis; the first of every partial state */
  GArray *states; /* of guint: the definitions whose states are written */
  GArray *values; /* of const char *: the partial states, one for each */
  HeddleRegionTerm *combine; /* reads them and makes the rest */
} HeddleSplit;

/* Returns how the plan goes along its axis: in chunks that do not know of one another, with states that
 * merge, or with states that are carried in order only. */
HeddleStreamKind heddle_stream_plan_kind (const HeddleStreamPlan *plan);
/* Returns whether the states of groups can be merged; where they cannot, @definition becomes one whose state
 * does not. */
gboolean heddle_split_can_merge (const HeddleStreamPlan *plan, guint *definition);
/* Returns the second kernel's region and the partial states, newly allocated. @needed says for each
 * definition of the plan whether an output depends on it. */
HeddleSplit *heddle_split_new (const HeddleStreamPlan *plan, const gboolean *needed, HeddleDtype dtype);
/* Frees the split with its diagram and the region of the second kernel. */
void heddle_split_free (HeddleSplit *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleSplit, heddle_split_free)

const char *heddle_stream_kind_to_string (
    HeddleStreamKind kind); /* "none", "map", "monoid", "state machine" */
